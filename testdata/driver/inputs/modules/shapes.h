struct shape { int sides; };
