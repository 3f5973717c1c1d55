/* A data set in C99 that needs only abi.h: each line of the file contains a prompt, a tab, and
 * the requested length of the answer.  prepare reads the file once; samples point into its
 * memory, so nothing is copied. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferbench/abi.h>

#include "table.h"

enum { OPTION_PATH, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    {sizeof(ifb_option), IFB_PATH, IFB_OPT_REQUIRED | IFB_OPT_GENERAL, 0, "path",
     "File of lines: a prompt, a tab, the tokens to ask for.", NULL, NULL, NULL, NULL, 0, 0},
};

struct ifb_instance {
  const ifb_host* host;
  const ifb_tokenizer_service* tokenizer; /* NULL: the run has no tokenizer */
  table lines;
  char path[];
};

static ifb_status fail(ifb_error* error, ifb_status code, int32_t option, const char* format, ...) {
  va_list values;
  error->code = code;
  error->option = option;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return code;
}

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  const ifb_str path = config->values[OPTION_PATH].as.s;
  ifb_instance* self = calloc(1, sizeof *self + path.size + 1);
  if (self == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  self->host = host;
  self->tokenizer = host->service(host, IFB_SERVICE_TOKENIZER);
  /* The value is borrowed, and data is not NUL-terminated (rules R2 and R1 in abi.h). */
  if (path.size > 0) memcpy(self->path, path.data, path.size);
  *out = self;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) {
  table_free(&self->lines);
  free(self);
}

static ifb_status IFB_CALL prepare(ifb_instance* self, const ifb_dataset_request* wanted,
                                   ifb_dataset_info* out, ifb_error* error) {
  (void)wanted;
  const int problem = table_read(self->path, &self->lines);
  if (problem != 0)
    return fail(error, IFB_E_IO, OPTION_PATH, "cannot read %s: %s", self->path, strerror(problem));
  out->flags = IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE;
  out->rows = (int64_t)self->lines.count;
  return IFB_OK;
}

/* Returns the number after the last tab of `line`, or -1. */
static int64_t length_of(table_line line, size_t* prompt_size) {
  size_t tab = line.size;
  while (tab > 0 && line.data[tab - 1] != '\t')
    --tab;
  /* Nine digits cannot overflow. */
  if (tab < 2 || tab == line.size || line.size - tab > 9) return -1;
  int64_t out = 0;
  for (size_t i = tab; i < line.size; ++i) {
    if (line.data[i] < '0' || line.data[i] > '9') return -1;
    out = 10 * out + (line.data[i] - '0');
  }
  *prompt_size = tab - 1;
  return out;
}

/* Sets *out to the length of a text in tokens of the run, or to -1 if the run has no tokenizer. */
static ifb_status count_tokens(const ifb_instance* self, ifb_str text, int64_t* out,
                               ifb_error* error) {
  uint64_t count = 0;
  *out = -1;
  if (self->tokenizer == NULL) return IFB_OK;
  /* The tokens that the model adds to each prompt count, too.  A failure has filled *error. */
  const ifb_status status =
      self->tokenizer->count(self->host, text, IFB_ENCODE_SPECIAL, &count, error);
  if (status == IFB_OK) *out = (int64_t)count;
  return status;
}

static ifb_status IFB_CALL read_row(ifb_instance* self, uint64_t row, ifb_arena* arena,
                                    ifb_sample* out, ifb_error* error) {
  if (row >= self->lines.count) return IFB_END;
  const table_line line = self->lines.lines[row];
  size_t prompt_size = 0;
  const int64_t length = length_of(line, &prompt_size);
  if (length < 0)
    return fail(error, IFB_SKIP, -1, "no prompt, tab and number; line %" PRIu64, row + 1);
  const ifb_str prompt = {line.data, prompt_size};
  int64_t tokens = -1;
  const ifb_status status = count_tokens(self, prompt, &tokens, error);
  if (status != IFB_OK) return status;

  ifb_part* part = self->host->alloc(self->host, arena, sizeof *part);
  if (part == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data.data = prompt.data;
  part->data.size = prompt.size;

  /* The host's struct may be longer or shorter than the struct of this header; struct_size is
   * its size (R3).  Do not write more than that, and keep struct_size.  In IFB_SAMPLE_INIT all
   * numbers are unknown; 0 would mean an answer of 0 tokens. */
  ifb_sample sample = IFB_SAMPLE_INIT;
  sample.struct_size = out->struct_size;
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt.first = part;
  sample.prompt.count = 1;
  sample.prompt.stride = sizeof *part;
  sample.input_tokens = tokens;
  sample.output_tokens = length;
  memcpy(out, &sample, out->struct_size < sizeof sample ? out->struct_size : sizeof sample);
  return IFB_OK;
}

/* After prepare, read_row changes nothing, so the host may read several rows at the same time. */
static const ifb_dataset rows = {sizeof rows, IFB_DATASET_PARALLEL, prepare, read_row};
static const char* const interfaces[] = {IFB_DATASET_OPS, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &rows : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_DATASET,
    "tsv",
    "1.0.0",
    "Lines of prompt, tab and length.",
    "Apache-2.0",
    options,
    OPTION_COUNT,
    sizeof(ifb_option),
    create,
    destroy,
    interfaces,
    query,
};
static const ifb_plugin* const plugins[] = {&plugin};
static const ifb_library library = {
    sizeof library, IFB_ABI_MAJOR, IFB_ABI_MINOR, "c", plugins, 1, 0,
};

const ifb_library* IFB_CALL inferbench_plugin_v1_rc2(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor;
  return host_major == IFB_ABI_MAJOR ? &library : NULL;
}
