/* A reporter in C99 that needs only abi.h: it writes a CSV file with a line for each request. */
#include <errno.h>
#include <inttypes.h>
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

enum { OPTION_FILE, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    {sizeof(ifb_option), IFB_PATH, 0, 0, "file", "File to write.", "\"my-example.csv\"", NULL, NULL,
     NULL, 0, 0},
};

struct ifb_instance {
  const ifb_host* host;
  FILE* file;
  char path[];
};

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  const ifb_str path = config->values[OPTION_FILE].as.s;
  ifb_instance* self = calloc(1, sizeof *self + path.size + 1);
  if (self == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  self->host = host;
  /* The value is borrowed, and data is not NUL-terminated (rules R2 and R1 in abi.h). */
  if (path.size > 0) memcpy(self->path, path.data, path.size);
  *out = self;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) {
  if (self->file != NULL) fclose(self->file);
  free(self);
}

static ifb_status IFB_CALL begin(ifb_instance* self, const ifb_run* run, ifb_error* error) {
  (void)run;
  self->file = fopen(self->path, "w");
  if (self->file == NULL)
    return fail(error, IFB_E_IO, OPTION_FILE, "cannot open %s: %s", self->path, strerror(errno));
  fputs("sequence,status,prompt_tokens,output_tokens,ttft_ms,latency_ms\n", self->file);
  return IFB_OK;
}

/* Writes the time between two stamps, given in nanoseconds, in milliseconds. Writes nothing if a
 * stamp is missing. */
static void put_milliseconds(FILE* file, uint64_t from, uint64_t to) {
  if (from != 0 && to >= from) fprintf(file, "%.6f", (double)(to - from) / 1e6);
}

static ifb_status IFB_CALL records(ifb_instance* self, const ifb_record* first, size_t count,
                                   size_t stride, ifb_error* error) {
  for (size_t i = 0; i < count; ++i) {
    /* Use the host's stride, because its records may be longer than the struct of this header (R5).
     */
    const ifb_record* r = (const ifb_record*)(const void*)((const char*)first + i * stride);
    /* The run ended before this request was sent, so there are no times to report. */
    if (r->status == IFB_E_CANCELLED && r->start_ns == 0) continue;
    fprintf(self->file, "%" PRIu64 ",%" PRId32 ",%" PRId64 ",%" PRId64 ",", r->sequence, r->status,
            r->prompt_tokens, r->output_tokens);
    put_milliseconds(self->file, r->start_ns, r->first_token_ns);
    putc(',', self->file);
    put_milliseconds(self->file, r->start_ns, r->end_ns);
    putc('\n', self->file);
  }
  if (ferror(self->file))
    return fail(error, IFB_E_IO, OPTION_FILE, "cannot write %s: %s", self->path, strerror(errno));
  return IFB_OK;
}

static ifb_status IFB_CALL end(ifb_instance* self, const ifb_summary* summary, ifb_error* error) {
  (void)summary;
  FILE* file = self->file;
  self->file = NULL;
  if (fclose(file) != 0)
    return fail(error, IFB_E_IO, OPTION_FILE, "cannot write %s: %s", self->path, strerror(errno));
  const ifb_console_service* console = self->host->service(self->host, IFB_SERVICE_CONSOLE);
  if (console != NULL) {
    const ifb_str what = {"requests", 8};
    const ifb_str path = {self->path, strlen(self->path)};
    console->artifact(self->host, what, path);
  }
  return IFB_OK;
}

/* ---- the description of the library ---------------------------------------- */

/* The reporter does not use the stamps of single events, so the host need not keep them. */
static const ifb_reporter reporter = {
    sizeof reporter, IFB_REPORTER_STAMPS_IF_DETAILED, begin, records, NULL, end,
};
static const char* const interfaces[] = {IFB_REPORTER_OPS, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_REPORTER_OPS) == 0 ? &reporter : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_REPORTER,
    "my-example",
    "0.1.0",
    "A CSV file with a line for each request.",
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
