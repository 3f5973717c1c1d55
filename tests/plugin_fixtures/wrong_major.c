/* Built for another major version of the contract. */
#include "fixture.h"

static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "wrong_major");
FIXTURE_LIBRARY(IFB_ABI_MAJOR + 1, 4, &one)
