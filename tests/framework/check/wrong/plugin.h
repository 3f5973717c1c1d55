/* Common parts of the plugins of this folder. Each source is one whole plugin that keeps the
 * contract; a macro WRONG_... makes it break the contract in one place. */
#ifndef INFERBENCH_TESTS_WRONG_PLUGIN_H
#define INFERBENCH_TESTS_WRONG_PLUGIN_H

#include <stdlib.h>
#include <string.h>

#include <inferbench/abi.h>

__attribute__((unused)) static ifb_str text(const char* from) {
  const ifb_str out = {from, strlen(from)};
  return out;
}

__attribute__((unused)) static ifb_status refuse(ifb_error* error, ifb_status code,
                                                 const char* why) {
  error->code = code;
  error->option = -1;
  strncpy(error->message, why, sizeof error->message - 1);
  return code;
}

#define ONE_PLUGIN(of, name, options, count, table_id)                                 \
  static const char* const interfaces[] = {table_id, NULL};                            \
  static const ifb_plugin the_plugin = {sizeof(ifb_plugin),                            \
                                        of,                                            \
                                        name,                                          \
                                        "1.0.0",                                       \
                                        "A plugin of the tests.",                      \
                                        "Apache-2.0",                                  \
                                        options,                                       \
                                        count,                                         \
                                        sizeof(ifb_option),                            \
                                        create,                                        \
                                        destroy,                                       \
                                        interfaces,                                    \
                                        query};                                        \
  static const ifb_plugin* const plugins[] = {&the_plugin};                            \
  static const ifb_library library = {                                                 \
      sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "c, by hand", plugins, 1, 0}; \
  const ifb_library* inferbench_plugin_v1(uint32_t host_major, uint32_t host_minor) {  \
    (void)host_major, (void)host_minor;                                                \
    return &library;                                                                   \
  }

#endif
