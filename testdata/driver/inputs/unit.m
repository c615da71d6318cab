@protocol Thing
- (int)size;
@end
int size_of(id<Thing> thing) { return [thing size]; }
