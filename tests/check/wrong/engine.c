/* An engine that answers within submit. */
#include "plugin.h"

struct ifb_instance {
  int nothing;
};
struct ifb_call {
  const ifb_events* events;
  ifb_output* output;
};

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)host, (void)config;
  *out = malloc(sizeof **out);
  return *out != NULL ? IFB_OK : refuse(error, IFB_E_MEMORY, "out of memory");
}
static void destroy(ifb_instance* self) { free(self); }

static ifb_status submit(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                         const ifb_events* events, ifb_output* output, ifb_call** out,
                         ifb_error* error) {
  (void)self, (void)sample, (void)arena;
  ifb_call* call = malloc(sizeof *call);
  if (call == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  call->events = events;
  call->output = output;
#if !defined(WRONG_NEVER_ENDS)
  const ifb_token token = {sizeof token, 1, 0, IFB_CHANNEL_ANSWER, text("hi"), 0};
  events->on_token(output, &token);
  events->on_done(output, text("stop"));
#endif
#if defined(WRONG_ENDS_TWICE)
  events->on_done(output, text("stop"));
#endif
  *out = call;
  return IFB_OK;
}
static void cancel(ifb_call* self) { (void)self; }
static void release(ifb_call* self) { free(self); }

static const ifb_engine engine = {sizeof(ifb_engine), 0, submit, cancel, release};
static const void* query(const char* id) { return strcmp(id, IFB_ENGINE) == 0 ? &engine : NULL; }

ONE_PLUGIN(IFB_BACKEND, "right", NULL, 0, IFB_ENGINE)
