/* Never finishes loading. */
#include <unistd.h>

#include "fixture.h"

__attribute__((constructor)) static void wait_for_ever(void) {
  for (;;)
    pause();
}
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "hangs");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
