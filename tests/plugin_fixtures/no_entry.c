/* A shared library like any other. */
int unrelated(void);
__attribute__((visibility("default"))) int unrelated(void) { return 1; }
