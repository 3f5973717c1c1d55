/* inferbench/abi.h - the one binary contract between the host and a plugin.
 *
 * Plain C99; depends on <stddef.h> and <stdint.h> alone.  Every other SDK
 * header is sugar over this one; this one alone is covered by the promise in
 * docs/plugin-abi.md.  Version 1.0 is a release candidate (plugin-abi-changes.md).
 *
 * RULES (numbered so that docs, tests and reviews can cite them)
 *  R1  Names and ids are NUL-terminated UTF-8 literals.  Data is ifb_str or
 *      ifb_bytes: pointer + length, no terminator; {NULL, 0} means empty.
 *  R2  Nobody frees anybody else's memory.  What a call receives is borrowed
 *      until that call returns.  What a plugin hands out is static, lives in
 *      the arena it was given, or lives in its own handle until that handle
 *      is closed.
 *  R3  A struct whose first member is `struct_size` may grow at its tail
 *      inside a major version.  The writer stores its own sizeof; the reader
 *      tests IFB_HAS() before it touches a member.  Zero means "absent".  Who
 *      lends a struct to be filled stores the room in struct_size, never zero;
 *      the callee writes no further and leaves struct_size as it is.
 *  R4  Every other struct is frozen for the life of the major version.
 *  R5  Arrays of growing structs travel as pointer + count + stride.
 *  R6  Only fixed-width integers, size_t, double and pointers cross; no C
 *      enum, bool, bit-field, long, wchar_t, FILE*, va_list or time_t.
 *  R7  No exception, panic, longjmp or signal leaves a call, either way.
 *  R8  Calls on one handle never overlap, but for those tagged [any]; calls on
 *      different handles do.  Tags: [control] one call at a time per instance;
 *      [worker] any of the host's I/O threads; [any] any thread, and may overlap
 *      anything.
 *  R9  A plugin writes nothing to stdout or stderr (it asks the host to),
 *      never exits or aborts, and installs no signal handler.
 *
 * UNITS  Times are nanoseconds of the host's monotonic clock unless a name
 * says `unix`; sizes are bytes, lengths tokens.  In the members of version 1.0
 * an unknown number is -1 where the type is signed and 0 where it is a time
 * stamp; in later ones it is 0, as an absent tail reads (R3).
 *
 * SINCE  What is declared here is of version 1.0 unless it says otherwise.
 *
 * UNKNOWN  Bits of flags, kinds, attributes, channels and ids of interfaces that
 * a side does not know are ignored, not refused.
 */
#ifndef INFERBENCH_ABI_H
#define INFERBENCH_ABI_H

#include <stddef.h>
#include <stdint.h>

#define IFB_ABI_MAJOR 1
#define IFB_ABI_MINOR 0

#if defined(_WIN32)
#define IFB_CALL __cdecl
#define IFB_EXPORT __declspec(dllexport)
#else
#define IFB_CALL
#define IFB_EXPORT __attribute__((visibility("default")))
#endif

/* True when *p is new enough to have member m, and m is set (R3). */
#define IFB_HAS(p, m) \
  ((size_t)((const char*)(&(p)->m + 1) - (const char*)(p)) <= (p)->struct_size && (p)->m)

#ifdef __cplusplus
extern "C" {
#endif

/* ---- values that never change (R4) -------------------------------------- */

typedef struct ifb_str {
  const char* data;
  size_t size;
} ifb_str;

typedef struct ifb_bytes {
  const void* data;
  size_t size;
} ifb_bytes;

typedef struct ifb_field {
  ifb_str name;
  ifb_str value;
} ifb_field;

typedef int32_t ifb_status;
enum ifb_status_code {
  IFB_OK = 0,
  IFB_END = 1,       /* dataset: no more rows; codec: heard enough */
  IFB_MORE = 2,      /* codec: this exchange wants another request */
  IFB_SKIP = 3,      /* dataset: this row yields no sample; why: ifb_error */
  IFB_E_CONFIG = -1, /* an option value is unusable; see ifb_error.option */
  IFB_E_UNSUPPORTED = -2,
  IFB_E_IO = -3,
  IFB_E_PROTOCOL = -4, /* the server's answer makes no sense */
  IFB_E_REMOTE = -5,   /* the server answered, with an error */
  IFB_E_TIMEOUT = -6,
  IFB_E_CANCELLED = -7,
  IFB_E_MEMORY = -8,
  IFB_E_INTERNAL = -9, /* anything else, and every code the reader ignores */
  IFB_E_DATA = -10     /* dataset: a row or file is malformed beyond use */
};

/* Always supplied by the caller, so a message never needs freeing. */
typedef struct ifb_error {
  ifb_status code;
  int32_t option;     /* index into the plugin's options, or -1 */
  char message[1016]; /* NUL-terminated UTF-8, truncated if need be */
} ifb_error;

/* ---- options: declared by the plugin, checked by the host --------------- */

typedef uint32_t ifb_type;
enum ifb_type_code {
  IFB_STRING = 1,
  IFB_INT,
  IFB_FLOAT, /* inf and nan are values */
  IFB_BOOL,
  IFB_DURATION, /* ns; written "30s", "1.5ms" or a number of seconds */
  IFB_SIZE,     /* bytes; written "64KiB" or a number */
  IFB_PATH,     /* relative to the working directory; ~ is expanded */
  IFB_CHOICE,   /* one of ifb_option.choices */
  IFB_STRINGS,  /* list of strings */
  IFB_JSON      /* any TOML value, handed over as JSON text */
};

typedef struct ifb_value {
  ifb_type type;
  uint32_t is_set; /* 0: neither given nor defaulted; `as` is all zero */
  union {
    int64_t i; /* INT, BOOL, DURATION, SIZE */
    double f;  /* FLOAT */
    ifb_str s; /* STRING, PATH, JSON, CHOICE (spelled out) */
    struct {
      const ifb_str* data;
      size_t size;
    } list; /* STRINGS */
  } as;
} ifb_value;

enum ifb_option_flag {
  IFB_OPT_REQUIRED = 1,
  IFB_OPT_SECRET = 2,  /* never logged, never in a result */
  IFB_OPT_ADVANCED = 4 /* left out of the short help */
};

/* Static: lives as long as the library. */
typedef struct ifb_option {
  uint32_t struct_size;
  ifb_type type;
  uint32_t flags;
  uint32_t choice_count;
  const char* name;       /* the TOML key, kebab-case */
  const char* help;       /* one sentence */
  const char* fallback;   /* a TOML literal, or NULL; of a STRING a number: it takes numbers, too */
  const char* value_name; /* "URL" in --help; NULL: from the type */
  const char* flag;       /* NULL: --<plugin id>-<name>; else --<flag> */
  const char* const* choices;
  double minimum, maximum; /* of the stored value (ns, bytes); both 0: unchecked */
} ifb_option;

/* Option names with a meaning for the host too.  A plugin that declares one
 * receives what the run's flag of that name says, and unless it names a flag
 * there is no other for it, but for the lengths of a dataset:
 *   backend   model, endpoint, ignore-eos, logprobs, extra-body, api-key
 *   dataset   path, input-len, output-len (the general flags of that name),
 *             no-stream, skip-chat-template, enable-multimodal-chat,
 *             chat-template-kwargs, trust-remote-code
 *   tokenizer model, path, trust-remote-code, chat-template-kwargs
 *   reporter  result-dir, result-filename, save-detailed, append-result,
 *             label, metadata, itl-thresholds
 * `use` and `sha256` say which library is meant: a plugin that declares one of
 * them is not loaded. */

/* ---- what the host offers ----------------------------------------------- */

typedef struct ifb_arena ifb_arena; /* opaque; freed whole, by the host */
typedef struct ifb_host ifb_host;

/* Lent to create; good until destroy has returned. */
struct ifb_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;
  const char* version; /* of the host program, semver */
  /* [any] level: 0 trace, 1 debug, 2 info, 3 warn, 4 error, 5 critical.
   * Ready-made text, one line, no varargs. */
  void(IFB_CALL* log)(const ifb_host*, uint32_t level, ifb_str text);
  /* [any] the lowest level that anyone listens to. */
  uint32_t(IFB_CALL* log_level)(const ifb_host*);
  /* [any] monotonic nanoseconds; the only clock a plugin may report in. */
  uint64_t(IFB_CALL* now)(const ifb_host*);
  /* [any] same run seed + same stream = same number, on every machine. */
  uint64_t(IFB_CALL* seed)(const ifb_host*, uint64_t stream);
  /* [any] non-zero once the run is being stopped. */
  uint32_t(IFB_CALL* cancelled)(const ifb_host*);
  /* The thread that was given the arena: zeroed, 16-byte aligned; NULL when
   * exhausted. */
  void*(IFB_CALL* alloc)(const ifb_host*, ifb_arena*, size_t bytes);
  /* [any] one of the tables below; NULL when this host has no such service.
   * Lives as long as ifb_host, as do the functions in it. */
  const void*(IFB_CALL* service)(const ifb_host*, const char* id);
};

enum ifb_encode_flag {
  IFB_ENCODE_SPECIAL = 1 /* add the tokens that the model adds by itself */
};
enum ifb_decode_flag {
  IFB_DECODE_SKIP_SPECIAL = 1 /* leave special tokens out of the text */
};

/* What it points to lives as long as the tokenizer. */
typedef struct ifb_vocabulary {
  uint32_t struct_size;
  uint32_t added;              /* special tokens that encoding "" with SPECIAL adds */
  uint64_t size;               /* base vocabulary, without added tokens */
  uint64_t total_size;         /* with them */
  const uint32_t* special_ids; /* those the configuration names, ascending */
  size_t special_id_count;
  /* Where it was loaded from: a folder, a file, "org/name@commit"; NULL: from nowhere. */
  const char* source;
  /* Lower-case hex over all that decides about ids and chat prompts: what was made with one
   * tokenizer may be used again with another of the same digest. NULL: not known. */
  const char* digest;
  /* All that IFB_DECODE_SKIP_SPECIAL leaves out, ascending; those of special_ids are among
   * them. */
  const uint32_t* skipped_ids;
  size_t skipped_id_count;
} ifb_vocabulary;

/* The tokenizer that this run counts with.  Ids and text are written as far as
 * `capacity` reaches; *needed is the whole length, so that a caller who gave
 * too little calls again. */
#define IFB_SERVICE_TOKENIZER "inferbench.service.tokenizer/1"
typedef struct ifb_tokenizer_service {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;
  /* [any] */
  ifb_status(IFB_CALL* vocabulary)(const ifb_host*, ifb_vocabulary* out);
  /* [any] */
  ifb_status(IFB_CALL* count)(const ifb_host*, ifb_str text, uint32_t flags, uint64_t* out);
  /* [any] */
  ifb_status(IFB_CALL* encode)(const ifb_host*, ifb_str text, uint32_t flags, uint32_t* ids,
                               size_t capacity, size_t* needed);
  /* [any] */
  ifb_status(IFB_CALL* decode)(const ifb_host*, const uint32_t* ids, size_t count, uint32_t flags,
                               char* text, size_t capacity, size_t* needed);
  /* [any] Two texts as one input, joined as the model joins a pair. type_ids tells which of
   * the two an id belongs to, 0 or 1; NULL, or of the same capacity. IFB_E_UNSUPPORTED where
   * the tokenizer knows no pairs. */
  ifb_status(IFB_CALL* encode_pair)(const ifb_host*, ifb_str text, ifb_str pair, uint32_t flags,
                                    uint32_t* ids, uint32_t* type_ids, size_t capacity,
                                    size_t* needed);
  /* [any] A conversation as the prompt that the model's chat template makes of it. chat: a JSON
   * object with "messages" and, as the template asks for them, "tools", "documents",
   * "add_generation_prompt" and further variables. IFB_E_UNSUPPORTED where there is no
   * template; the error's message begins with the kind of the fault, "TemplateError: ...". */
  ifb_status(IFB_CALL* render)(const ifb_host*, ifb_str chat, char* text, size_t capacity,
                               size_t* needed, ifb_error*);
} ifb_tokenizer_service;

#define IFB_SERVICE_PROGRESS "inferbench.service.progress/1"
typedef struct ifb_progress_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] total 0 when unknown; what: "reading ShareGPT" */
  void(IFB_CALL* report)(const ifb_host*, ifb_str what, uint64_t done, uint64_t total);
} ifb_progress_service;

/* The user's terminal, for reporters (R9). */
#define IFB_SERVICE_CONSOLE "inferbench.service.console/1"
typedef struct ifb_console_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] standard output, whole and unmixed with other writers. */
  void(IFB_CALL* print)(const ifb_host*, ifb_str text);
  /* [any] tells the user where something was written. what: "result" */
  void(IFB_CALL* artifact)(const ifb_host*, ifb_str what, ifb_str path);
} ifb_console_service;

/* One request to the server under test, outside all measurement; the host
 * adds base URL, API key and the user's headers.  Blocks. */
#define IFB_SERVICE_HTTP "inferbench.service.http/1"
typedef struct ifb_http_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] target: "/tokenize", appended to the base URL.  IFB_OK whatever the
   * status; the body lives in `arena`. */
  ifb_status(IFB_CALL* fetch)(const ifb_host*, ifb_str method, ifb_str target, ifb_bytes body,
                              uint64_t timeout_ns, ifb_arena* arena, uint32_t* status,
                              ifb_bytes* answer, ifb_error*);
  /* [any] an arena for callers that were given none; release frees it. */
  ifb_arena*(IFB_CALL* arena)(const ifb_host*);
  /* [any] */
  void(IFB_CALL* release)(const ifb_host*, ifb_arena*);
} ifb_http_service;

/* ---- what a library offers ---------------------------------------------- */

typedef struct ifb_instance ifb_instance; /* the plugin's own object */

typedef uint32_t ifb_kind;
enum ifb_kind_code { IFB_BACKEND = 1, IFB_DATASET, IFB_REPORTER, IFB_TOKENIZER };

/* Borrowed by create: copy what is to last. */
typedef struct ifb_config {
  const ifb_value* values;
  size_t count;
} ifb_config;

/* Static, like everything that it points to. */
typedef struct ifb_plugin {
  uint32_t struct_size;
  ifb_kind kind;
  const char* id;      /* "openai-chat": unique within its kind */
  const char* version; /* semver of the plugin itself */
  const char* summary; /* one sentence */
  const char* license; /* SPDX */
  const ifb_option* options;
  uint32_t option_count, option_stride;
  /* [control] values[i] answers options[i]; already checked and defaulted,
   * and borrowed like every input.  On failure *out stays untouched. */
  ifb_status(IFB_CALL* create)(const ifb_host*, const ifb_config*, ifb_instance** out, ifb_error*);
  /* [control] */
  void(IFB_CALL* destroy)(ifb_instance*);
  const char* const* interfaces; /* ids that query answers, NULL-terminated */
  /* [any] the operation tables below, by id; pure; NULL if not offered. */
  const void*(IFB_CALL* query)(const char* id);
} ifb_plugin;

/* It and all that it points to is constant and lives as long as the process. */
typedef struct ifb_library {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor; /* of the header it was built with */
  const char* sdk;               /* "c++ 1.0.0, g++ 12.2": for bug reports */
  const ifb_plugin* const* plugins;
  uint32_t plugin_count;
  uint32_t reserved;
} ifb_library;

/* THE entry.  Pure and instant; the same pointer every time.  NULL says that
 * the plugin cannot work with this host's version. */
typedef const ifb_library*(IFB_CALL* ifb_entry)(uint32_t host_major, uint32_t host_minor);
#define IFB_ENTRY_NAME "inferbench_plugin_v1"
IFB_EXPORT const ifb_library* IFB_CALL inferbench_plugin_v1(uint32_t host_major,
                                                            uint32_t host_minor);

/* ---- samples: what flows from a dataset to a backend --------------------
 *
 * A dataset fills in structs whose views point into the arena of its call or into
 * its instance.  To a backend all of it is borrowed until its exchange or call
 * is closed, and read-only: other requests may share it. */

enum ifb_part_kind {
  IFB_PART_TEXT = 1, /* data: UTF-8 */
  IFB_PART_IMAGE,    /* data: the encoded file, or uri */
  IFB_PART_AUDIO,
  IFB_PART_VIDEO,
  IFB_PART_FILE,
  IFB_PART_TOKENS, /* data: uint32_t[], 4-byte aligned */
  IFB_PART_JSON    /* data: a JSON value, to be sent as it is */
};

typedef struct ifb_part {
  uint32_t struct_size;
  uint32_t kind;
  /* NULL for text, tokens and JSON.  Raw samples of sound, little-endian:
   * "audio/pcm;rate=16000;format=f32;channels=1" (s16 unless f32). */
  const char* mime;
  ifb_bytes data; /* the thing itself, or empty when uri is used */
  ifb_str uri;
  ifb_str name; /* a file name for uploads, or empty */
} ifb_part;

typedef struct ifb_part_list {
  const ifb_part* first;
  uint32_t count, stride;
} ifb_part_list;

typedef struct ifb_message {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str role;
  ifb_part_list parts;
  ifb_str json;   /* not empty: the whole message object, sent as it is */
  int64_t tokens; /* of a conversation: its length as the client counts it, or -1 */
} ifb_message;

typedef struct ifb_message_list {
  const ifb_message* first;
  uint32_t count, stride;
} ifb_message_list;

/* What the prompt is.  A codec switches on it and refuses what its protocol
 * cannot carry (IFB_E_UNSUPPORTED from open). */
enum ifb_prompt_shape {
  IFB_PROMPT_TEXT = 1,    /* prompt: one TEXT part; messages, if any: what chat sends instead */
  IFB_PROMPT_TEXTS,       /* prompt: TEXT parts, a list of strings */
  IFB_PROMPT_TOKENS,      /* prompt: one TOKENS part */
  IFB_PROMPT_TOKEN_LISTS, /* prompt: TOKENS parts */
  IFB_PROMPT_PARTS,       /* prompt: content parts of one user message */
  IFB_PROMPT_CHAT,        /* messages */
  IFB_PROMPT_JSON         /* prompt: one JSON object, merged into the payload */
};

typedef struct ifb_sample {
  uint32_t struct_size;
  uint32_t shape;
  ifb_part_list prompt;
  ifb_message_list messages; /* ready-made chat messages, or none */
  ifb_part_list media;       /* beside the prompt; ignored where no use */
  ifb_str id;                /* the host's, unique in a run; may be empty */
  ifb_str model;             /* instead of the backend's model, or empty */
  ifb_str session;           /* the host's, by conversation; empty: stands alone */
  uint32_t turn;             /* 0-based number of this request in the session */
  uint32_t reserved;
  int64_t arrival_ns;        /* offset from run start, or -1 */
  int64_t input_tokens;      /* prompt length as the client counts it, or -1 */
  int64_t output_tokens;     /* wanted output length, or -1 */
  ifb_str overrides;         /* JSON object laid over the request, or empty */
  const ifb_field* metadata; /* carried into the record untouched */
  size_t metadata_count;
} ifb_sample;

/* ---- output events: what flows from a backend to the host --------------- */

typedef struct ifb_output ifb_output; /* the host's, one per request */

enum ifb_channel {
  IFB_CHANNEL_ANSWER = 0,
  IFB_CHANNEL_REASONING,
  IFB_CHANNEL_TOOL_CALL,
  IFB_CHANNEL_AUDIO
};

/* One stream event that carries output.  An event without text (a role, a
 * finish reason) is reported too, with text empty: the figures that follow
 * upstream count it, ours do not. */
typedef struct ifb_token {
  uint32_t struct_size;
  uint32_t count;   /* tokens in text, 0 if the server did not say */
  uint32_t choice;  /* n-best index */
  uint32_t channel; /* ifb_channel; others are counted, not collected */
  ifb_str text;
  /* 0: the arrival of the bytes that completed this message; of an engine the
   * time of this call */
  uint64_t at;
} ifb_token;

typedef struct ifb_usage {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t prompt_tokens, cached_tokens, output_tokens, reasoning_tokens;
} ifb_usage; /* -1 where unknown; a later one overrides what it knows */

/* A codec calls these within the call that was handed them, on its thread; an
 * engine on [any] thread.  What they are given is borrowed until they return. */
typedef struct ifb_events { /* filled in by the host, constant for a run */
  uint32_t struct_size;
  uint32_t reserved;
  void(IFB_CALL* on_token)(ifb_output*, const ifb_token*);
  void(IFB_CALL* on_usage)(ifb_output*, const ifb_usage*);
  /* Kept in the record; a repeated key is kept twice. */
  void(IFB_CALL* on_attribute)(ifb_output*, ifb_str key, ifb_str value);
  /* Exactly one of these two, exactly once, and last. */
  void(IFB_CALL* on_done)(ifb_output*, ifb_str finish_reason);
  void(IFB_CALL* on_error)(ifb_output*, const ifb_error*);
} ifb_events;

/* ---- backend, way 1: an HTTP codec that does no I/O --------------------- */

#define IFB_HTTP_CODEC "inferbench.http-codec/1"

typedef struct ifb_exchange ifb_exchange; /* the plugin's, one per request */

enum ifb_framing {
  IFB_FRAMING_AUTO = 0, /* SSE for text/event-stream, else WHOLE */
  IFB_FRAMING_WHOLE,    /* one message: the whole body */
  IFB_FRAMING_SSE,      /* one message: the data of one event */
  IFB_FRAMING_LINES,    /* one message: one line, without its end */
  IFB_FRAMING_RAW       /* one message: the bytes of one read */
};

enum ifb_codec_flag {
  /* One answer instead of a stream of tokens (embeddings, rerank): the host
   * reports the pooling figures. */
  IFB_CODEC_POOLING = 1,
  /* The protocol takes OpenAI's sampling fields; the host may put
   * temperature, top_p and the like into the option extra-body. */
  IFB_CODEC_SAMPLING = 2,
  /* The server makes a chat prompt of what it is sent, by its own template. */
  IFB_CODEC_CHAT = 4
};

typedef struct ifb_http_request {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str method;
  ifb_str target;           /* path?query, appended to the base URL */
  const ifb_field* headers; /* host adds Host, lengths, key, request id */
  size_t header_count;
  const ifb_bytes* body; /* gathered in order: no copy of large parts */
  size_t body_count;
} ifb_http_request; /* views live in the arena, the sample or the exchange */

typedef struct ifb_http_head {
  uint32_t struct_size;
  uint32_t status;
  const ifb_field* headers; /* as received; names compare without case */
  size_t header_count;
} ifb_http_head;

/* Order of calls, all on one thread at a time:
 *   open -> request -> [on_head] -> on_message* -> on_end -> close
 *             ^__________________ IFB_MORE __________|
 * open and request run before the request is due, so serialising is never
 * part of a latency.  The host frames the answer and stamps its arrival.
 * A status other than 200 fails the request in the host, with the body in
 * the error, unless on_head chose a framing other than AUTO.  close may
 * come in any state. */
typedef struct ifb_http_codec {
  uint32_t struct_size;
  uint32_t flags; /* ifb_codec_flag */
  /* [any] All workers open on one instance.  The sample and the arena outlive
   * the exchange. */
  ifb_status(IFB_CALL* open)(ifb_instance*, const ifb_sample*, ifb_arena*, ifb_exchange** out,
                             ifb_error*);
  /* [worker] Fill *out; also called again after on_end returned IFB_MORE. */
  ifb_status(IFB_CALL* request)(ifb_exchange*, ifb_http_request* out, ifb_error*);
  /* [worker] Optional.  Chooses the framing of the body that follows. */
  ifb_status(IFB_CALL* on_head)(ifb_exchange*, const ifb_http_head*, uint32_t* framing, ifb_error*);
  /* [worker] event: the SSE event name, or empty.  IFB_END: the rest of the
   * body does not matter.  An error status fails the request. */
  ifb_status(IFB_CALL* on_message)(ifb_exchange*, ifb_str event, ifb_bytes data, const ifb_events*,
                                   ifb_output*, ifb_error*);
  /* [worker] The body ended.  IFB_OK completes; IFB_MORE asks for a leg. */
  ifb_status(IFB_CALL* on_end)(ifb_exchange*, const ifb_events*, ifb_output*, ifb_error*);
  /* [worker] Last call, whatever happened before. */
  void(IFB_CALL* close)(ifb_exchange*);
} ifb_http_codec;

/* ---- backend, way 2: an engine that performs the request itself --------- */

#define IFB_ENGINE "inferbench.engine/1"

typedef struct ifb_call ifb_call;

/* BLOCKING: submit returns only when the request is over */
enum ifb_engine_flag { IFB_ENGINE_BLOCKING = 1 };

typedef struct ifb_engine {
  uint32_t struct_size;
  uint32_t flags;
  /* [any] Workers submit on one instance at the same time.  Events stay callable,
   * from [any] thread, until done/error; sample and arena until release.  *out:
   * NULL, or the call to be cancelled and released; where submit blocks it may be
   * set before submit returns, with release order, and be cancelled from then on.
   * A submit that fails leaves no call, and has not set *out. */
  ifb_status(IFB_CALL* submit)(ifb_instance*, const ifb_sample*, ifb_arena*, const ifb_events*,
                               ifb_output*, ifb_call** out, ifb_error*);
  void(IFB_CALL* cancel)(ifb_call*);  /* [any] hastens done/error */
  void(IFB_CALL* release)(ifb_call*); /* [worker] after done/error */
} ifb_engine;

/* ---- dataset ------------------------------------------------------------ */

#define IFB_DATASET_OPS "inferbench.dataset/1"

typedef struct ifb_dataset_request {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t wanted; /* samples the run asks for; <= 0: all, which a dataset without end may refuse */
  uint64_t seed;
} ifb_dataset_request;

enum ifb_dataset_flag {
  IFB_DATASET_SHUFFLE = 1,    /* the host may read the rows in any order */
  IFB_DATASET_OVERSAMPLE = 2, /* the host may read a row again to fill up */
  IFB_DATASET_ARRIVALS = 4,   /* samples have arrival_ns */
  /* A row is a conversation (IFB_PROMPT_CHAT) and the host makes its requests: one
   * for each message of the user that follows an answer or begins it, with what
   * came before.  The server's answers take the place of the recorded ones, whose
   * tokens, else the sample's output_tokens, say how long they are to be. */
  IFB_DATASET_SESSIONS = 8,
  IFB_DATASET_ANONYMOUS = 16, /* samples go without a request id */
  /* Prompts were made to a length by the client's tokenizer: the host may
   * check them against the server's, and ask it to ignore end of sequence. */
  IFB_DATASET_SYNTHETIC = 32,
  /* Texts are chat prompts already, rendered by the model's template: the host
   * tells a user whose server would do it once more. */
  IFB_DATASET_RENDERED = 64
};

typedef struct ifb_dataset_info {
  uint32_t struct_size;
  uint32_t flags; /* ifb_dataset_flag */
  int64_t rows;   /* rows that read() knows, or -1: read until IFB_END */
} ifb_dataset_info;

/* Rows, not samples, cross: the host owns order, limit, repetition and ids,
 * so every dataset shuffles and fills up alike (docs/plugin-guide.md). */
typedef struct ifb_dataset {
  uint32_t struct_size;
  uint32_t reserved;
  /* [control] Once, before the first read; loads or indexes the data. */
  ifb_status(IFB_CALL* prepare)(ifb_instance*, const ifb_dataset_request*, ifb_dataset_info* out,
                                ifb_error*);
  /* [control] The sample of row `row`, the same whenever it is asked for.
   * Views live in the arena or in the instance.  IFB_SKIP: the row is unfit;
   * the message is the reason and, after "; ", where: "prompt too short; record
   * 17".  Counted, and reported once per reason with the first place.  IFB_END:
   * row is past the end.  rows == -1: rows are asked for in order from 0. */
  ifb_status(IFB_CALL* read)(ifb_instance*, uint64_t row, ifb_arena*, ifb_sample* out, ifb_error*);
} ifb_dataset;

/* ---- reporter ----------------------------------------------------------- */

#define IFB_REPORTER_OPS "inferbench.reporter/1"

/* One request.  Borrowed: valid until the call that got it returns. */
typedef struct ifb_record {
  uint32_t struct_size;
  uint32_t http_status;  /* 0: none */
  uint64_t sequence;     /* 0-based place in the schedule */
  uint64_t due_ns;       /* when the schedule wanted it */
  uint64_t start_ns;     /* when it was free to go: permit and sample there */
  uint64_t connected_ns; /* when its connection was usable (= start if kept) */
  uint64_t sent_ns;      /* when its first byte was handed to the kernel, or submit called */
  uint64_t first_byte_ns;
  uint64_t first_token_ns, last_token_ns; /* upstream's rule: any event */
  uint64_t first_text_ns, last_text_ns;   /* ours: events with text */
  uint64_t first_answer_ns;               /* ours: text of the answer channel */
  uint64_t end_ns;                        /* answer complete, or failure */
  int64_t sample_tokens;                  /* prompt length by the client's count */
  int64_t prompt_tokens;                  /* by the server's, else by the client's */
  int64_t output_tokens;                  /* by the server's, else counted from the text */
  int64_t wanted_tokens;
  int64_t cached_tokens, reasoning_tokens;
  uint64_t bytes_sent, bytes_received;
  ifb_status status; /* IFB_OK, or why it failed; IFB_E_CANCELLED and start_ns 0: never sent */
  uint32_t attribute_count;
  ifb_str id, session, error, finish_reason, text;
  const uint64_t* token_ns; /* one per on_token */
  size_t token_count;
  const ifb_field* attributes;
  uint64_t tls_ns; /* when the TLS handshake began; 0 on a kept or plain connection */
  uint32_t server; /* which of the base URLs it went to */
  uint32_t turn;   /* 0-based number of this request in its session */
} ifb_record;

typedef struct ifb_quantile {
  double q, value; /* q: 0.99 */
} ifb_quantile;

enum ifb_metric_flag {
  IFB_METRIC_INTEGER = 1,  /* value is a whole number */
  IFB_METRIC_SUMMARY = 2,  /* count, minimum ... quantiles are filled */
  IFB_METRIC_SELECTED = 4, /* the user asked for it (--percentile-metrics) */
  IFB_METRIC_UPSTREAM = 8  /* a figure of `vllm bench`, by upstream's rule */
};

/* One figure, which describes itself.  Borrowed like a record; names and help are
 * static in the host. */
typedef struct ifb_metric {
  uint32_t struct_size;
  uint32_t flags;    /* ifb_metric_flag */
  const char* name;  /* "ttft", "request_throughput" */
  const char* unit;  /* "ms", "token/s", "1" */
  const char* title; /* "Time to First Token" */
  const char* label; /* "TTFT" */
  const char* help;  /* the formula, in a sentence */
  double value;      /* the scalar, or the mean */
  uint64_t count;
  double minimum, maximum, deviation, median;
  const ifb_quantile* quantiles; /* in the order the user asked for */
  size_t quantile_count;
} ifb_metric;

/* Borrowed by begin. */
typedef struct ifb_run {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str name;        /* of the run, file-name safe, unique */
  uint64_t started_ns; /* host clock, when traffic began */
  int64_t started_unix_ns;
  ifb_str config_json;      /* the resolved plan, secrets cut */
  ifb_str environment_json; /* host, plugins with version and digest */
} ifb_run;

enum ifb_summary_flag {
  IFB_SUMMARY_INTERRUPTED = 1 /* the run was stopped before its end */
};

/* Borrowed by end. */
typedef struct ifb_summary {
  uint32_t struct_size;
  uint32_t flags;
  int64_t finished_unix_ns;
  const ifb_metric* metrics;
  uint32_t metric_count, metric_stride;
  ifb_str facts_json; /* what is ours: accounting, errors, health; an object */
} ifb_summary;

enum ifb_reporter_flag {
  /* Reads ifb_record.token_ns only while its option save-detailed is on; without
   * one, never.  token_ns may be NULL otherwise; token_count still says how many. */
  IFB_REPORTER_STAMPS_IF_DETAILED = 1
};

/* Each reporter has a thread and a queue of its own: a slow one delays nobody.
 * Records come in the order of completion.  One that fails is dropped with a
 * warning, and the exit status says so at the end. */
typedef struct ifb_reporter {
  uint32_t struct_size;
  uint32_t flags; /* ifb_reporter_flag */
  /* [control] */
  ifb_status(IFB_CALL* begin)(ifb_instance*, const ifb_run*, ifb_error*);
  /* [control] Optional. */
  ifb_status(IFB_CALL* records)(ifb_instance*, const ifb_record* first, size_t count, size_t stride,
                                ifb_error*);
  /* [control] Optional: live figures, about once a second. */
  ifb_status(IFB_CALL* snapshot)(ifb_instance*, const ifb_metric* first, size_t count,
                                 size_t stride, ifb_error*);
  /* [control] */
  ifb_status(IFB_CALL* end)(ifb_instance*, const ifb_summary*, ifb_error*);
} ifb_reporter;

/* ---- tokenizer: a plugin kind and, through it, a host service ----------- */

#define IFB_TOKENIZER_OPS "inferbench.tokenizer/1"

/* The calls mean what they mean in ifb_tokenizer_service.  [any] */
typedef struct ifb_tokenizer {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_status(IFB_CALL* vocabulary)(const ifb_instance*, ifb_vocabulary* out);
  /* Optional: by default the host counts what encode yields. */
  ifb_status(IFB_CALL* count)(const ifb_instance*, ifb_str text, uint32_t flags, uint64_t* out);
  ifb_status(IFB_CALL* encode)(const ifb_instance*, ifb_str text, uint32_t flags, uint32_t* ids,
                               size_t capacity, size_t* needed);
  ifb_status(IFB_CALL* decode)(const ifb_instance*, const uint32_t* ids, size_t count,
                               uint32_t flags, char* text, size_t capacity, size_t* needed);
  /* Optional, both. */
  ifb_status(IFB_CALL* encode_pair)(const ifb_instance*, ifb_str text, ifb_str pair, uint32_t flags,
                                    uint32_t* ids, uint32_t* type_ids, size_t capacity,
                                    size_t* needed);
  ifb_status(IFB_CALL* render)(const ifb_instance*, ifb_str chat, char* text, size_t capacity,
                               size_t* needed, ifb_error*);
} ifb_tokenizer;

#ifdef __cplusplus
}
#endif
#endif
