/* What the small broken plugins share: one descriptor to be wrong in one place. */
#ifndef INFERBENCH_TESTS_FIXTURE_H
#define INFERBENCH_TESTS_FIXTURE_H

#include <inferbench/abi.h>

struct ifb_instance {
  const ifb_host* host;
};
static struct ifb_instance the_instance;

__attribute__((unused)) static ifb_status create(const ifb_host* host, const ifb_config* config,
                                                 ifb_instance** out, ifb_error* error) {
  (void)config, (void)error;
  the_instance.host = host;
  *out = &the_instance;
  return IFB_OK;
}
__attribute__((unused)) static void destroy(ifb_instance* self) { (void)self; }
__attribute__((unused)) static const void* nothing(const char* id) {
  (void)id;
  return NULL;
}

#define FIXTURE_PLUGIN(of, name)                                                      \
  {sizeof(ifb_plugin), of,     name,    "1.0.0", "A fixture.", "Apache-2.0", NULL, 0, \
   sizeof(ifb_option), create, destroy, NULL,    nothing}

#define FIXTURE_LIBRARY(major, minor, ...)                                            \
  static const ifb_plugin* const plugins[] = {__VA_ARGS__};                           \
  static const ifb_library the_library = {sizeof(ifb_library),                        \
                                          major,                                      \
                                          minor,                                      \
                                          "fixture",                                  \
                                          plugins,                                    \
                                          sizeof plugins / sizeof plugins[0],         \
                                          0};                                         \
  const ifb_library* inferbench_plugin_v1(uint32_t host_major, uint32_t host_minor) { \
    (void)host_major, (void)host_minor;                                               \
    return &the_library;                                                              \
  }

#endif
