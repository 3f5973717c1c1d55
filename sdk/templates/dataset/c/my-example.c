/* A dataset in C99 that needs only abi.h: each line of a text file is a prompt. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferbench/abi.h>

static ifb_status fail(ifb_error* error, ifb_status code, int32_t option, const char* format, ...) {
  va_list values;
  error->code = code;
  error->option = option;
  va_start(values, format);
  vsnprintf(error->message, sizeof error->message, format, values);
  va_end(values);
  return code;
}

enum { OPTION_PATH, OPTION_OUTPUT_LEN, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    /* Both options are general: they take the values of the flags --dataset-path and
     * --output-len. */
    {sizeof(ifb_option), IFB_PATH, IFB_OPT_REQUIRED | IFB_OPT_GENERAL, 0, "path",
     "File with one prompt a line.", NULL, NULL, NULL, NULL, 0, 0},
    {sizeof(ifb_option), IFB_INT, IFB_OPT_GENERAL, 0, "output-len", "Tokens to ask for.", "16",
     NULL, NULL, NULL, 1, 1048576},
};

struct ifb_instance {
  const ifb_host* host;
  const ifb_tokenizer_service* tokenizer; /* NULL: the run has no tokenizer */
  char* path;
  int64_t output_tokens;
  char* text; /* the content of the file */
  ifb_str* lines;
  size_t line_count;
};

static void IFB_CALL destroy(ifb_instance* self) {
  free(self->path);
  free(self->text);
  free(self->lines);
  free(self);
}

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  const ifb_str path = config->values[OPTION_PATH].as.s;
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  self->host = host;
  self->tokenizer = host->service(host, IFB_SERVICE_TOKENIZER);
  self->output_tokens = config->values[OPTION_OUTPUT_LEN].as.i;
  /* The value is borrowed, and data is not NUL-terminated (rules R2 and R1 in abi.h). */
  self->path = calloc(path.size + 1, 1);
  if (self->path == NULL) {
    destroy(self);
    return fail(error, IFB_E_MEMORY, -1, "out of memory");
  }
  if (path.size > 0) memcpy(self->path, path.data, path.size);
  *out = self;
  return IFB_OK;
}

/* Reads the whole file into *text and *size. Returns 0 or an errno; in both cases the caller must
 * free *text. */
static int read_all(FILE* file, char** text, size_t* size) {
  size_t room = 0;
  for (;;) {
    if (*size == room) {
      char* more = realloc(*text, room = 2 * room + 4096);
      if (more == NULL) return ENOMEM;
      *text = more;
    }
    errno = 0;
    const size_t got = fread(*text + *size, 1, room - *size, file);
    *size += got;
    if (got == 0) return ferror(file) ? (errno != 0 ? errno : EIO) : 0;
  }
}

static ifb_status IFB_CALL prepare(ifb_instance* self, const ifb_dataset_request* wanted,
                                   ifb_dataset_info* out, ifb_error* error) {
  size_t size = 0;
  (void)wanted;
  FILE* file = fopen(self->path, "rb");
  if (file == NULL)
    return fail(error, IFB_E_IO, OPTION_PATH, "cannot open %s: %s", self->path, strerror(errno));
  const int problem = read_all(file, &self->text, &size);
  fclose(file);
  if (problem != 0)
    return fail(error, IFB_E_IO, OPTION_PATH, "cannot read %s: %s", self->path, strerror(problem));
  if (size == 0) return fail(error, IFB_E_DATA, OPTION_PATH, "%s is empty", self->path);
  size_t count = self->text[size - 1] == '\n' ? 0 : 1;
  for (size_t i = 0; i < size; ++i)
    count += self->text[i] == '\n';
  self->lines = calloc(count, sizeof *self->lines);
  if (self->lines == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  const char* at = self->text;
  const char* const end = at + size;
  while (at < end) {
    const char* stop = memchr(at, '\n', (size_t)(end - at));
    if (stop == NULL) stop = end;
    self->lines[self->line_count].data = at;
    self->lines[self->line_count++].size = (size_t)(stop - at);
    at = stop + 1;
  }
  out->rows = (int64_t)self->line_count;
  return IFB_OK;
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

/* The text stays in the instance, which outlives the sample; the part that points to it is
 * allocated in the arena. */
static ifb_status IFB_CALL read_row(ifb_instance* self, uint64_t row, ifb_arena* arena,
                                    ifb_sample* out, ifb_error* error) {
  if (row >= self->line_count) return IFB_END;
  const ifb_str line = self->lines[row];
  if (line.size == 0) return fail(error, IFB_SKIP, -1, "an empty line");
  int64_t tokens = -1;
  const ifb_status status = count_tokens(self, line, &tokens, error);
  if (status != IFB_OK) return status;
  ifb_part* part = self->host->alloc(self->host, arena, sizeof *part);
  if (part == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data.data = line.data;
  part->data.size = line.size;

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
  sample.output_tokens = self->output_tokens;
  memcpy(out, &sample, out->struct_size < sizeof sample ? out->struct_size : sizeof sample);
  return IFB_OK;
}

/* ---- the description of the library ---------------------------------------- */

/* The host may shuffle the rows, repeat them, and read several of them at the same time: after
 * prepare, read_row changes nothing. */
static const ifb_dataset rows = {
    sizeof rows,
    IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_PARALLEL,
    prepare,
    read_row,
};
static const char* const interfaces[] = {IFB_DATASET_OPS, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &rows : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_DATASET,
    "my-example",
    "0.1.0",
    "Lines of a text file.",
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
