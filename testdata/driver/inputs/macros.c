int a = A;
const char *text = TEXT;
#ifdef PREINCLUDED
int preincluded = PREINCLUDED;
#endif
