/* Needs a function that nobody has. */
#include "fixture.h"

int a_function_that_nobody_has(void);
__attribute__((visibility("default"))) int call_it(void);
int call_it(void) { return a_function_that_nobody_has(); }
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "unresolved");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
