/* Describes itself, then aborts when the process ends. */
#include <stdlib.h>

#include "fixture.h"

__attribute__((destructor)) static void give_up(void) { abort(); }
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "aborts");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
