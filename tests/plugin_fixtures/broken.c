/* Breaks the contract in the one way that BROKEN_... names. */
#include "fixture.h"

#if defined(BROKEN_SHORT_LIBRARY)
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "one");
static const ifb_plugin* const plugins[] = {&one};
static const ifb_library the_library = {8, IFB_ABI_MAJOR, IFB_ABI_MINOR, "x", plugins, 1, 0};
const ifb_library* inferbench_plugin_v1(uint32_t major, uint32_t minor) {
  (void)major, (void)minor;
  return &the_library;
}
#elif defined(BROKEN_NO_PLUGINS)
static const ifb_library the_library = {
    sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "x", NULL, 3, 0};
const ifb_library* inferbench_plugin_v1(uint32_t major, uint32_t minor) {
  (void)major, (void)minor;
  return &the_library;
}
#elif defined(BROKEN_SHORT_PLUGIN)
static const ifb_plugin one = {40, IFB_BACKEND, "one",  "1.0.0", "x",  "x",    NULL,
                               0,  0,           create, destroy, NULL, nothing};
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
#elif defined(BROKEN_NO_ID)
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, NULL);
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
#elif defined(BROKEN_TWICE)
static const ifb_plugin one = FIXTURE_PLUGIN(IFB_BACKEND, "one");
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one, &one)
#elif defined(BROKEN_NO_CREATE)
static const ifb_plugin good = FIXTURE_PLUGIN(IFB_BACKEND, "good");
static const ifb_plugin one = {sizeof(ifb_plugin),
                               IFB_BACKEND,
                               "one",
                               "1.0.0",
                               "x",
                               "x",
                               NULL,
                               0,
                               0,
                               NULL,
                               destroy,
                               NULL,
                               nothing};
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &good, &one)
#elif defined(BROKEN_STRIDE)
static const ifb_option option = {
    sizeof(ifb_option), IFB_INT, 0, 0, "n", "N.", NULL, NULL, NULL, NULL, 0, 0};
static const ifb_plugin one = {sizeof(ifb_plugin),
                               IFB_BACKEND,
                               "one",
                               "1.0.0",
                               "x",
                               "x",
                               &option,
                               1,
                               8,
                               create,
                               destroy,
                               NULL,
                               nothing};
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
#else
static const ifb_option option = {
#if defined(BROKEN_OPTION_TYPE)
    sizeof(ifb_option), 99, 0, 0, "n", "N.", NULL, NULL, NULL, NULL, 0, 0
#elif defined(BROKEN_CHOICES)
    sizeof(ifb_option), IFB_CHOICE, 0, 0, "n", "N.", NULL, NULL, NULL, NULL, 0, 0
#elif defined(BROKEN_HOST_KEY)
    sizeof(ifb_option), IFB_INT, 0, 0, "use", "N.", NULL, NULL, NULL, NULL, 0, 0
#endif
};
static const ifb_plugin one = {
    sizeof(ifb_plugin), IFB_BACKEND, "one",   "1.0.0", "x",    "x", &option, 1,
    sizeof(ifb_option), create,      destroy, NULL,    nothing};
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &one)
#endif
