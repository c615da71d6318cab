#pragma once
#define STEP 1
