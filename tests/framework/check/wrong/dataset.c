/* Five rows of text. */
#include "dataset.h"

#include <stdio.h>

enum { rows = 5 };

struct ifb_instance {
  const ifb_host* host;
  uint64_t seed;
  unsigned reads;
  char line[64];
#if defined(WRONG_KEEPS_ERROR)
  ifb_error* error; /* of prepare */
#endif
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
#if defined(WRONG_KEEPS_ERROR)
  self->error = error;
#endif
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
#if defined(WRONG_KEEPS_ERROR)
  self->error->code = IFB_OK;
#endif
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
  if (line == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
#if defined(WRONG_VIEW)
  line = self->line;
#endif
#if defined(WRONG_ROW)
  snprintf(line, 64, "line %u", self->reads);
#else
  snprintf(line, 64, "line %u of %u", (unsigned)row, (unsigned)self->seed);
#endif
  const ifb_status filled = fill(self->host, arena, line, strlen(line), out, error);
#if defined(WRONG_SHAPE)
  out->shape = 0;
#endif
  return filled;
}

ONE_DATASET(NULL, 0)
