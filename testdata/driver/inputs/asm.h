#define NAME from_preprocessed
#define VALUE 43
