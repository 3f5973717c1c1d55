/* Common parts of the datasets of this folder: samples of one text, and the tables of a dataset. */
#ifndef INFERBENCH_TESTS_WRONG_DATASET_H
#define INFERBENCH_TESTS_WRONG_DATASET_H

#include "plugin.h"

/* A sample whose prompt is the `size` bytes at `said`, which must live as long as the arena. */
static ifb_status fill(const ifb_host* host, ifb_arena* arena, const char* said, size_t size,
                       ifb_sample* out, ifb_error* error) {
  ifb_part* part = host->alloc(host, arena, sizeof *part);
  if (part == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data.data = said;
  part->data.size = size;
  out->shape = IFB_PROMPT_TEXT;
  out->prompt.first = part;
  out->prompt.count = 1;
  out->prompt.stride = sizeof *part;
  return IFB_OK;
}

/* `flags`: the ifb_dataset_flag bits of the dataset that do not depend on the values of its
 * options. */
#define ONE_DATASET(options, count, flags)                                        \
  static const ifb_dataset dataset = {sizeof(ifb_dataset), flags, prepare, read}; \
  static const void* query(const ifb_plugin* self, const char* id) {              \
    (void)self;                                                                   \
    return strcmp(id, IFB_DATASET_OPS) == 0 ? &dataset : NULL;                    \
  }                                                                               \
  ONE_PLUGIN(IFB_DATASET, "right", options, count, IFB_DATASET_OPS)

#endif
