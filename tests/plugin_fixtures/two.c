/* Two backends in one library, reached through links named after them. */
#include "fixture.h"

static const ifb_plugin first = FIXTURE_PLUGIN(IFB_BACKEND, "first");
static const ifb_plugin second = FIXTURE_PLUGIN(IFB_BACKEND, "second");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &first, &second)
