const char date[] = __DATE__;
const char time[] = __TIME__;
