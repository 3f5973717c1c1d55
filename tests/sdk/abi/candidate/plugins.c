/* A plugin of each kind, built only with the candidate's own copy of the contract. It must work,
 * unchanged, with every later host of this major version. With FUTURE it is built with a header in
 * which every growing struct is longer (future.py), and it has a kind and an interface that are
 * unknown to every host. */
#include <stdio.h>
#include <string.h>

/* Not in quotes, which would find the copy in this folder, also with FUTURE. */
#include <abi.h>

static ifb_str text(const char* of) {
  ifb_str out;
  out.data = of;
  out.size = strlen(of);
  return out;
}

struct ifb_instance {
  const ifb_host* host;
  int64_t rows;
  uint64_t records;
  uint32_t figures;
};

/* ---- life cycle: room for a few instances at the same time --------------- */

enum { most_instances = 64 };
static struct ifb_instance instances[most_instances];
static unsigned char in_use[most_instances];

static ifb_status make(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                       ifb_error* error) {
  for (int i = 0; i < most_instances; ++i) {
    if (in_use[i]) continue;
    in_use[i] = 1;
    memset(&instances[i], 0, sizeof instances[i]);
    instances[i].host = host;
    instances[i].rows = config->count > 0 && config->values[0].is_set ? config->values[0].as.i : 3;
    *out = &instances[i];
    return IFB_OK;
  }
  error->code = IFB_E_MEMORY;
  error->option = -1;
  strcpy(error->message, "too many instances");
  return IFB_E_MEMORY;
}

static void destroy(ifb_instance* self) { in_use[self - instances] = 0; }

/* ---- backend: sends the prompt; each message of the answer is a token ---- */

struct ifb_exchange {
  const ifb_sample* sample;
  ifb_bytes body;
  int heard;
};

static ifb_status open_exchange(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                                ifb_exchange** out, ifb_error* error) {
  struct ifb_exchange* made;
  if (sample->shape != IFB_PROMPT_TEXT) {
    error->code = IFB_E_UNSUPPORTED;
    error->option = -1;
    strcpy(error->message, "plain text prompts only");
    return IFB_E_UNSUPPORTED;
  }
  made = self->host->alloc(self->host, arena, sizeof *made);
  if (made == NULL) {
    error->code = IFB_E_MEMORY;
    error->option = -1;
    strcpy(error->message, "no memory");
    return IFB_E_MEMORY;
  }
  made->sample = sample;
  made->body = sample->prompt.first->data;
  *out = made;
  return IFB_OK;
}

static ifb_status request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) {
  (void)error;
  out->method = text("POST");
  out->target = text("/candidate");
  out->body = &self->body;
  out->body_count = 1;
  return IFB_OK;
}

static ifb_status on_message(ifb_exchange* self, const ifb_http_message* message,
                             const ifb_events* events, ifb_output* output, ifb_error* error) {
  ifb_token token;
  (void)error;
  memset(&token, 0, sizeof token);
  token.struct_size = sizeof token;
  token.count = 1;
  token.text.data = message->data.data;
  token.text.size = message->data.size;
  events->on_token(output, &token);
  self->heard = 1;
  return IFB_OK;
}

static ifb_status on_end(ifb_exchange* self, const ifb_http_end* all, const ifb_events* events,
                         ifb_output* output, ifb_error* error) {
  (void)all;
  if (self->heard) {
    ifb_done done;
    memset(&done, 0, sizeof done);
    done.struct_size = sizeof done;
    done.finish_reason = text("stop");
    events->on_done(output, &done);
    return IFB_OK;
  }
  error->code = IFB_E_PROTOCOL;
  error->option = -1;
  strcpy(error->message, "an empty answer");
  return IFB_E_PROTOCOL;
}

static void close_exchange(ifb_exchange* self) { (void)self; }

static const ifb_http_codec codec = {.struct_size = sizeof(ifb_http_codec),
                                     .open = open_exchange,
                                     .request = request,
                                     .on_message = on_message,
                                     .on_end = on_end,
                                     .close = close_exchange};

/* ---- dataset: "row 0", "row 1", ... --------------------------------------- */

static ifb_status prepare(ifb_instance* self, const ifb_dataset_request* wanted,
                          ifb_dataset_info* out, ifb_error* error) {
  (void)wanted, (void)error;
  out->flags = IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE;
  out->rows = self->rows;
  return IFB_OK;
}

static ifb_status read_row(ifb_instance* self, uint64_t row, ifb_arena* arena, ifb_sample* out,
                           ifb_error* error) {
  ifb_part* part;
  char* words;
  if (row >= (uint64_t)self->rows) return IFB_END;
  part = self->host->alloc(self->host, arena, sizeof *part);
  words = self->host->alloc(self->host, arena, 32);
  if (part == NULL || words == NULL) {
    error->code = IFB_E_MEMORY;
    error->option = -1;
    strcpy(error->message, "no memory");
    return IFB_E_MEMORY;
  }
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data.data = words;
  part->data.size = (size_t)snprintf(words, 32, "row %llu", (unsigned long long)row);
  out->shape = IFB_PROMPT_TEXT;
  out->prompt.first = part;
  out->prompt.count = 1;
  out->prompt.stride = sizeof *part;
  out->input_tokens = (int64_t)part->data.size;
  out->output_tokens = 4;
  return IFB_OK;
}

static const ifb_dataset dataset = {.struct_size = sizeof(ifb_dataset),
                                    .flags = IFB_DATASET_SHUFFLE,
                                    .prepare = prepare,
                                    .read = read_row};

/* ---- reporter: says how many records there were --------------------------- */

static ifb_status begin(ifb_instance* self, const ifb_run* run, ifb_error* error) {
  (void)run, (void)error;
  self->records = 0;
  return IFB_OK;
}

static ifb_status records(ifb_instance* self, const ifb_record* first, size_t count, size_t stride,
                          ifb_error* error) {
  const char* at = (const char*)first;
  (void)error;
  for (size_t i = 0; i < count; ++i, at += stride)
    if (((const ifb_record*)(const void*)at)->status == IFB_OK) ++self->records;
  return IFB_OK;
}

static ifb_status snapshot(ifb_instance* self, const ifb_snapshot* figures, ifb_error* error) {
  (void)error;
  self->figures = figures->metric_count;
  return IFB_OK;
}

static ifb_status end(ifb_instance* self, const ifb_summary* summary, ifb_error* error) {
  char line[96];
  const ifb_console_service* console = self->host->service(self->host, IFB_SERVICE_CONSOLE);
  (void)error;
  if (console == NULL) return IFB_OK;
  snprintf(line, sizeof line, "candidate: %llu records, %u metrics\n",
           (unsigned long long)self->records, (unsigned)(summary->metric_count > 0));
  console->print(self->host, text(line));
  return IFB_OK;
}

static const ifb_reporter reporter = {.struct_size = sizeof(ifb_reporter),
                                      .begin = begin,
                                      .records = records,
                                      .snapshot = snapshot,
                                      .end = end};

/* ---- reporter of several runs: counts the runs and their records ---------- */

static ifb_status table_begin(ifb_instance* self, const ifb_table* table, ifb_error* error) {
  (void)table, (void)error;
  self->records = 0;
  self->rows = 0;
  return IFB_OK;
}

static ifb_status table_records(ifb_instance* self, const ifb_table_run* of,
                                const ifb_record* first, size_t count, size_t stride,
                                ifb_error* error) {
  (void)of;
  return records(self, first, count, stride, error);
}

static ifb_status table_run(ifb_instance* self, const ifb_table_run* run, ifb_error* error) {
  (void)error;
  if (run->summary != NULL) ++self->rows;
  return IFB_OK;
}

static ifb_status table_end(ifb_instance* self, const ifb_table_end* end, ifb_error* error) {
  char line[96];
  const ifb_console_service* console = self->host->service(self->host, IFB_SERVICE_CONSOLE);
  (void)end, (void)error;
  if (console == NULL) return IFB_OK;
  snprintf(line, sizeof line, "candidate: %lld runs, %llu records\n", (long long)self->rows,
           (unsigned long long)self->records);
  console->print(self->host, text(line));
  return IFB_OK;
}

static const ifb_table_reporter table_reporter = {.struct_size = sizeof(ifb_table_reporter),
                                                  .begin = table_begin,
                                                  .records = table_records,
                                                  .run = table_run,
                                                  .end = table_end};

/* ---- tokenizer: each byte is a token -------------------------------------- */

static ifb_status vocabulary(const ifb_instance* self, ifb_vocabulary* out, ifb_error* error) {
  (void)self, (void)error;
  out->size = 256;
  out->total_size = 256;
  return IFB_OK;
}

static ifb_status unknown_flag(ifb_error* error) {
  if (error != NULL) {
    error->code = IFB_E_UNSUPPORTED;
    error->option = -1;
    strcpy(error->message, "this flag is not known");
  }
  return IFB_E_UNSUPPORTED;
}

static ifb_status encode(const ifb_instance* self, ifb_str of, uint32_t flags, uint32_t* ids,
                         size_t capacity, size_t* needed, ifb_error* error) {
  (void)self;
  if ((flags & ~(uint32_t)IFB_ENCODE_SPECIAL) != 0) return unknown_flag(error);
  *needed = of.size;
  for (size_t i = 0; i < of.size && i < capacity; ++i)
    ids[i] = (unsigned char)of.data[i];
  return IFB_OK;
}

static ifb_status decode(const ifb_instance* self, const uint32_t* ids, size_t count,
                         uint32_t flags, char* out, size_t capacity, size_t* needed,
                         ifb_error* error) {
  (void)self;
  if ((flags & ~(uint32_t)IFB_DECODE_SKIP_SPECIAL) != 0) return unknown_flag(error);
  *needed = count;
  for (size_t i = 0; i < count && i < capacity; ++i)
    out[i] = (char)ids[i];
  return IFB_OK;
}

static const ifb_tokenizer tokenizer = {.struct_size = sizeof(ifb_tokenizer),
                                        .vocabulary = vocabulary,
                                        .encode = encode,
                                        .decode = decode};

/* ---- the library ----------------------------------------------------------- */

static const void* query(const ifb_plugin* self, const char* id) {
  if (self->kind == IFB_BACKEND && strcmp(id, IFB_HTTP_CODEC) == 0) return &codec;
  if (self->kind == IFB_DATASET && strcmp(id, IFB_DATASET_OPS) == 0) return &dataset;
  if (self->kind == IFB_REPORTER && strcmp(id, IFB_REPORTER_OPS) == 0) return &reporter;
  if (self->kind == IFB_REPORTER && strcmp(id, IFB_TABLE_REPORTER_OPS) == 0) return &table_reporter;
  if (self->kind == IFB_TOKENIZER && strcmp(id, IFB_TOKENIZER_OPS) == 0) return &tokenizer;
#ifdef FUTURE
  if (strcmp(id, "inferbench.telepathy/1") == 0) return &codec;
#endif
  return NULL;
}

static const ifb_option row_count[] = {{.struct_size = sizeof(ifb_option),
                                        .type = IFB_INT,
                                        .name = "rows",
                                        .help = "How many rows there are.",
                                        .fallback = "3",
                                        .minimum = 1,
                                        .maximum = 1000}};

#ifdef FUTURE
#define NAME "future"
#define MORE "inferbench.telepathy/1",
#else
#define NAME "candidate"
#define MORE
#endif

#ifdef FUTURE
/* The host must not load the plugin, and must not refuse the library because of it. */
static const ifb_option unknown_type[] = {{.struct_size = sizeof(ifb_option),
                                           .type = IFB_JSON + 90,
                                           .name = "mood",
                                           .help = "An option of a type that nobody knows."}};
#endif

#define PLUGIN(of, does, offers, declared, declared_count) \
  {.struct_size = sizeof(ifb_plugin),                      \
   .kind = of,                                             \
   .id = NAME,                                             \
   .version = "1.0.0",                                     \
   .summary = does,                                        \
   .license = "Apache-2.0",                                \
   .options = declared,                                    \
   .option_count = declared_count,                         \
   .option_stride = sizeof(ifb_option),                    \
   .create = make,                                         \
   .destroy = destroy,                                     \
   .interfaces = offers,                                   \
   .query = query}

static const char* const of_backend[] = {MORE IFB_HTTP_CODEC, NULL};
static const char* const of_dataset[] = {MORE IFB_DATASET_OPS, NULL};
static const char* const of_reporter[] = {MORE IFB_REPORTER_OPS, IFB_TABLE_REPORTER_OPS, NULL};
static const char* const of_tokenizer[] = {MORE IFB_TOKENIZER_OPS, NULL};

static const ifb_plugin the_backend =
    PLUGIN(IFB_BACKEND, "Sends a prompt as it is.", of_backend, NULL, 0);
static const ifb_plugin the_dataset =
    PLUGIN(IFB_DATASET, "Numbers its rows.", of_dataset, row_count, 1);
static const ifb_plugin the_reporter =
    PLUGIN(IFB_REPORTER, "Counts the records.", of_reporter, NULL, 0);
static const ifb_plugin the_tokenizer =
    PLUGIN(IFB_TOKENIZER, "Takes bytes for tokens.", of_tokenizer, NULL, 0);
#ifdef FUTURE
static const ifb_plugin the_unknown =
    PLUGIN(99, "Is of a kind that nobody knows.", of_backend, NULL, 0);
static const ifb_plugin the_moody = {.struct_size = sizeof(ifb_plugin),
                                     .kind = IFB_BACKEND,
                                     .id = "moody",
                                     .version = "1.0.0",
                                     .summary = "Has an option that nobody knows.",
                                     .license = "Apache-2.0",
                                     .options = unknown_type,
                                     .option_count = 1,
                                     .option_stride = sizeof(ifb_option),
                                     .create = make,
                                     .destroy = destroy,
                                     .interfaces = of_backend,
                                     .query = query};
#endif

static const ifb_plugin* const plugins[] = {
#ifdef FUTURE
    &the_unknown, &the_moody,
#endif
    &the_backend, &the_dataset, &the_reporter, &the_tokenizer};

static const ifb_library library = {.struct_size = sizeof(ifb_library),
                                    .abi_major = IFB_ABI_MAJOR,
                                    .abi_minor = IFB_ABI_MINOR,
                                    .sdk = "c, of the candidate",
                                    .plugins = plugins,
                                    .plugin_count = sizeof plugins / sizeof plugins[0]};

const ifb_library* inferbench_plugin_v1_rc2(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor;
  return host_major == IFB_ABI_MAJOR ? &library : NULL;
}
