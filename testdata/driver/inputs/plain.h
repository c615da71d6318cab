int declared_in_plain_h(void);
