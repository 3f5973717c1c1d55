/* An engine in C99 that needs only abi.h and POSIX threads: a backend that performs its requests
 * itself, for a model in this process or for a protocol other than HTTP.  This example returns the
 * prompt word by word.  Put your model or your connection in place of the words.
 *
 * The engine blocks: submit returns when the request is over, and the host provides a thread for
 * each request.  For thousands of requests at the same time write an engine with a thread of its
 * own; the examples engine and rust-engine of the SDK are such engines. */
#define _POSIX_C_SOURCE 200809L

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <inferbench/abi.h>

static ifb_status fail(ifb_error* error, ifb_status code, const char* message) {
  error->code = code;
  error->option = -1;
  snprintf(error->message, sizeof error->message, "%s", message);
  return code;
}

/* ---- the plugin: options, create and destroy ------------------------------ */

enum { OPTION_PAUSE, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    {sizeof(ifb_option), IFB_DURATION, 0, 0, "pause", "Time before a word.", "\"1ms\"", NULL, NULL,
     NULL, 0, 1e12},
};

struct ifb_instance {
  const ifb_host* host;
  int64_t pause_ns;
};

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  ifb_instance* self = malloc(sizeof *self);
  if (self == NULL) return fail(error, IFB_E_MEMORY, "out of memory");
  self->host = host;
  self->pause_ns = config->values[OPTION_PAUSE].as.i;
  *out = self;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) { free(self); }

/* ---- one request ---------------------------------------------------------- */

struct ifb_call {
  pthread_mutex_t mutex;
  pthread_cond_t changed;
  int cancelled;
};

/* Returns 0 or an errno. */
static int start(struct ifb_call* x) {
  pthread_condattr_t how;
  int problem = pthread_condattr_init(&how);
  if (problem != 0) return problem;
  pthread_condattr_setclock(&how, CLOCK_MONOTONIC);
  problem = pthread_cond_init(&x->changed, &how);
  pthread_condattr_destroy(&how);
  if (problem != 0) return problem;
  problem = pthread_mutex_init(&x->mutex, NULL);
  if (problem != 0) pthread_cond_destroy(&x->changed);
  return problem;
}

/* Waits for `pause_ns`, or until the request is cancelled.  Returns whether it was cancelled. */
static int cancelled_within(struct ifb_call* x, int64_t pause_ns) {
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_sec += (time_t)(pause_ns / 1000000000);
  end.tv_nsec += (long)(pause_ns % 1000000000);
  if (end.tv_nsec >= 1000000000) {
    end.tv_nsec -= 1000000000;
    ++end.tv_sec;
  }
  pthread_mutex_lock(&x->mutex);
  while (!x->cancelled && pthread_cond_timedwait(&x->changed, &x->mutex, &end) != ETIMEDOUT) {
  }
  const int cancelled = x->cancelled;
  pthread_mutex_unlock(&x->mutex);
  return cancelled;
}

/* Returns the next word of the prompt with the space after it, and moves *at behind it.  After the
 * last word the prompt begins again.  An empty prompt has one empty word. */
static ifb_str next_word(ifb_bytes prompt, size_t* at) {
  ifb_str word = {"", 0};
  if (prompt.size == 0) return word;
  const char* first = (const char*)prompt.data + *at;
  const char* space = memchr(first, ' ', prompt.size - *at);
  word.data = first;
  word.size = space == NULL ? prompt.size - *at : (size_t)(space - first) + 1;
  *at = *at + word.size < prompt.size ? *at + word.size : 0;
  return word;
}

static ifb_status IFB_CALL submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                                  const ifb_events* events, ifb_output* output, ifb_call** out,
                                  ifb_error* error) {
  if (sample->shape != IFB_PROMPT_TEXT || sample->prompt.count == 0 ||
      sample->prompt.first->kind != IFB_PART_TEXT)
    return fail(error, IFB_E_UNSUPPORTED, "this engine takes prompts of plain text only");
  ifb_call* x = self->host->alloc(self->host, arena, sizeof *x);
  if (x == NULL || start(x) != 0) return fail(error, IFB_E_MEMORY, "out of memory");
  /* From now on the host can cancel the request on another thread. */
  __atomic_store_n(out, x, __ATOMIC_RELEASE);

  const ifb_bytes prompt = sample->prompt.first->data;
  /* A length that was not asked for is -1. */
  const int64_t tokens = sample->output_tokens < 0    ? 16
                         : sample->output_tokens == 0 ? 1
                                                      : sample->output_tokens;
  size_t at = 0;
  for (int64_t said = 0; said < tokens; ++said) {
    if (cancelled_within(x, self->pause_ns)) {
      ifb_error cancelled = IFB_ERROR_INIT;
      fail(&cancelled, IFB_E_CANCELLED, "cancelled");
      events->on_error(output, &cancelled);
      return IFB_OK;
    }
    ifb_token token = IFB_TOKEN_INIT;
    token.count = 1;
    token.text = next_word(prompt, &at);
    events->on_token(output, &token);
  }
  ifb_usage usage = IFB_USAGE_INIT;
  usage.prompt_tokens = sample->input_tokens;
  usage.output_tokens = tokens;
  events->on_usage(output, &usage);
  /* The host may release the call during on_done, so nothing of the call is used afterwards. */
  ifb_done done = IFB_DONE_INIT;
  done.finish_reason.data = "length";
  done.finish_reason.size = 6;
  events->on_done(output, &done);
  return IFB_OK;
}

static void IFB_CALL cancel(ifb_call* x) {
  pthread_mutex_lock(&x->mutex);
  x->cancelled = 1;
  pthread_cond_signal(&x->changed);
  pthread_mutex_unlock(&x->mutex);
}

/* The memory of the call is in the arena, so nothing has to be freed. */
static void IFB_CALL release(ifb_call* x) {
  pthread_cond_destroy(&x->changed);
  pthread_mutex_destroy(&x->mutex);
}

/* ---- the description of the library ---------------------------------------- */

static const ifb_engine engine = {sizeof engine, IFB_ENGINE_BLOCKING, submit, cancel, release};
static const char* const interfaces[] = {IFB_ENGINE, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_ENGINE) == 0 ? &engine : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_BACKEND,
    "my-example",
    "0.1.0",
    "Says the prompt back, word by word.",
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
