/* A backend for servers with OpenAI's completions, in C99; it needs only abi.h:
 *
 *   POST /v1/completions   {"model": "m", "prompt": "...", "max_tokens": 16, "stream": true, ...}
 *   data: {"choices": [{"text": " a", "finish_reason": null}]}
 *   data: {"choices": [], "usage": {"prompt_tokens": 7, "completion_tokens": 16}}
 *   data: [DONE]
 *
 * The host sends the request, splits the answer into events and measures all times.  The plugin
 * only writes one JSON text for the request and reads one JSON text for each event.  All memory of
 * a request is in its arena, so nothing has to be freed. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferbench/abi.h>

#include "json.h"

static ifb_str literal(const char* text) {
  ifb_str out = {text, strlen(text)};
  return out;
}

static ifb_status fail(ifb_error* error, ifb_status code, int32_t option, const char* message) {
  error->code = code;
  error->option = option;
  snprintf(error->message, sizeof error->message, "%s", message);
  return code;
}

/* ---- the plugin: options, create and destroy ------------------------------ */

enum { OPTION_MODEL, OPTION_ENDPOINT, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    /* Both options are general: they take the values of the flags --model and --endpoint. */
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_GENERAL, 0, "model",
     "Name of the model in each request.", "\"\"", NULL, NULL, NULL, 0, 0},
    {sizeof(ifb_option), IFB_STRING, IFB_OPT_GENERAL, 0, "endpoint", "Path to call.",
     "\"/v1/completions\"", "PATH", NULL, NULL, 0, 0},
};

struct ifb_instance {
  const ifb_host* host;
  ifb_str model;
  ifb_str endpoint;
  char text[]; /* the texts of the two members above */
};

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  const ifb_str model = config->values[OPTION_MODEL].as.s;
  const ifb_str endpoint = config->values[OPTION_ENDPOINT].as.s;
  if (endpoint.size == 0 || endpoint.data[0] != '/')
    return fail(error, IFB_E_CONFIG, OPTION_ENDPOINT, "expected a path that begins with /");
  ifb_instance* self = malloc(sizeof *self + model.size + endpoint.size);
  if (self == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
  self->host = host;
  /* The values are borrowed (rule R2 in abi.h). */
  if (model.size > 0) memcpy(self->text, model.data, model.size);
  memcpy(self->text + model.size, endpoint.data, endpoint.size);
  self->model.data = self->text;
  self->model.size = model.size;
  self->endpoint.data = self->text + model.size;
  self->endpoint.size = endpoint.size;
  *out = self;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) { free(self); }

/* ---- one request ---------------------------------------------------------- */

struct ifb_exchange {
  const ifb_instance* owner;
  ifb_arena* arena;
  ifb_bytes body;
  char finish_reason[64];
};

static ifb_status IFB_CALL open_exchange(ifb_instance* self, const ifb_sample* sample,
                                         ifb_arena* arena, ifb_exchange** out, ifb_error* error) {
  if (sample->shape != IFB_PROMPT_TEXT || sample->prompt.count == 0 ||
      sample->prompt.first->kind != IFB_PART_TEXT)
    return fail(error, IFB_E_UNSUPPORTED, -1, "this backend takes plain text prompts only");
  if (sample->overrides.size != 0)
    return fail(error, IFB_E_UNSUPPORTED, -1, "this backend sends no overrides of samples");
  const ifb_bytes prompt = sample->prompt.first->data;
  const ifb_str model = sample->model.size > 0 ? sample->model : self->model;
  char limit[64] = "";
  if (sample->output_tokens >= 0)
    snprintf(limit, sizeof limit, ", \"max_tokens\": %" PRId64, sample->output_tokens);

  static const char end[] = ", \"stream\": true, \"stream_options\": {\"include_usage\": true}}";
  const size_t room =
      64 + json_quoted_size(model.size) + json_quoted_size(prompt.size) + sizeof limit + sizeof end;
  ifb_exchange* x = self->host->alloc(self->host, arena, sizeof *x);
  char* body = self->host->alloc(self->host, arena, room);
  if (x == NULL || body == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");

  char* at = json_append(body, "{\"model\": ");
  at = json_quote(at, model.data, model.size);
  at = json_append(at, ", \"prompt\": ");
  at = json_quote(at, prompt.data, prompt.size);
  at = json_append(at, limit);
  at = json_append(at, end);
  x->owner = self;
  x->arena = arena;
  x->body.data = body;
  x->body.size = (size_t)(at - body);
  *out = x;
  return IFB_OK;
}

static ifb_status IFB_CALL request(ifb_exchange* x, ifb_http_request* out, ifb_error* error) {
  static const ifb_field headers[] = {{{"Content-Type", 12}, {"application/json", 16}}};
  (void)error;
  out->method = literal("POST");
  out->target = x->owner->endpoint;
  out->headers = headers;
  out->header_count = 1;
  out->body = &x->body;
  out->body_count = 1;
  return IFB_OK;
}

/* The text of a JSON string, in the arena; empty if it is not a string. NULL: out of memory. */
static const char* text_of(const ifb_exchange* x, json_view value, size_t* size) {
  const ifb_host* host = x->owner->host;
  char* text = host->alloc(host, x->arena, value.size + 1);
  if (text != NULL) *size = json_unquote(text, value);
  return text;
}

static ifb_status IFB_CALL on_message(ifb_exchange* x, const ifb_http_message* given,
                                      const ifb_events* events, ifb_output* out, ifb_error* error) {
  const json_view message = {given->data.data, given->data.size};
  json_view found;
  ifb_str text;
  if (message.size == 6 && memcmp(message.data, "[DONE]", 6) == 0) {
    ifb_done done = IFB_DONE_INIT;
    done.finish_reason = literal(x->finish_reason);
    events->on_done(out, &done);
    return IFB_END;
  }
  if (json_find(message, "error.message", &found)) {
    text.data = text_of(x, found, &text.size);
    return fail(error, IFB_E_REMOTE, -1,
                text.data == NULL || text.size == 0 ? "an error without a text" : text.data);
  }
  if (json_find(message, "choices.0.finish_reason", &found) &&
      found.size <= sizeof x->finish_reason && found.data[0] == '"')
    x->finish_reason[json_unquote(x->finish_reason, found)] = '\0';
  if (json_find(message, "choices.0.text", &found)) {
    ifb_token token = IFB_TOKEN_INIT;
    token.text.data = text_of(x, found, &token.text.size);
    if (token.text.data == NULL) return fail(error, IFB_E_MEMORY, -1, "out of memory");
    events->on_token(out, &token);
  }
  if (json_find(message, "usage", &found) && found.data[0] == '{') {
    ifb_usage usage = IFB_USAGE_INIT; /* every count is unknown */
    json_view number;
    if (json_find(found, "prompt_tokens", &number)) usage.prompt_tokens = json_integer(number);
    if (json_find(found, "completion_tokens", &number)) usage.output_tokens = json_integer(number);
    events->on_usage(out, &usage);
  }
  return IFB_OK;
}

/* Nothing to do: the host detects a stream that ends without its last event. */
static ifb_status IFB_CALL on_end(ifb_exchange* x, const ifb_http_end* end,
                                  const ifb_events* events, ifb_output* out, ifb_error* error) {
  (void)x, (void)end, (void)events, (void)out, (void)error;
  return IFB_OK;
}

static void IFB_CALL close_exchange(ifb_exchange* x) { (void)x; }

/* ---- the description of the library ---------------------------------------- */

static const ifb_http_codec codec = {
    sizeof codec, 0, open_exchange, request, NULL, on_message, on_end, close_exchange, NULL,
};
static const char* const interfaces[] = {IFB_HTTP_CODEC, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_HTTP_CODEC) == 0 ? &codec : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_BACKEND,
    "my-example",
    "0.1.0",
    "Servers with OpenAI's completions.",
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
