// The header comes from first/ or second/, by the order of the include path.
#include <picked.h>
#if __has_include(<nowhere.h>)
#error "there is no such header"
#endif
int picked = PICKED;
