/* Five rows of text. */
#include <stdio.h>

#include "plugin.h"

enum { rows = 5 };

struct ifb_instance {
  const ifb_host* host;
  uint64_t seed;
  unsigned reads;
  char line[64];
};

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)config;
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  self->host = host;
  *out = self;
  return IFB_OK;
}
static void destroy(ifb_instance* self) { free(self); }

static ifb_status prepare(ifb_instance* self, const ifb_dataset_request* request,
                          ifb_dataset_info* out, ifb_error* error) {
  (void)error;
  self->seed = request->seed;
#if defined(WRONG_WANTED)
  if (request->wanted <= 0) return refuse(error, 5, "how many?");
#endif
#if defined(WRONG_SEED)
  static uint64_t runs = 0;
  if (request->seed != 0) self->seed += ++runs;
#endif
  out->rows = rows;
#if defined(WRONG_ARRIVALS)
  out->flags = IFB_DATASET_ARRIVALS;
#endif
  return IFB_OK;
}

static ifb_status read(ifb_instance* self, uint64_t row, ifb_arena* arena, ifb_sample* out,
                       ifb_error* error) {
  ++self->reads;
  if (row >= rows) {
#if defined(WRONG_END)
    row = rows - 1;
#else
    return IFB_END;
#endif
  }
#if defined(WRONG_SKIP)
  (void)error;
  if (row == 2) return IFB_SKIP;
#endif
  char* line = self->host->alloc(self->host, arena, 64);
  ifb_part* part = self->host->alloc(self->host, arena, sizeof *part);
  if (line == NULL || part == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
#if defined(WRONG_VIEW)
  line = self->line;
#endif
#if defined(WRONG_ROW)
  snprintf(line, 64, "line %u", self->reads);
#else
  snprintf(line, 64, "line %u of %u", (unsigned)row, (unsigned)self->seed);
#endif
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data.data = line;
  part->data.size = strlen(line);
#if !defined(WRONG_SHAPE)
  out->shape = IFB_PROMPT_TEXT;
#endif
  out->prompt.first = part;
  out->prompt.count = 1;
  out->prompt.stride = sizeof *part;
  out->arrival_ns = out->input_tokens = out->output_tokens = -1;
  return IFB_OK;
}

static const ifb_dataset dataset = {sizeof(ifb_dataset), 0, prepare, read};
static const void* query(const char* id) {
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &dataset : NULL;
}

ONE_PLUGIN(IFB_DATASET, "right", NULL, 0, IFB_DATASET_OPS)
