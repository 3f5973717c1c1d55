/* Ends the process while it is loaded. */
#include <stdlib.h>

#include "fixture.h"

__attribute__((constructor)) static void leave(void) { exit(3); }
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "exits");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
