#include "plain.h"
#include "nowhere.h"
int after;
