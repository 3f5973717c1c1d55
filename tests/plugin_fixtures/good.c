/* Complete in every respect: a backend with options of several types. */
#include <signal.h>
#include <string.h>

#include "fixture.h"

static const char* const colours[] = {"red", "green"};
static const ifb_option options[] = {
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_REQUIRED, 0, "model", "The model.", NULL, "NAME", NULL,
     NULL, 0, 0},
    {sizeof(ifb_option), IFB_CHOICE, 0, 2, "colour", "A colour.", "\"red\"", NULL, "colour",
     colours, 0, 0},
    {sizeof(ifb_option), IFB_FLOAT, IFB_OPT_ADVANCED, 0, "ratio", "A \"ratio\".", "0.5", NULL, NULL,
     NULL, -1, 1.5},
};

/* Refuses the model "bad", blaming the option; and says nothing about "worse". */
static ifb_status refuse_or_create(const ifb_host* host, const ifb_config* config,
                                   ifb_instance** out, ifb_error* error) {
  if (config->count > 0 && config->values[0].as.s.size == 3) {
    error->code = IFB_E_CONFIG;
    error->option = 0;
    strcpy(error->message, "no such\nmodel");
    return IFB_E_CONFIG;
  }
  if (config->count > 0 && config->values[0].as.s.size == 5) return IFB_E_UNSUPPORTED;
  if (config->count > 0 && config->values[0].as.s.size == 7) return IFB_OK;
  host->log(host, 2, (ifb_str){"made", 4});
  return create(host, config, out, error);
}

static ifb_status open(ifb_instance* self, const ifb_sample* sample, ifb_arena* arena,
                       ifb_exchange** out, ifb_error* error) {
  (void)sample, (void)arena, (void)error;
  *out = (ifb_exchange*)self;
  return IFB_OK;
}
static ifb_status request(ifb_exchange* self, ifb_http_request* out, ifb_error* error) {
  (void)self, (void)error;
  out->target = (ifb_str){"/good", 5};
  return IFB_OK;
}
static ifb_status on_message(ifb_exchange* self, ifb_str event, ifb_bytes data,
                             const ifb_events* events, ifb_output* output, ifb_error* error) {
  (void)self, (void)event, (void)data, (void)events, (void)output, (void)error;
  raise(SIGSEGV); /* what the crash report is about */
  return IFB_OK;
}
static ifb_status on_end(ifb_exchange* self, const ifb_events* events, ifb_output* output,
                         ifb_error* error) {
  (void)self, (void)events, (void)output, (void)error;
  return IFB_END;
}
static void close(ifb_exchange* self) { (void)self; }

/* on_head is left out, as the contract allows. */
static const ifb_http_codec codec = {
    sizeof(ifb_http_codec), IFB_CODEC_SAMPLING, open, request, NULL, on_message, on_end, close};

static const void* query(const char* id) { return strcmp(id, IFB_HTTP_CODEC) == 0 ? &codec : NULL; }
static const char* const interfaces[] = {IFB_HTTP_CODEC, NULL};

static const ifb_plugin good = {sizeof(ifb_plugin),
                                IFB_BACKEND,
                                "good",
                                "1.2.3",
                                "Does it right.",
                                "Apache-2.0",
                                options,
                                3,
                                sizeof(ifb_option),
                                refuse_or_create,
                                destroy,
                                interfaces,
                                query};
FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR, &good)
