int spaced = 1;
