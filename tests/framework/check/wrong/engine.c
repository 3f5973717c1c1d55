/* An engine that answers within submit. With BLOCKS an answer takes time and can be cancelled. */
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include "plugin.h"

#if defined(WRONG_BLOCKS) || defined(WRONG_BLOCKS_DEAF) || defined(WRONG_BLOCKS_NAMELESS) ||   \
    defined(WRONG_BLOCKS_TWO) || defined(WRONG_BLOCKS_FAILS) || defined(WRONG_BLOCKS_CROWD) || \
    defined(WRONG_BLOCKS_SLOWLY) || defined(WRONG_BLOCKS_SIGNAL) || defined(WRONG_BLOCKS_AT_EXIT)
#define BLOCKS
#endif
/* NAMELESS: *out is set only at the end of submit, so until then the host has no call to cancel.
 * DEAF: cancellation is ignored. */
#if defined(WRONG_BLOCKS_NAMELESS) || defined(WRONG_BLOCKS_SLOWLY)
#define NAMELESS
#elif defined(WRONG_BLOCKS_DEAF) || defined(WRONG_BLOCKS_SIGNAL) || defined(WRONG_BLOCKS_AT_EXIT)
#define DEAF
#endif
/* The engine has an option. */
#if defined(WRONG_READS) || defined(WRONG_MISSING_FILE)
#define FILES
#endif

struct ifb_instance {
  const ifb_host* host;
#if defined(WRONG_THREAD) || defined(WRONG_BLOCKS_CROWD) || defined(WRONG_BUSY)
  uint32_t here;
#elif defined(FILES)
  char path[512];
#endif
};
struct ifb_call {
  const ifb_events* events;
  ifb_output* output;
  uint32_t cancelled;
#if defined(WRONG_KEEPS_ERROR)
  ifb_error* error;
#endif
};

#if defined(FILES)
static const ifb_option options[] = {
    {sizeof(ifb_option), IFB_PATH, 0, 0, "file", "File to read.", NULL, NULL, NULL, NULL, 0, 0}};
#endif

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)config;
  *out = calloc(1, sizeof **out);
  if (*out == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  (*out)->host = host;
#if defined(WRONG_BLOCKS_SIGNAL)
  signal(SIGUSR1, SIG_IGN);
#elif defined(FILES)
  const ifb_str path = config->values[0].as.s;
  if (path.size < sizeof(*out)->path && path.size != 0) memcpy((*out)->path, path.data, path.size);
#endif
  return IFB_OK;
}
static void destroy(ifb_instance* self) { free(self); }

static void pause_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

/* Works for longer than any test lasts, ignores cancellation, and uses the host all the time. */
#if defined(DEAF) || defined(WRONG_BLOCKS_CROWD)
static int something;
static int* volatile needed = &something;
static void work_on(const ifb_instance* self) {
  for (int i = 0; i < 100000; ++i) {
    (void)self->host->cancelled(self->host);
    (void)*(volatile int*)needed;
    pause_ms(1);
  }
}
#endif

/* Not a fault: memory of the library is gone after the program has ended, so a call that still runs
 * crashes then. */
#if defined(WRONG_BLOCKS_AT_EXIT)
__attribute__((destructor)) static void leave(void) {
  needed = NULL;
  pause_ms(100);
}
#endif

/* Works for a tenth of a second or until the call is cancelled. */
#if defined(BLOCKS)
static void work(const ifb_instance* self, ifb_call* call) {
#if defined(DEAF)
  work_on(self);
#elif defined(WRONG_BLOCKS_SLOWLY)
  pause_ms(200);
#endif
#if defined(WRONG_BLOCKS_NAMELESS)
  for (int i = 0; i < 100 && !self->host->cancelled(self->host); ++i)
    pause_ms(100);
#else
  /* By the clock: a pause can be much longer than a millisecond. */
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += 100000000;
  if (end.tv_nsec >= 1000000000) ++end.tv_sec, end.tv_nsec -= 1000000000;
  do {
    if (__atomic_load_n(&call->cancelled, __ATOMIC_RELAXED) != 0) return;
    pause_ms(1);
    clock_gettime(CLOCK_MONOTONIC, &now);
  } while (now.tv_sec < end.tv_sec || (now.tv_sec == end.tv_sec && now.tv_nsec < end.tv_nsec));
#endif
  (void)self, (void)call;
}
#endif

static ifb_status submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                         const ifb_events* events, ifb_output* output, ifb_call** out,
                         ifb_error* error) {
  (void)sample, (void)arena;
#if !defined(WRONG_UNKNOWN)
  if (!is_known(sample)) return refuse(error, IFB_E_UNSUPPORTED, "unknown shape or part");
#endif
#if defined(WRONG_POSITIVE)
  if (sample->shape != IFB_PROMPT_TEXT) return IFB_END;
#elif defined(WRONG_THREAD)
  if (__atomic_exchange_n(&self->here, 1, __ATOMIC_SEQ_CST) != 0)
    return refuse(error, IFB_E_INTERNAL, "one at a time");
  pause_ms(5);
  __atomic_store_n(&self->here, 0, __ATOMIC_SEQ_CST);
#elif defined(WRONG_BUSY)
  const int lacking = __atomic_exchange_n(&self->here, 1, __ATOMIC_SEQ_CST) != 0;
  pause_ms(30);
  __atomic_store_n(&self->here, 0, __ATOMIC_SEQ_CST);
#elif defined(WRONG_SLOW_SUBMIT)
  pause_ms(20);
#elif defined(WRONG_READS)
  /* Not a fault: the end of the call reports the error. */
  FILE* file = self->path[0] == '\0' ? NULL : fopen(self->path, "r");
  const int lacking = file == NULL && self->path[0] != '\0';
  if (file != NULL) fclose(file);
#endif
#if defined(WRONG_BLOCKS_FAILS)
  static ifb_call the_call;
  ifb_call* call = &the_call;
#else
  ifb_call* call = calloc(2, sizeof *call);
  if (call == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
#endif
  call->events = events;
  call->output = output;
#if defined(WRONG_KEEPS_ERROR)
  call->error = error;
#endif
#if defined(WRONG_BLOCKS_TWO)
  __atomic_store_n(out, call + 1, __ATOMIC_RELEASE);
#elif defined(BLOCKS) && !defined(NAMELESS)
  __atomic_store_n(out, call, __ATOMIC_RELEASE);
#endif
#if defined(WRONG_BLOCKS_CROWD)
  if (__atomic_fetch_add(&self->here, 1, __ATOMIC_SEQ_CST) != 0) work_on(self);
#endif
#if defined(BLOCKS)
  work(self, call);
#endif
#if defined(WRONG_BLOCKS_CROWD)
  __atomic_fetch_sub(&self->here, 1, __ATOMIC_SEQ_CST);
#endif
#if defined(WRONG_BLOCKS_FAILS)
  return refuse(error, IFB_E_IO, "nobody is there");
#endif
#if defined(WRONG_BUSY) || defined(WRONG_READS)
  if (lacking) {
    ifb_error why;
    memset(&why, 0, sizeof why);
    refuse(&why, IFB_E_IO, "cannot have it");
    *out = call;
    events->on_error(output, &why);
    return IFB_OK;
  }
#endif
#if !defined(WRONG_NEVER_ENDS)
#if defined(WRONG_TOKEN_SIZE)
  const ifb_token token = {0, 1, 0, IFB_CHANNEL_ANSWER, text("hi"), 0, {NULL, 0}, NULL};
#elif defined(WRONG_UTF8)
  const ifb_token token = {sizeof token,    1, 0,         IFB_CHANNEL_ANSWER,
                           text("caf\xE9"), 0, {NULL, 0}, NULL};
#else
  const ifb_token token = {sizeof token, 1, 0, IFB_CHANNEL_ANSWER, text("hi"), 0, {NULL, 0}, NULL};
#endif
  events->on_token(output, &token);
  report_done(events, output);
#endif
#if defined(WRONG_ENDS_TWICE)
  report_done(events, output);
#endif
  (void)self;
  /* The host may read *out from another thread while this thread works. */
  __atomic_store_n(out, call, __ATOMIC_RELEASE);
  return IFB_OK;
}
static void cancel(ifb_call* self) { __atomic_store_n(&self->cancelled, 1, __ATOMIC_RELAXED); }
static void release(ifb_call* self) {
#if defined(WRONG_KEEPS_ERROR)
  self->error->code = IFB_OK;
#endif
  free(self);
}

#if defined(BLOCKS)
static const ifb_engine engine = {sizeof(ifb_engine), IFB_ENGINE_BLOCKING, submit, cancel, release};
#else
static const ifb_engine engine = {sizeof(ifb_engine), 0, submit, cancel, release};
#endif
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_ENGINE) == 0 ? &engine : NULL;
}

#if defined(FILES)
ONE_PLUGIN(IFB_BACKEND, "right", options, 1, IFB_ENGINE)
#else
ONE_PLUGIN(IFB_BACKEND, "right", NULL, 0, IFB_ENGINE)
#endif
