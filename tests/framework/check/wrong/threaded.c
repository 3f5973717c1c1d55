/* An engine that starts a thread for each call, which answers the call. */
#include <pthread.h>
#include <stdint.h>
#include <time.h>

#include "plugin.h"

struct ifb_instance {
  uint32_t busy; /* calls whose threads are not joined */
};
struct ifb_call {
  ifb_instance* owner;
  const ifb_events* events;
  ifb_output* output;
  pthread_t thread;
  uint32_t cancelled;
};

static void pause_ms(long ms) {
  const struct timespec time = {ms / 1000, ms % 1000 * 1000000};
  nanosleep(&time, NULL);
}

static long now_ms(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)host, (void)config;
  *out = calloc(1, sizeof **out);
  return *out == NULL ? refuse(error, IFB_E_MEMORY, "out of memory") : IFB_OK;
}
static void destroy(ifb_instance* self) {
  while (__atomic_load_n(&self->busy, __ATOMIC_ACQUIRE) != 0)
    pause_ms(1);
  free(self);
}

/* Calls that cannot be cancelled take longer than the kit waits for a call. Forgotten calls take
 * longer than the kit waits before it cancels a running call (20 ms), and far less than it waits
 * before it cancels a call that has usually ended (200 ms). */
#if defined(WRONG_NAMELESS)
enum { work_ms = 500 };
#elif defined(WRONG_FORGETS)
enum { work_ms = 40 };
#else
enum { work_ms = 5 };
#endif

static void* answer(void* of) {
  ifb_call* self = of;
  /* On a busy machine a pause takes several times its time, so the pauses are not counted. */
  const long end = now_ms() + work_ms;
  while (now_ms() < end && __atomic_load_n(&self->cancelled, __ATOMIC_RELAXED) == 0)
    pause_ms(1);
#if defined(WRONG_FORGETS)
  if (__atomic_load_n(&self->cancelled, __ATOMIC_RELAXED) == 0) {
    pthread_detach(pthread_self()); /* this thread is not joined */
    return NULL;
  }
#elif defined(WRONG_INTERNAL)
  ifb_error why;
  memset(&why, 0, sizeof why);
  refuse(&why, IFB_E_INTERNAL, "panic: out of fuel");
  self->events->on_error(self->output, &why);
  return NULL;
#endif
  const ifb_token token = {sizeof token, 1, 0, IFB_CHANNEL_ANSWER, text("hi"), 0, {NULL, 0}, NULL};
  self->events->on_token(self->output, &token);
  report_done(self->events, self->output);
#if defined(WRONG_TWICE)
  report_done(self->events, self->output);
#elif defined(WRONG_AFTER)
  self->events->on_token(self->output, &token);
#elif defined(WRONG_NAMELESS)
  ifb_instance* owner = self->owner;
  free(self);
  __atomic_fetch_sub(&owner->busy, 1, __ATOMIC_RELEASE);
#endif
  return NULL;
}

static ifb_status submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                         const ifb_events* events, ifb_output* output, ifb_call** out,
                         ifb_error* error) {
  (void)arena;
  if (!is_known(sample)) return refuse(error, IFB_E_UNSUPPORTED, "unknown shape or part");
  ifb_call* call = calloc(1, sizeof *call);
  if (call == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  call->owner = self;
  call->events = events;
  call->output = output;
#if defined(WRONG_NAMELESS)
  (void)out;
  pthread_t thread;
  __atomic_fetch_add(&self->busy, 1, __ATOMIC_RELAXED);
  if (pthread_create(&thread, NULL, answer, call) == 0) {
    pthread_detach(thread);
    return IFB_OK;
  }
  __atomic_fetch_sub(&self->busy, 1, __ATOMIC_RELAXED);
#else
  if (pthread_create(&call->thread, NULL, answer, call) == 0) {
    *out = call;
    return IFB_OK;
  }
#endif
  free(call);
  return refuse(error, IFB_E_INTERNAL, "cannot start a thread");
}
static void cancel(ifb_call* self) { __atomic_store_n(&self->cancelled, 1, __ATOMIC_RELAXED); }
static void release(ifb_call* self) {
  pthread_join(self->thread, NULL);
  free(self);
}

static const ifb_engine engine = {sizeof(ifb_engine), 0, submit, cancel, release};
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_ENGINE) == 0 ? &engine : NULL;
}

ONE_PLUGIN(IFB_BACKEND, "right", NULL, 0, IFB_ENGINE)
