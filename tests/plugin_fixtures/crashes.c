/* Crashes while it is loaded. */
#include <signal.h>

#include "fixture.h"

__attribute__((constructor)) static void crash(void) { raise(SIGSEGV); }
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "crashes");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
