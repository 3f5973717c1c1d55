/* Writes to standard output while it is loaded, which the contract forbids. */
#include <stdio.h>

#include "fixture.h"

__attribute__((constructor)) static void talk(void) {
  puts("hello from a constructor");
  fflush(stdout);
}
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "talks");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
