/* Crashes when it is asked what it holds. */
#include <signal.h>

#include "fixture.h"

const ifb_library* inferbench_plugin_v1(uint32_t host_major, uint32_t host_minor) {
  (void)host_major, (void)host_minor;
  raise(SIGSEGV);
  return NULL;
}
