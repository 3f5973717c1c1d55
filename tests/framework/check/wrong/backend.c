/* A codec: each message of an answer is a token, and the end of the message stream ends it.
 * Variants that are not faults are marked. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>

#include "plugin.h"

struct ifb_instance {
  const ifb_host* host;
  char* model;
  ifb_str lent_model;
  const char* arena_of_before;
  pthread_t thread;
};
struct ifb_exchange {
  ifb_instance* owner;
  ifb_bytes body[1];
  ifb_field headers[3];
  char date[40];
  pthread_t thread;
  const void* last;
  ifb_error* error;
  int requested, heads, messages, ends;
};

static const ifb_option options[] = {
#if defined(WRONG_MISSING_FILE)
    /* The plugin never reads this option. */
    {sizeof(ifb_option), IFB_PATH, 0, 0, "file", "File to read.", NULL, NULL, NULL, NULL, 0, 0},
#elif defined(WRONG_NEEDS_FILE)
    /* Not a fault: for recordings that name a file. */
    {sizeof(ifb_option), IFB_PATH, IFB_OPT_REQUIRED, 0, "file", "File to read.", NULL, NULL, NULL,
     NULL, 0, 0},
#elif defined(WRONG_COUNTS)
    /* Not a fault: for recordings with another value. */
    {sizeof(ifb_option), IFB_INT, 0, 0, "count", "How many.", "3", NULL, NULL, NULL, 0, 0},
#elif defined(WRONG_SECRET)
    /* Not a fault: for `inferbench plugin show`. */
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_SECRET, 0, "key", "Key of the account.", NULL, NULL,
     NULL, NULL, 0, 0},
#elif defined(WRONG_GENERAL)
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_GENERAL, 0, "modle", "A misspelt general option.",
     NULL, NULL, NULL, NULL, 0, 0},
#elif defined(WRONG_FALLBACK)
    {sizeof(ifb_option), IFB_INT, 0, 0, "count", "How many.", "\"three\"", NULL, NULL, NULL, 0, 0},
#endif
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_REQUIRED | IFB_OPT_GENERAL, 0, "model",
     "Name of the model.", NULL, NULL, NULL, NULL, 0, 0},
};
#define OPTIONS (uint32_t)(sizeof options / sizeof options[0])

#if defined(WRONG_SHARED)
static char the_model[64];
#endif

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  const ifb_value* model = &config->values[config->count - 1];
#if defined(WRONG_CREATE_FAILS)
  return refuse(error, IFB_E_IO, "cannot find myself");
#elif defined(WRONG_CREATE_SILENT)
  (void)out, (void)model, (void)host;
  error->code = IFB_E_UNSUPPORTED;
  return IFB_E_UNSUPPORTED;
#elif defined(WRONG_CREATE_TALKS)
  fprintf(stderr, "creating\n");
#elif defined(WRONG_VALUES)
  if (*model->as.s.data == '?') return refuse(error, IFB_E_CONFIG, "no such model");
#elif defined(WRONG_OTHER_MODEL)
  if (model->as.s.size == 7 && memcmp(model->as.s.data, "refused", 7) == 0)
    return refuse(error, IFB_E_CONFIG, "no such model");
#elif defined(WRONG_SERVICE)
  const ifb_progress_service* progress = host->service(host, IFB_SERVICE_PROGRESS);
  progress->report(host, text("working"), 0, 0);
#elif defined(WRONG_HTTP_RESERVED)
  ifb_http_request asked;
  memset(&asked, 0, sizeof asked);
  asked.struct_size = sizeof asked;
  asked.reserved = 7;
  asked.method = text("GET");
  asked.target = text("/health");
  ifb_http_answer answer;
  memset(&answer, 0, sizeof answer);
  answer.struct_size = sizeof answer;
  const ifb_http_service* http = host->service(host, IFB_SERVICE_HTTP);
  ifb_arena* room = http->arena(host);
  http->request(host, &asked, 0, room, &answer, error);
  http->release(host, room);
#endif
#if defined(WRONG_FILES)
  static volatile int last_file;
  last_file = eventfd(0, 0);
#elif defined(WRONG_MAPS)
  static void* volatile last_map;
  last_map = mmap(NULL, 10000, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
#elif defined(WRONG_SIGNAL)
  signal(SIGUSR1, SIG_IGN);
#elif defined(WRONG_SIGNAL_FLAGS)
  struct sigaction action;
  sigaction(SIGUSR1, NULL, &action);
  action.sa_flags |= SA_RESTART;
  sigaction(SIGUSR1, &action, NULL);
#elif defined(WRONG_ENVIRONMENT)
  setenv("WRONG_ENVIRONMENT", "yes", 1);
#elif defined(WRONG_SLOW)
  nanosleep(&(const struct timespec){0, 800000000}, NULL);
#endif
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  self->host = host;
  self->thread = pthread_self();
  self->model = malloc(model->as.s.size + 1);
  if (model->as.s.size != 0) memcpy(self->model, model->as.s.data, model->as.s.size);
  self->model[model->as.s.size] = '\0';
  self->lent_model = model->as.s;
#if defined(WRONG_SHARED)
  snprintf(the_model, sizeof the_model, "%s", self->model);
#endif
  *out = self;
  return IFB_OK;
}
static void destroy(ifb_instance* self) {
#if !defined(WRONG_LEAK)
  free(self->model);
#endif
  free(self);
}

/* The prompt and the model as a body: "m: part part ". */
static ifb_status open(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                       ifb_exchange** out, ifb_error* error) {
  size_t size = 0;
  (void)out;
#if defined(WRONG_STATUS)
  (void)size, (void)arena;
  if (sample->shape != IFB_PROMPT_TEXT) return refuse(error, 77, "seventy-seven");
#endif
#if defined(WRONG_UNKNOWN)
  if (is_known(sample))
#endif
    if (sample->shape != IFB_PROMPT_TEXT && sample->shape != IFB_PROMPT_TEXTS)
      return refuse(error, IFB_E_UNSUPPORTED, "only texts");
  const char* model = self->model;
#if defined(WRONG_SHARED)
  model = the_model;
#elif defined(WRONG_KEEPS_CONFIG)
  if (self->lent_model.size != 0 && self->lent_model.data[0] == '\0') return IFB_END;
#elif defined(WRONG_THREAD)
  if (!pthread_equal(self->thread, pthread_self())) return refuse(error, IFB_E_INTERNAL, "who?");
#elif defined(WRONG_KEEPS_ARENA)
  if (self->arena_of_before != NULL && *self->arena_of_before == '?') return IFB_END;
#endif
#if defined(WRONG_EXCHANGE_LEAK)
  void* volatile forgotten = malloc(32);
  (void)forgotten;
#endif
  ifb_exchange* x = self->host->alloc(self->host, arena, sizeof *x);
#if !defined(WRONG_ALLOC)
  if (x == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
#endif
  x->owner = self;
  for (uint32_t i = 0; i < sample->prompt.count; ++i) {
#if defined(WRONG_STRIDE)
    size += sample->prompt.first[i].data.size;
#else
    size += ((const ifb_part*)((const char*)sample->prompt.first + i * sample->prompt.stride))
                ->data.size;
#endif
  }
  char* body = self->host->alloc(self->host, arena, strlen(model) + 32);
  if (body == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  sprintf(body, "%s: %zu", model, size);
#if defined(WRONG_KEEPS_ARENA)
  self->arena_of_before = body;
#endif
  x->body[0].data = body;
  x->body[0].size = strlen(body);
  x->thread = pthread_self();
#if !defined(WRONG_OPEN_NOTHING)
  *out = x;
#endif
  return IFB_OK;
}

static ifb_status request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) {
  self->error = error;
  ++self->requested;
#if defined(WRONG_LEG)
  if (self->requested == 2) abort();
#endif
#if defined(WRONG_HEADER)
  self->headers[0].name = text("X-Model\r\nX-More");
#else
  self->headers[0].name = text("X-Model");
#endif
  self->headers[0].value = text("m");
  out->method = text("POST");
  out->target = text("/go");
  out->headers = self->headers;
  out->header_count = 1;
#if defined(WRONG_NONCE) || defined(WRONG_AUTHORIZES)
  /* With AUTHORIZES not a fault: IFB_CODEC_AUTHORIZES excuses the nonce. */
  static unsigned nonce = 0;
  snprintf(self->date, sizeof self->date, "%u", __atomic_add_fetch(&nonce, 1, __ATOMIC_RELAXED));
  self->headers[1].name = text("X-Nonce");
  self->headers[1].value = text(self->date);
  out->header_count = 2;
#elif defined(WRONG_DATED)
  /* Not a fault: the wall clock of the kit stands still. */
  const long long now = self->owner->host->unix_now(self->owner->host);
  snprintf(self->date, sizeof self->date, "%lld", now);
  self->headers[1].name = text("X-Date");
  self->headers[1].value = text(self->date);
  out->header_count = 2;
#elif defined(WRONG_RESERVED)
  out->reserved = 7;
#endif
  out->body = self->body;
  out->body_count = 1;
#if defined(WRONG_SIZE)
  out->struct_size = sizeof *out;
#endif
  return IFB_OK;
}

static ifb_status on_head(ifb_exchange* self, const ifb_http_head* head, uint32_t* framing,
                          ifb_error* error) {
  (void)head, (void)error;
  ++self->heads;
#if defined(WRONG_READS)
  *framing = IFB_FRAMING_RAW;
#elif defined(WRONG_LINES)
  *framing = IFB_FRAMING_LINES;
#else
  *framing = IFB_FRAMING_AUTO;
#endif
  return IFB_OK;
}

static ifb_status on_message(ifb_exchange* self, const ifb_http_message* message,
                             const ifb_events* events, ifb_output* output, ifb_error* error) {
  const ifb_bytes data = message->data;
  (void)error;
#if defined(WRONG_HANGS)
  for (volatile int i = 0; i == 0;) {
  }
#elif defined(WRONG_EXITS)
  exit(3);
#elif defined(WRONG_NOISE)
  for (size_t i = 0; i < data.size; ++i)
    if (((const unsigned char*)data.data)[i] == 0xFF) abort();
#elif defined(WRONG_HANDOVER)
  if (!pthread_equal(self->thread, pthread_self()))
    return refuse(error, IFB_E_INTERNAL, "where is the thread that opened me?");
#elif defined(WRONG_PROTOCOL)
  /* Not a fault: in the protocol of this codec a message begins with "a". */
  if (data.size == 0 || *(const char*)data.data != 'a')
    return refuse(error, IFB_E_PROTOCOL, "expected a message that begins with a");
#endif
  ++self->messages;
#if defined(WRONG_LINES)
  if (data.size == 8 && memcmp(data.data, "recorded", 8) == 0) report_done(events, output);
#endif
  self->last = data.data;
  ifb_token token = IFB_TOKEN_INIT;
  token.text.data = data.data;
  token.text.size = data.size;
#if defined(WRONG_NO_MIME)
  token.data = data;
#elif defined(WRONG_UTF8)
  token.text = text("caf\xE9");
#endif
  events->on_token(output, &token);
#if defined(WRONG_POSITIVE)
  return IFB_MORE;
#elif defined(WRONG_ENDS_EARLY)
  /* Not a fault: the first message is the whole answer. */
  report_done(events, output);
  return IFB_END;
#elif defined(WRONG_END_SILENT)
  return IFB_END;
#endif
  return IFB_OK;
}

static ifb_status on_end(ifb_exchange* self, const ifb_http_end* end, const ifb_events* events,
                         ifb_output* output, ifb_error* error) {
  (void)end, (void)error;
  ++self->ends;
#if defined(WRONG_END_SILENT)
  if ((end->flags & IFB_HTTP_END_EARLY) != 0) return IFB_OK;
#elif defined(WRONG_ENDS_EARLY)
  if (self->messages != 0) return IFB_OK;
#elif defined(WRONG_TRAILERS)
  /* Not a fault: the trailers are attributes. */
  for (size_t i = 0; i < end->trailer_count; ++i)
    events->on_attribute(output, end->trailers[i].name, end->trailers[i].value);
#endif
#if defined(WRONG_TRUNCATED)
  if (self->messages == 0) abort();
#elif defined(WRONG_KEEPS_DATA)
  if (self->last != NULL && *(const volatile char*)self->last == '?') return IFB_OK;
#endif
#if defined(WRONG_LEG) || defined(WRONG_LEGS)
  if (self->requested == 1) return IFB_MORE;
#elif defined(WRONG_KEEPS_ERROR)
  self->error->code = IFB_OK;
#elif defined(WRONG_NO_END)
  return IFB_OK;
#endif
#if defined(WRONG_USAGE_RESERVED)
  const ifb_usage usage = {sizeof usage, 7, 1, -1, 1, -1};
  events->on_usage(output, &usage);
#endif
  report_done(events, output);
#if defined(WRONG_OTHER_MODEL)
  if (strcmp(self->owner->model, "other") == 0) report_done(events, output);
#elif defined(WRONG_DONE_TWICE)
  report_done(events, output);
#elif defined(WRONG_MORE_AFTER_DONE)
  if (self->requested == 1) return IFB_MORE;
#elif defined(WRONG_AFTER_DONE)
  const ifb_usage usage = {sizeof usage, 0, 1, -1, 1, -1};
  events->on_usage(output, &usage);
#endif
  return IFB_OK;
}
static void close(ifb_exchange* self) {
#if defined(WRONG_CLOSE)
  if (self->heads == 1 && self->messages == 0 && self->ends == 0) abort();
#endif
  (void)self;
}

/* Adds the date to the headers. */
#if defined(WRONG_SIGNS) || defined(WRONG_SIGN_TARGET) || defined(WRONG_SIGN_ONCE)
static ifb_status sign(ifb_exchange* self, const ifb_http_target* target, ifb_http_request* out,
                       ifb_error* error) {
  (void)error;
#if defined(WRONG_SIGN_TARGET)
  out->target = text("/go?signature=1");
#elif defined(WRONG_SIGN_ONCE)
  if (self->date[0] != '\0') return refuse(error, IFB_E_INTERNAL, "it is signed already");
#endif
  snprintf(self->date, sizeof self->date, "%lld", (long long)target->unix_ns);
  self->headers[1].name = text("X-Date");
  self->headers[1].value = text(self->date);
  out->headers = self->headers;
  out->header_count = 2;
  return IFB_OK;
}
#else
#define sign NULL
#endif

#if defined(WRONG_AUTHORIZES)
#define FLAGS IFB_CODEC_AUTHORIZES
#else
#define FLAGS 0
#endif
static const ifb_http_codec codec = {
    sizeof(ifb_http_codec), FLAGS, open, request, on_head, on_message, on_end, close, sign};
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
#if defined(WRONG_QUERY)
  (void)id;
  return &codec;
#elif defined(WRONG_UNLISTED)
  return strcmp(id, "inferbench.http-codec/2") == 0 ? &codec : NULL;
#else
  return strcmp(id, IFB_HTTP_CODEC) == 0 ? &codec : NULL;
#endif
}

#if defined(WRONG_ID)
ONE_PLUGIN(IFB_BACKEND, "My Backend!", options, OPTIONS, IFB_HTTP_CODEC)
#elif defined(WRONG_TWO)
static const char* const interfaces[] = {IFB_HTTP_CODEC, NULL};
#define BACKEND(id)    \
  {sizeof(ifb_plugin), \
   IFB_BACKEND,        \
   id,                 \
   "1.0.0",            \
   "One of two.",      \
   "Apache-2.0",       \
   options,            \
   OPTIONS,            \
   sizeof(ifb_option), \
   create,             \
   destroy,            \
   interfaces,         \
   query}
static const ifb_plugin right = BACKEND("right");
static const ifb_plugin right_chat = BACKEND("right-chat");
static const ifb_plugin* const plugins[] = {&right, &right_chat};
static const ifb_library library = {
    sizeof(ifb_library), IFB_ABI_MAJOR, IFB_ABI_MINOR, "c, by hand", plugins, 2, 0};
const ifb_library* inferbench_plugin_v1_rc2(uint32_t host_major, uint32_t host_minor) {
  (void)host_major, (void)host_minor;
  return &library;
}
#else
ONE_PLUGIN(IFB_BACKEND, "right", options, OPTIONS, IFB_HTTP_CODEC)
#endif
