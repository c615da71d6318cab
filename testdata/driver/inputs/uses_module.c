#include "modules/shapes.h"
int sides(struct shape *shape) { return shape->sides; }
