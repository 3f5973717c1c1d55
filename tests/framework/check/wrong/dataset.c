/* Five rows of text, or as many rows as wanted. */
#include "dataset.h"

#include <stdio.h>
#include <time.h>

/* Not faults: a dataset without end, and a dataset whose rows may be read at the same time. */
#if defined(WRONG_ENDLESS) || defined(WRONG_ENDLESS_ENDS) || defined(WRONG_ENDLESS_REFUSES) || \
    defined(WRONG_ENDLESS_COUNTED)
#define FLAGS IFB_DATASET_ENDLESS
#elif defined(WRONG_AT_ONCE) || defined(WRONG_ONE_AT_A_TIME)
#define FLAGS IFB_DATASET_PARALLEL
#elif defined(WRONG_NO_ARRIVALS)
#define FLAGS IFB_DATASET_ARRIVALS
#else
#define FLAGS 0
#endif

enum { rows = 5 };

struct ifb_instance {
  const ifb_host* host;
  uint64_t seed;
#if defined(WRONG_ROW)
  unsigned reads;
#endif
#if defined(WRONG_ONE_AT_A_TIME)
  uint32_t here;
#endif
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
#elif defined(WRONG_ENDLESS_REFUSES)
  if (request->wanted <= 0) return refuse(error, IFB_E_UNSUPPORTED, "how many?");
#endif
#if defined(WRONG_SEED)
  static uint64_t runs = 0;
  if (request->seed != 0) self->seed += ++runs;
#endif
  out->rows = (FLAGS & IFB_DATASET_ENDLESS) != 0 ? -1 : rows;
#if defined(WRONG_EMPTY)
  out->rows = 0;
#elif defined(WRONG_ENDLESS_COUNTED)
  out->rows = rows;
#elif defined(WRONG_ARRIVALS) || defined(WRONG_ORDER)
  out->flags = IFB_DATASET_ARRIVALS;
#endif
  return IFB_OK;
}

/* Sleeps for a millisecond while another thread may be in the same function. */
__attribute__((unused)) static void linger(void) {
  const struct timespec time = {0, 1000000};
  nanosleep(&time, NULL);
}

static int is_past_the_end(uint64_t row) {
#if defined(WRONG_EMPTY)
  (void)row;
  return 1;
#elif defined(WRONG_ENDLESS) || defined(WRONG_ENDLESS_REFUSES)
  (void)row;
  return 0;
#elif defined(WRONG_SHORT)
  return row >= rows - 3;
#elif defined(WRONG_HOLE)
  return row == 2 || row >= rows;
#else
  return row >= rows;
#endif
}

/* The faults of a sample that is otherwise right. */
static void spoil(ifb_sample* out) {
#if defined(WRONG_SHAPE)
  out->shape = 0;
#elif defined(WRONG_LENGTH)
  out->output_tokens = -5;
#elif defined(WRONG_OVERRIDES)
  out->overrides = text("{not json");
#elif defined(WRONG_MESSAGE)
  static const ifb_message message = {
      .struct_size = sizeof message, .json = {"[1]", 3}, .tokens = -1};
  out->shape = IFB_PROMPT_CHAT;
  out->messages.first = &message;
  out->messages.count = 1;
  out->messages.stride = sizeof message;
#elif defined(WRONG_RESERVED)
  out->reserved = 7;
#endif
  (void)out;
}

static ifb_status read(ifb_instance* self, uint64_t row, ifb_arena* arena, ifb_sample* out,
                       ifb_error* error) {
#if defined(WRONG_KEEPS_ERROR)
  self->error->code = IFB_OK;
#endif
  if (is_past_the_end(row)) {
#if defined(WRONG_END)
    row = rows - 1;
#else
    return IFB_END;
#endif
  }
#if defined(WRONG_SKIP)
  (void)error;
  if (row == 2) return IFB_SKIP;
#elif defined(WRONG_SKIPS_ALL)
  return refuse(error, IFB_SKIP, "the prompt is too short; line 1");
#elif defined(WRONG_ONE_AT_A_TIME)
  if (__atomic_exchange_n(&self->here, 1, __ATOMIC_SEQ_CST) != 0)
    return refuse(error, IFB_E_INTERNAL, "one at a time");
  linger();
  __atomic_store_n(&self->here, 0, __ATOMIC_SEQ_CST);
#endif
  char* line = self->host->alloc(self->host, arena, 64);
  if (line == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
#if defined(WRONG_VIEW)
  line = self->line;
#endif
#if defined(WRONG_ROW)
  snprintf(line, 64, "line %u", ++self->reads);
#elif defined(WRONG_UTF8)
  snprintf(line, 64, "line \xE9");
#else
  snprintf(line, 64, "line %u of %u", (unsigned)row, (unsigned)self->seed);
#endif
  const ifb_status filled = fill(self->host, arena, line, strlen(line), out, error);
#if defined(WRONG_ORDER)
  out->arrival_ns = row == 0 ? 500000000 : 100000000;
#endif
  spoil(out);
  return filled;
}

ONE_DATASET(NULL, 0, FLAGS)
