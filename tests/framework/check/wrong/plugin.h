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
  if (error == NULL) return code;
  error->code = code;
  error->option = -1;
  strncpy(error->message, why, sizeof error->message - 1);
  return code;
}

/* Whether version 1.0 of abi.h has the shape of the prompt and the kinds of its parts. */
__attribute__((unused)) static int is_known(const ifb_sample* sample) {
  const char* part = (const char*)sample->prompt.first;
  for (uint32_t i = 0; i < sample->prompt.count; ++i, part += sample->prompt.stride)
    if (((const ifb_part*)part)->kind < IFB_PART_TEXT ||
        ((const ifb_part*)part)->kind > IFB_PART_JSON)
      return 0;
  return sample->shape >= IFB_PROMPT_TEXT && sample->shape <= IFB_PROMPT_JSON;
}

/* The end of a request with the reason "stop". */
#if defined(WRONG_DONE_RESERVED)
#define DONE_RESERVED 7
#else
#define DONE_RESERVED 0
#endif
__attribute__((unused)) static void report_done(const ifb_events* events, ifb_output* output) {
  const ifb_done done = {sizeof done, DONE_RESERVED, text("stop")};
  events->on_done(output, &done);
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
  const ifb_library* inferbench_plugin_v1_rc2(uint32_t major, uint32_t minor) {        \
    (void)major, (void)minor;                                                          \
    return &library;                                                                   \
  }

#endif
