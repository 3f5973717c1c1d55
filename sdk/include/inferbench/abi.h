/* inferbench/abi.h - the only binary contract between the host and a plugin.
 *
 * Plain C99; depends only on <stddef.h> and <stdint.h>.  All other SDK headers
 * are only more convenient forms of this header.  The promise in
 * docs/plugin-abi.md covers only this header.  This is release candidate 2 of
 * version 1.0: until the release a plugin must be rebuilt for each release of
 * inferbench (docs/plugin-abi-changes.md).
 *
 * RULES (numbered so that docs, tests and reviews can cite them)
 *  R1  Names and ids are NUL-terminated UTF-8 literals.  Data is ifb_str or
 *      ifb_bytes: pointer + length, without a terminator.  A size of 0 means
 *      empty, whatever the pointer is.
 *  R2  Each side frees only its own memory.  The input of a call is borrowed
 *      until the call returns.  The output of a plugin is static, or lives in
 *      the arena that the call received, or lives in the plugin's handle until
 *      this handle is closed.
 *  R3  A struct whose first member is `struct_size` may grow at its end within
 *      a major version.  The writer stores its own sizeof; the reader tests
 *      IFB_HAS() or IFB_KNOWS() before it uses a member.  Zero means "absent".
 *      If a caller passes a struct to be filled in, it stores the available size
 *      in struct_size, never zero; all other members are zero, except for the
 *      three numbers of ifb_sample that are -1.  The callee does not write past
 *      this size and does not change struct_size.
 *  R4  All other structs are frozen for the life of the major version.
 *  R5  Arrays of growing structs are passed as pointer + count + stride.
 *  R6  Only fixed-width integers, size_t, double and pointers cross the
 *      boundary; no C enum, bool, bit-field, long, wchar_t, FILE*, va_list or
 *      time_t.
 *  R7  No exception, panic, longjmp or signal leaves a call, in either direction.
 *  R8  Calls on one handle never overlap, except for functions with the tag
 *      [any].  Calls on different handles may overlap.  The tags are: [control]
 *      any thread, but one call at a time per instance; [worker] any of the
 *      host's I/O threads; [any] any thread, and the call may overlap any other.
 *      A worker may have a table of file descriptors of its own: a descriptor
 *      that a [worker] call opens is valid on this thread only.  Descriptors
 *      that create opened are valid on all threads, and so are those of submit
 *      of an engine, which shares the table of create.
 *  R9  A plugin does not write to stdout or stderr (it asks the host to do so),
 *      never exits or aborts, and installs no signal handler.  A reporter with
 *      IFB_REPORTER_LIVE may draw on stderr if it is a terminal, from its first
 *      snapshot on; end and destroy give the terminal back as it was.
 *  R10 A member named `reserved` is written as 0 and not read.  A later minor
 *      version may give it a meaning; 0 then means the behaviour of today.
 *
 * UNITS  Times are nanoseconds of the host's monotonic clock unless a name
 * contains `unix`.  Sizes are in bytes, lengths in tokens.  In the members of
 * version 1.0, an unknown number is -1 if the type is signed, and an unknown
 * time stamp is 0.  In later members, an unknown number is 0, which is also the
 * value of a member that is absent (R3).
 *
 * SINCE  All declarations are part of version 1.0 unless their comment names a
 * later version.
 *
 * UNKNOWN  A side ignores unknown bits of flags, kinds, attributes, channels and
 * interface ids, and does not refuse them.  The exceptions are values that
 * cannot be ignored without a wrong figure:
 *   status     a positive status that the call does not have: IFB_E_INTERNAL
 *   framing    the request fails
 *   shape of a prompt, kind of a part in it    IFB_E_UNSUPPORTED
 *   encode and decode flag    IFB_E_UNSUPPORTED
 *   option type    the plugin is not loaded; a plugin that offers another table
 *              of options to older hosts uses the arguments of the entry
 * A report that is not output never becomes a channel, because an older host
 * counts an unknown channel as output; it becomes a function of ifb_events.
 */
#ifndef INFERBENCH_ABI_H
#define INFERBENCH_ABI_H

#include <stddef.h>
#include <stdint.h>

#define IFB_ABI_MAJOR 1
#define IFB_ABI_MINOR 0
#define IFB_ABI_DRAFT 2 /* number of the release candidate; 0: released */

#if defined(_WIN32)
#define IFB_CALL __cdecl
#define IFB_EXPORT __declspec(dllexport)
#else
#define IFB_CALL
#define IFB_EXPORT __attribute__((visibility("default")))
#endif

/* True when *p is new enough to have member m, whatever its value is (R3). */
#define IFB_KNOWS(p, m) \
  ((size_t)((const char*)(&(p)->m + 1) - (const char*)(p)) <= (p)->struct_size)
/* True when *p is new enough to have member m, and m is set.  m is a number or a pointer. */
#define IFB_HAS(p, m) (IFB_KNOWS(p, m) && (p)->m)

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
  IFB_END = 1,       /* dataset: no more rows; codec: the answer is complete */
  IFB_MORE = 2,      /* codec: this exchange wants another request */
  IFB_SKIP = 3,      /* dataset: this row yields no sample; ifb_error has the reason */
  IFB_E_CONFIG = -1, /* an option value is unusable; see ifb_error.option */
  IFB_E_UNSUPPORTED = -2,
  IFB_E_IO = -3,
  IFB_E_PROTOCOL = -4, /* the server's answer violates the protocol */
  IFB_E_REMOTE = -5,   /* the server answered with an error */
  IFB_E_TIMEOUT = -6,
  IFB_E_CANCELLED = -7,
  IFB_E_MEMORY = -8,
  IFB_E_INTERNAL = -9, /* any other error, and every code that the reader does not know */
  IFB_E_DATA = -10     /* dataset: a row or file is malformed and cannot be used */
};

/* The caller always provides this struct, so a message never needs to be freed. */
typedef struct ifb_error {
  ifb_status code;
  int32_t option;     /* index into the plugin's options, or -1 */
  char message[1016]; /* NUL-terminated UTF-8, truncated if necessary */
} ifb_error;
#define IFB_ERROR_INIT {0, -1, {0}}

/* ---- options: declared by the plugin, checked by the host --------------- */

typedef uint32_t ifb_type;
enum ifb_type_code {
  IFB_STRING = 1,
  IFB_INT,
  IFB_FLOAT, /* inf and nan are allowed values */
  IFB_BOOL,
  IFB_DURATION, /* ns; written "30s", "1.5ms" or a number of seconds */
  IFB_SIZE,     /* bytes; written "64KiB" or a number */
  IFB_PATH,     /* relative to the working directory; ~ is expanded */
  IFB_CHOICE,   /* one of ifb_option.choices */
  IFB_STRINGS,  /* list of strings */
  IFB_JSON      /* any TOML value, passed on as JSON text */
};

typedef struct ifb_value {
  ifb_type type;
  uint32_t is_set; /* 0: the option has neither a value nor a default; `as` is all zero */
  union {
    int64_t i; /* INT, BOOL, DURATION, SIZE */
    double f;  /* FLOAT */
    ifb_str s; /* STRING, PATH, JSON, CHOICE (the chosen text) */
    struct {
      const ifb_str* data;
      size_t size;
    } list; /* STRINGS */
  } as;
} ifb_value;

enum ifb_option_flag {
  IFB_OPT_REQUIRED = 1,
  IFB_OPT_SECRET = 2,   /* never logged, never in a result */
  IFB_OPT_ADVANCED = 4, /* left out of the short help */
  IFB_OPT_GENERAL = 8   /* the option takes the value of the run's flag with this name, see below */
};

/* Static: lives as long as the library. */
typedef struct ifb_option {
  uint32_t struct_size;
  ifb_type type;
  uint32_t flags;
  uint32_t choice_count;
  const char* name; /* the TOML key, kebab-case */
  const char* help; /* one sentence */
  /* a TOML literal or NULL; if it is a number, a STRING also accepts numbers */
  const char* fallback;
  const char* value_name; /* name in --help, such as "URL"; NULL: derived from the type */
  const char* flag;       /* NULL: the flag is --<plugin id>-<name>; else --<flag> */
  const char* const* choices;
  double minimum, maximum; /* limits of the stored value (ns, bytes); both 0: not checked */
} ifb_option;

/* GENERAL OPTIONS.  An option with IFB_OPT_GENERAL and one of these names receives the value of
 * the run's flag with this name.  It has no other flag, unless `flag` names one or the option is a
 * length of a dataset:
 *   backend   model, endpoint, ignore-eos, logprobs, extra-body, api-key
 *   dataset   path, input-len, output-len (the general flags with these names),
 *             no-stream, skip-chat-template, enable-multimodal-chat,
 *             chat-template-kwargs, trust-remote-code, conversations
 *   tokenizer model, path, trust-remote-code, chat-template-kwargs
 *   reporter  result-dir, result-filename, save-detailed, append-result,
 *             label, metadata, itl-thresholds
 * Later versions may add names.  A host that does not know a general name treats the option as the
 * plugin's own.  Without the bit, an option is always the plugin's own.
 *
 * TAKEN NAMES.  The host's own keys in the TOML table of a plugin.  A plugin that declares an
 * option with such a name is not loaded.  The list is final: new keys of the host go to other
 * tables.
 *
 *   of all kinds  use, sha256, extend
 *   backend       served-model-name, lora-modules, lora-assignment, use-beam-search
 *   dataset       num-prompts, no-oversample, disable-shuffle, request-id-prefix, salt
 *
 * These names are taken, too, unless the option has IFB_OPT_GENERAL:
 *
 *   backend       model, endpoint, ignore-eos, logprobs, extra-body
 *   dataset       path, input-len, output-len, no-stream, skip-chat-template,
 *                 enable-multimodal-chat, chat-template-kwargs
 *   tokenizer     path, trust-remote-code
 *
 * The option `file` of a reporter, if declared, is set by --reporter NAME=FILE. */

/* ---- functions and services of the host --------------------------------- */

typedef struct ifb_arena ifb_arena; /* opaque; the host frees it as a whole */
typedef struct ifb_host ifb_host;

/* Passed to create; valid until destroy has returned. */
struct ifb_host {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor;
  const char* version; /* version of the host program, semver */
  /* [any] level: 0 trace, 1 debug, 2 info, 3 warn, 4 error, 5 critical. text: one complete line;
   * there are no format arguments. */
  void(IFB_CALL* log)(const ifb_host*, uint32_t level, ifb_str text);
  /* [any] the lowest level that the host does not drop. */
  uint32_t(IFB_CALL* log_level)(const ifb_host*);
  /* [any] monotonic nanoseconds; all times that a plugin reports must come from this clock. */
  uint64_t(IFB_CALL* now)(const ifb_host*);
  /* [any] the same run seed and stream give the same number on every machine. */
  uint64_t(IFB_CALL* seed)(const ifb_host*, uint64_t stream);
  /* [any] non-zero if the run is being stopped. */
  uint32_t(IFB_CALL* cancelled)(const ifb_host*);
  /* Within the calls of the handle for which the arena was received, so by one thread at a time:
   * returns zeroed, 16-byte aligned memory; NULL if the arena is exhausted. */
  void*(IFB_CALL* alloc)(const ifb_host*, ifb_arena*, size_t bytes);
  /* [any] one of the tables below; NULL if this host does not have the service. The table and
   * its functions live as long as ifb_host. */
  const void*(IFB_CALL* service)(const ifb_host*, const char* id);
  /* [any] nanoseconds since 1970-01-01 UTC, for dates and signatures only; never for latencies. */
  int64_t(IFB_CALL* unix_now)(const ifb_host*);
};

enum ifb_encode_flag {
  IFB_ENCODE_SPECIAL = 1 /* add the tokens that the model adds to each text */
};
enum ifb_decode_flag {
  IFB_DECODE_SKIP_SPECIAL = 1 /* leave special tokens out of the text */
};

/* The memory that its members point to lives as long as the tokenizer. */
typedef struct ifb_vocabulary {
  uint32_t struct_size;
  uint32_t added;              /* number of special tokens that encoding "" with SPECIAL adds */
  uint64_t size;               /* base vocabulary, without added tokens */
  uint64_t total_size;         /* with added tokens */
  const uint32_t* special_ids; /* special tokens that the configuration names, ascending */
  size_t special_id_count;
  /* The place that the tokenizer was loaded from: a folder, a file, "org/name@commit"; NULL: it
   * was not loaded. */
  const char* source;
  /* Lower-case hexadecimal digits over everything that determines ids and chat prompts. Data
   * that were made with one tokenizer may be used with another tokenizer of the same digest.
   * NULL: not known. */
  const char* digest;
  /* All ids that IFB_DECODE_SKIP_SPECIAL leaves out, ascending; they include special_ids. */
  const uint32_t* skipped_ids;
  size_t skipped_id_count;
} ifb_vocabulary;

/* The tokenizer with which this run counts.  The functions write at most `capacity` ids or
 * bytes.  *needed is the whole length, so that a caller whose buffer was too small can call
 * again.  If a function fails, the error, which may be NULL, has the reason. */
#define IFB_SERVICE_TOKENIZER "inferbench.service.tokenizer/1"
typedef struct ifb_tokenizer_service {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;
  /* [any] */
  ifb_status(IFB_CALL* vocabulary)(const ifb_host*, ifb_vocabulary* out, ifb_error*);
  /* [any] */
  ifb_status(IFB_CALL* count)(const ifb_host*, ifb_str text, uint32_t flags, uint64_t* out,
                              ifb_error*);
  /* [any] */
  ifb_status(IFB_CALL* encode)(const ifb_host*, ifb_str text, uint32_t flags, uint32_t* ids,
                               size_t capacity, size_t* needed, ifb_error*);
  /* [any] */
  ifb_status(IFB_CALL* decode)(const ifb_host*, const uint32_t* ids, size_t count, uint32_t flags,
                               char* text, size_t capacity, size_t* needed, ifb_error*);
  /* [any] Encodes two texts as one input, joined as the model joins a pair. For each id, type_ids
   * receives the number of the text to which the id belongs, 0 or 1. type_ids is NULL or has the
   * same capacity as ids. IFB_E_UNSUPPORTED if the tokenizer does not support pairs. */
  ifb_status(IFB_CALL* encode_pair)(const ifb_host*, ifb_str text, ifb_str pair, uint32_t flags,
                                    uint32_t* ids, uint32_t* type_ids, size_t capacity,
                                    size_t* needed, ifb_error*);
  /* [any] Renders a conversation to a prompt with the model's chat template. chat: a JSON object
   * with "messages" and, depending on the template, "tools", "documents",
   * "add_generation_prompt" and other variables. IFB_E_UNSUPPORTED if there is no template. The
   * message of any other error begins with the kind of the fault, "TemplateError: ...". */
  ifb_status(IFB_CALL* render)(const ifb_host*, ifb_str chat, char* text, size_t capacity,
                               size_t* needed, ifb_error*);
} ifb_tokenizer_service;

#define IFB_SERVICE_PROGRESS "inferbench.service.progress/1"
typedef struct ifb_progress_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] total: 0 if unknown; what: for example "reading ShareGPT" */
  void(IFB_CALL* report)(const ifb_host*, ifb_str what, uint64_t done, uint64_t total);
} ifb_progress_service;

/* The user's terminal, for reporters (R9). */
#define IFB_SERVICE_CONSOLE "inferbench.service.console/1"
typedef struct ifb_console_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] prints to standard output as a whole, not mixed with other output. */
  void(IFB_CALL* print)(const ifb_host*, ifb_str text);
  /* [any] tells the user where a file was written. what: for example "result" */
  void(IFB_CALL* artifact)(const ifb_host*, ifb_str what, ifb_str path);
} ifb_console_service;

/* Requests outside of all measurements, to the server under test or to another server. */
#define IFB_SERVICE_HTTP "inferbench.service.http/1"

/* One HTTP request.  A backend's views point into the arena, the sample or the exchange. */
typedef struct ifb_http_request {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str method;
  ifb_str target; /* path?query, appended to the base URL */
  /* The host adds headers, see ifb_http_codec.  A name that is repeated is sent once, with its last
   * value. */
  const ifb_field* headers;
  size_t header_count;
  const ifb_bytes* body; /* sent in order; large parts need not be copied */
  size_t body_count;
  /* For a request after IFB_MORE: the earliest time at which it is sent; 0: at once.  The schedule
   * alone determines the time of an exchange's first request. */
  uint64_t not_before_ns;
} ifb_http_request;

typedef struct ifb_http_answer {
  uint32_t struct_size;
  uint32_t status; /* the HTTP status */
  const ifb_field* headers;
  size_t header_count;
  ifb_bytes body;
} ifb_http_answer;

typedef struct ifb_http_service {
  uint32_t struct_size;
  uint32_t reserved;
  /* [any] Blocks.  If the target is a path such as "/tokenize", the host appends it to the base URL
   * and adds the API key and the user's headers.  If the target is a whole URL, it adds neither.
   * Returns IFB_OK for any HTTP status; the answer lives in `arena`.  timeout_ns 0: no limit. */
  ifb_status(IFB_CALL* request)(const ifb_host*, const ifb_http_request*, uint64_t timeout_ns,
                                ifb_arena* arena, ifb_http_answer* out, ifb_error*);
  /* [any] an arena for callers that have not received one; release frees it. */
  ifb_arena*(IFB_CALL* arena)(const ifb_host*);
  /* [any] */
  void(IFB_CALL* release)(const ifb_host*, ifb_arena*);
} ifb_http_service;

/* ---- the content of a library ------------------------------------------- */

typedef struct ifb_instance ifb_instance; /* the plugin's own object */

typedef uint32_t ifb_kind;
enum ifb_kind_code { IFB_BACKEND = 1, IFB_DATASET, IFB_REPORTER, IFB_TOKENIZER };

typedef struct ifb_plugin ifb_plugin;

/* Borrowed by create: create copies the data that it needs later. */
typedef struct ifb_config {
  uint32_t struct_size;
  uint32_t count; /* number of values; values[i] is the value of options[i] */
  const ifb_value* values;
  const ifb_plugin* plugin; /* the plugin to be created, as in ifb_library.plugins */
  const char* file;         /* absolute path of the library, without links */
} ifb_config;

/* Static, and so is everything that its members point to. */
struct ifb_plugin {
  uint32_t struct_size;
  ifb_kind kind;
  const char* id;      /* for example "openai-chat"; unique within its kind */
  const char* version; /* semver of the plugin itself */
  const char* summary; /* one sentence */
  const char* license; /* an SPDX identifier */
  const ifb_option* options;
  uint32_t option_count, option_stride;
  /* [control] The host has already checked the values and has set the defaults.  On failure *out is
   * not changed. */
  ifb_status(IFB_CALL* create)(const ifb_host*, const ifb_config*, ifb_instance** out, ifb_error*);
  /* [control] */
  void(IFB_CALL* destroy)(ifb_instance*);
  const char* const* interfaces; /* the ids that query accepts, NULL-terminated */
  /* [any] returns the operation table for an id, see below; NULL if not offered.  A pure function.
   * self: the plugin, as in ifb_library.plugins, so that one function can serve many plugins. */
  const void*(IFB_CALL* query)(const ifb_plugin* self, const char* id);
};

/* The struct and everything that it points to is constant and lives as long as the process. */
typedef struct ifb_library {
  uint32_t struct_size;
  uint16_t abi_major, abi_minor; /* version of the header with which the library was built */
  const char* sdk;               /* for bug reports, for example "c++ 1.0.0, g++ 12.2" */
  const ifb_plugin* const* plugins;
  uint32_t plugin_count;
  uint32_t reserved;
} ifb_library;

/* The only entry of a library.  It is pure and fast, and always returns the same pointer.  NULL:
 * the plugin cannot work with this version of the host.  The name of the entry contains the number
 * of the release candidate, so that a library built with another draft is not loaded; version 1.0
 * will be named inferbench_plugin_v1. */
typedef const ifb_library*(IFB_CALL* ifb_entry)(uint32_t host_major, uint32_t host_minor);
#define IFB_ENTRY_NAME "inferbench_plugin_v1_rc2"
IFB_EXPORT const ifb_library* IFB_CALL inferbench_plugin_v1_rc2(uint32_t host_major,
                                                                uint32_t host_minor);

/* ---- samples: data from a dataset to a backend ---------------------------
 *
 * A dataset fills in structs.  Their views point into the arena of the call or
 * into the dataset's instance.  For a backend a sample is borrowed until its
 * exchange or call is closed, and read-only, because other requests may share
 * it. */

enum ifb_part_kind {
  IFB_PART_TEXT = 1, /* data: UTF-8 */
  IFB_PART_IMAGE,    /* data: the encoded file; or uri */
  IFB_PART_AUDIO,
  IFB_PART_VIDEO,
  IFB_PART_FILE,
  IFB_PART_TOKENS, /* data: uint32_t[], 4-byte aligned */
  IFB_PART_JSON    /* data: a JSON value, which is sent unchanged */
};

typedef struct ifb_part {
  uint32_t struct_size;
  uint32_t kind;
  /* The media type; NULL for text, tokens and JSON.  Raw sound samples are little-endian:
   * "audio/pcm;rate=16000;format=f32;channels=1" (s16 unless f32). */
  const char* mime;
  ifb_bytes data; /* the content, or empty if uri is used */
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
  ifb_str json;   /* not empty: the whole message object, which is sent unchanged */
  int64_t tokens; /* its length in the client's count, for conversations; or -1 */
} ifb_message;

typedef struct ifb_message_list {
  const ifb_message* first;
  uint32_t count, stride;
} ifb_message_list;

/* The shape of a prompt.  A codec depends on it, and refuses a shape that its protocol cannot
 * express (IFB_E_UNSUPPORTED from open). */
enum ifb_prompt_shape {
  IFB_PROMPT_TEXT = 1,    /* prompt: one TEXT part; messages, if any: used by chat instead */
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
  ifb_message_list messages; /* complete chat messages; may be empty */
  ifb_part_list media;       /* in addition to the prompt; ignored if not supported */
  ifb_str id;                /* set by the host, unique in a run; may be empty */
  ifb_str model;             /* replaces the backend's model; may be empty */
  ifb_str session;           /* one per conversation, set by the host; empty: no conversation */
  uint32_t turn;             /* 0-based number of this request in the session */
  uint32_t reserved;
  /* Offset from the start of the run, or -1.  Ascends with the row, because the host sends the rows
   * in this order and refuses a row that arrives before its predecessor. */
  int64_t arrival_ns;
  int64_t input_tokens;      /* length of the prompt in the client's count, or -1 */
  int64_t output_tokens;     /* wanted length of the output, or -1 */
  ifb_str overrides;         /* JSON object laid over the request, or empty */
  const ifb_field* metadata; /* carried into the record untouched */
  size_t metadata_count;
} ifb_sample;
/* A sample in which every number is unknown and every list is empty. */
/* clang-format off */
#define IFB_SAMPLE_INIT {sizeof(ifb_sample), 0, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0}, {0, 0}, \
                         {0, 0}, 0, 0, -1, -1, -1, {0, 0}, 0, 0}
/* clang-format on */

/* ---- output events: data from a backend to the host ---------------------- */

typedef struct ifb_output ifb_output; /* belongs to the host, one per request */

enum ifb_channel {
  IFB_CHANNEL_ANSWER = 0,
  IFB_CHANNEL_REASONING,
  IFB_CHANNEL_TOOL_CALL,
  IFB_CHANNEL_AUDIO
};

/* One stream event that carries output.  An event without text (a role, a finish reason) is also
 * reported, with an empty text.  Figures that follow upstream's rules count such an event; the
 * host's own figures do not. */
typedef struct ifb_token {
  uint32_t struct_size;
  uint32_t count; /* number of tokens in text; 0 if the server did not send it */
  /* Index of the choice.  Every choice counts in the times and in the number of events.  The record
   * keeps the text of choice 0 only, or of the first choice that has text. */
  uint32_t choice;
  uint32_t channel; /* ifb_channel; text of an unknown channel is counted, not collected */
  ifb_str text;
  /* 0: the arrival of the bytes that completed this message; for an engine, the time of this call.
   * A codec may set an earlier time, between the sending of the request and the arrival. */
  uint64_t at;
  ifb_bytes data;   /* output that is not text, such as sound; counted like text, not collected */
  const char* mime; /* its media type, as in ifb_part; NULL if data is empty */
} ifb_token;
#define IFB_TOKEN_INIT {sizeof(ifb_token), 0, 0, 0, {0, 0}, 0, {0, 0}, 0}

typedef struct ifb_usage {
  uint32_t struct_size;
  uint32_t reserved;
  int64_t prompt_tokens, cached_tokens, output_tokens, reasoning_tokens;
} ifb_usage; /* -1: unknown; a known count replaces an earlier count */
#define IFB_USAGE_INIT {sizeof(ifb_usage), 0, -1, -1, -1, -1}

/* The end of a request that succeeded. */
typedef struct ifb_done {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_str finish_reason; /* or empty */
} ifb_done;
#define IFB_DONE_INIT {sizeof(ifb_done), 0, {0, 0}}

/* A codec calls these functions within the call that received them, on the same thread; an
 * engine may call them on [any thread].  Their inputs are borrowed until they return. */
typedef struct ifb_events { /* filled in by the host, constant for a run */
  uint32_t struct_size;
  uint32_t reserved;
  void(IFB_CALL* on_token)(ifb_output*, const ifb_token*);
  void(IFB_CALL* on_usage)(ifb_output*, const ifb_usage*);
  /* Stored in the record; if a key is repeated, both values are stored. */
  void(IFB_CALL* on_attribute)(ifb_output*, ifb_str key, ifb_str value);
  /* Exactly one of the next two functions must be called, exactly once, as the last call.  The host
   * ignores later calls and names the plugin. */
  void(IFB_CALL* on_done)(ifb_output*, const ifb_done*);
  void(IFB_CALL* on_error)(ifb_output*, const ifb_error*);
} ifb_events;

/* ---- backend, way 1: an HTTP codec that does no I/O --------------------- */

#define IFB_HTTP_CODEC "inferbench.http-codec/1"

typedef struct ifb_exchange ifb_exchange; /* belongs to the plugin, one per request */

enum ifb_framing {
  IFB_FRAMING_AUTO = 0, /* SSE for text/event-stream, otherwise WHOLE */
  IFB_FRAMING_WHOLE,    /* one message: the whole body */
  IFB_FRAMING_SSE,      /* one message: the data of one event */
  IFB_FRAMING_LINES,    /* one message: one line, without its line ending */
  IFB_FRAMING_RAW       /* one message: the bytes of one read */
};

enum ifb_codec_flag {
  /* The request has one answer instead of a stream of tokens (embeddings, rerank): the host
   * reports the pooling figures. */
  IFB_CODEC_POOLING = 1,
  /* The protocol accepts OpenAI's sampling fields; the host may put temperature, top_p and
   * similar fields into the option extra-body. */
  IFB_CODEC_SAMPLING = 2,
  /* The server makes a chat prompt from its input, with its own template. */
  IFB_CODEC_CHAT = 4,
  /* The codec authenticates its requests: the host adds no API key. */
  IFB_CODEC_AUTHORIZES = 8
};

typedef struct ifb_http_head {
  uint32_t struct_size;
  uint32_t status;
  const ifb_field* headers; /* the headers as received; compare names without case */
  size_t header_count;
} ifb_http_head;

/* One message of the answer, see ifb_framing. */
typedef struct ifb_http_message {
  uint32_t struct_size;
  uint32_t flags; /* 0 in this version */
  ifb_str event;  /* the name of the SSE event, or empty */
  ifb_bytes data;
  uint64_t at; /* arrival of the bytes that completed the message */
} ifb_http_message;

enum ifb_http_end_flag {
  IFB_HTTP_END_EARLY = 1 /* on_message returned IFB_END; the rest of the body is not known */
};

/* The end of the answer's body. */
typedef struct ifb_http_end {
  uint32_t struct_size;
  uint32_t flags;            /* ifb_http_end_flag */
  const ifb_field* trailers; /* the fields after a chunked body; usually none */
  size_t trailer_count;
} ifb_http_end;

/* The server to which a request is about to be sent. */
typedef struct ifb_http_target {
  uint32_t struct_size;
  uint32_t server;   /* index of the base URL */
  ifb_str scheme;    /* "http" or "https" */
  ifb_str authority; /* host[:port], the value of the header Host */
  ifb_str prefix;    /* the path of the base URL, which comes before the request's target */
  int64_t unix_ns;   /* the wall clock now, nanoseconds since 1970-01-01 UTC */
} ifb_http_target;

/* The order of calls; they come from one thread at a time:
 *   open -> request -> [sign] -> [on_head] -> on_message* -> on_end -> close
 *             ^________________________ IFB_MORE ___________|
 * open and request run before the request is due, so that serialising is never
 * a part of a latency.  The host splits the answer into messages and stamps
 * their arrival.  If the status is not 200, the host fails the request with the
 * body in the error, unless on_head chose a framing other than AUTO.  close may
 * be called in any state.
 *
 * HEADERS  In increasing priority: the host's defaults (User-Agent, Accept,
 * Accept-Encoding), the headers of the codec, the API key unless the codec has
 * IFB_CODEC_AUTHORIZES, the user's --header, the request id.  A name is sent
 * once, with the value of the highest priority; names are compared without case.
 * The host alone writes Content-Length and Transfer-Encoding.  A codec may
 * replace Host. */
typedef struct ifb_http_codec {
  uint32_t struct_size;
  uint32_t flags; /* ifb_codec_flag */
  /* [any] The host calls open on one instance on several threads.  The sample and the arena outlive
   * the exchange. */
  ifb_status(IFB_CALL* open)(ifb_instance*, const ifb_sample*, ifb_arena*, ifb_exchange** out,
                             ifb_error*);
  /* [any] Fills in *out.  It is called again after on_end returned IFB_MORE. */
  ifb_status(IFB_CALL* request)(ifb_exchange*, ifb_http_request* out, ifb_error*);
  /* [worker] Optional.  Chooses the framing of the body that follows. */
  ifb_status(IFB_CALL* on_head)(ifb_exchange*, const ifb_http_head*, uint32_t* framing, ifb_error*);
  /* [worker] IFB_END: the answer is complete.  The request then ends at this message: on_end
   * follows at once, no other message comes, and the host reads the rest of the body beside, or
   * closes the connection.  An error status fails the request. */
  ifb_status(IFB_CALL* on_message)(ifb_exchange*, const ifb_http_message*, const ifb_events*,
                                   ifb_output*, ifb_error*);
  /* [worker] The body has ended.  IFB_OK: the request is complete; IFB_MORE: another request
   * follows. */
  ifb_status(IFB_CALL* on_end)(ifb_exchange*, const ifb_http_end*, const ifb_events*, ifb_output*,
                               ifb_error*);
  /* [worker] The last call, in any state. */
  void(IFB_CALL* close)(ifb_exchange*);
  /* [worker] Optional.  Called right before the first byte of each request is sent, also when the
   * request is sent again or follows a redirect.  request: as the codec filled it in.  sign may
   * replace its headers and nothing else.  The call is part of the latency: digests of the body
   * belong into request(). */
  ifb_status(IFB_CALL* sign)(ifb_exchange*, const ifb_http_target*, ifb_http_request* request,
                             ifb_error*);
} ifb_http_codec;

/* ---- backend, way 2: an engine that performs the request itself --------- */

#define IFB_ENGINE "inferbench.engine/1"

typedef struct ifb_call ifb_call;

/* BLOCKING: submit returns only when the request is over */
enum ifb_engine_flag { IFB_ENGINE_BLOCKING = 1 };

typedef struct ifb_engine {
  uint32_t struct_size;
  uint32_t flags;
  /* [any] Workers call submit on one instance at the same time.  Until done/error, the events
   * may be called on [any thread].  The sample and the arena stay valid until release.  *out:
   * NULL, or the call to be cancelled and released.  If submit blocks, it may set *out before it
   * returns, with release order; from then on the call may be cancelled.  If submit fails, there
   * is no call, and submit must not have set *out. */
  ifb_status(IFB_CALL* submit)(ifb_instance*, const ifb_sample*, ifb_arena*, const ifb_events*,
                               ifb_output*, ifb_call** out, ifb_error*);
  /* [any] done/error must follow soon.  cancel has returned before release is called. */
  void(IFB_CALL* cancel)(ifb_call*);
  /* [worker] After done/error, and possibly before that call has returned to the engine: after
   * calling one of them, the engine touches nothing of the call, its sample or its arena. */
  void(IFB_CALL* release)(ifb_call*);
} ifb_engine;

/* ---- dataset ------------------------------------------------------------ */

#define IFB_DATASET_OPS "inferbench.dataset/1"

enum ifb_dataset_request_flag {
  /* The user wants the rows in the order of the data (--disable-shuffle).  A dataset that orders
   * its rows itself, instead of leaving this to the host (IFB_DATASET_SHUFFLE), does not shuffle
   * them. */
  IFB_DATASET_IN_ORDER = 1
};

typedef struct ifb_dataset_request {
  uint32_t struct_size;
  uint32_t flags; /* ifb_dataset_request_flag */
  int64_t wanted; /* number of samples the run needs; <= 0: all, or, if endless, any number */
  uint64_t seed;
} ifb_dataset_request;

enum ifb_dataset_flag {
  IFB_DATASET_SHUFFLE = 1,    /* the host may read the rows in any order */
  IFB_DATASET_OVERSAMPLE = 2, /* the host may read a row again if there are too few rows */
  IFB_DATASET_ARRIVALS = 4,   /* samples have arrival_ns */
  /* A row is a conversation (IFB_PROMPT_CHAT), and the host makes the requests from it.  There
   * is one request for each message of the user that begins the conversation or follows an
   * answer; it contains all messages before it.  The server's answers replace the recorded
   * answers.  The wanted length of an answer is the recorded message's tokens, otherwise the
   * sample's output_tokens. */
  IFB_DATASET_SESSIONS = 8,
  IFB_DATASET_ANONYMOUS = 16, /* samples are sent without a request id */
  /* The client's tokenizer made the prompts with a given length.  The host may compare their
   * lengths with the server's counts, and may ask the server to ignore end of sequence. */
  IFB_DATASET_SYNTHETIC = 32,
  /* The texts are chat prompts that were already rendered with the model's template.  The host
   * warns the user if the server would render them again. */
  IFB_DATASET_RENDERED = 64,
  /* Every row number has a sample.  The run must be limited by a number of requests or by a
   * duration. */
  IFB_DATASET_ENDLESS = 128,
  /* After prepare, read is [any]: the host may read several rows at the same time. */
  IFB_DATASET_PARALLEL = 256
};

typedef struct ifb_dataset_info {
  uint32_t struct_size;
  uint32_t flags; /* ifb_dataset_flag; added to the flags of ifb_dataset */
  int64_t rows;   /* number of rows that read() knows; -1: unknown, read until IFB_END */
} ifb_dataset_info;

/* Rows, and not samples, cross the boundary.  The host determines order, limit, repetition and
 * ids, so that all datasets are shuffled and repeated in the same way (docs/plugin-guide.md). */
typedef struct ifb_dataset {
  uint32_t struct_size;
  /* ifb_dataset_flag: the flags that hold whatever the options are, so that the host knows them
   * before create (SYNTHETIC, ARRIVALS, ENDLESS). */
  uint32_t flags;
  /* [control] Called once, before the first read; loads or indexes the data. */
  ifb_status(IFB_CALL* prepare)(ifb_instance*, const ifb_dataset_request*, ifb_dataset_info* out,
                                ifb_error*);
  /* [control] or, with IFB_DATASET_PARALLEL, [any].
   * Returns the sample of row `row`, which must be the same in every call. Views point
   * into the arena or into the instance.  IFB_SKIP: the row cannot be used; the message is the
   * reason and, after "; ", the place: "prompt too short; record 17".  The host counts skipped
   * rows, and reports each reason once, with its first place.  IFB_END: the row is past the end.
   * If rows is -1, rows are read in order from 0. */
  ifb_status(IFB_CALL* read)(ifb_instance*, uint64_t row, ifb_arena*, ifb_sample* out, ifb_error*);
} ifb_dataset;

/* ---- reporter ----------------------------------------------------------- */

#define IFB_REPORTER_OPS "inferbench.reporter/1"

/* One request.  Borrowed: valid until the call that received it returns. */
typedef struct ifb_record {
  uint32_t struct_size;
  uint32_t http_status;  /* 0: no answer */
  uint64_t sequence;     /* 0-based place in the schedule */
  uint64_t due_ns;       /* when the schedule wanted the request to start */
  uint64_t start_ns;     /* when it was allowed to start: it had its permit and its sample */
  uint64_t connected_ns; /* when its connection was usable (= start if it was reused) */
  uint64_t sent_ns;      /* when its first byte was passed to the kernel, or submit was called */
  uint64_t first_byte_ns;
  uint64_t first_token_ns, last_token_ns; /* upstream's rule: any event */
  uint64_t first_text_ns, last_text_ns;   /* own rule: events with text */
  uint64_t first_answer_ns;               /* own rule: text of the answer channel */
  uint64_t end_ns;                        /* when the answer was complete, or the request failed */
  int64_t sample_tokens;                  /* length of the prompt in the client's count */
  int64_t prompt_tokens;                  /* the server's count, else the client's count */
  int64_t output_tokens;                  /* the server's count, else counted from the text */
  int64_t wanted_tokens;
  int64_t cached_tokens, reasoning_tokens;
  uint64_t bytes_sent, bytes_received;
  ifb_status status; /* IFB_OK or the failure; IFB_E_CANCELLED and start_ns 0: never sent */
  uint32_t attribute_count;
  ifb_str id, session, error, finish_reason, text;
  const uint64_t* token_ns; /* one time for each on_token */
  size_t token_count;
  const ifb_field* attributes;
  uint64_t tls_ns; /* when the TLS handshake began; 0: reused or plain connection */
  uint32_t server; /* index of the base URL to which the request was sent */
  uint32_t turn;   /* 0-based number of this request in its session */
} ifb_record;

typedef struct ifb_quantile {
  double q, value; /* q is a fraction, such as 0.99 */
} ifb_quantile;

enum ifb_metric_flag {
  IFB_METRIC_INTEGER = 1,  /* value is a whole number */
  IFB_METRIC_SUMMARY = 2,  /* count, minimum, ..., quantiles are set */
  IFB_METRIC_SELECTED = 4, /* the user selected it (--percentile-metrics) */
  IFB_METRIC_UPSTREAM = 8  /* a figure of `vllm bench`, computed by upstream's rule */
};

/* One figure with its own description.  Borrowed like a record, with its names and its help. */
typedef struct ifb_metric {
  uint32_t struct_size;
  uint32_t flags;    /* ifb_metric_flag */
  const char* name;  /* "ttft", "request_throughput" */
  const char* unit;  /* "ms", "token/s", "1" */
  const char* title; /* "Time to First Token" */
  const char* label; /* "TTFT" */
  const char* help;  /* the formula, in one sentence */
  double value;      /* the scalar, or the mean */
  uint64_t count;
  double minimum, maximum, deviation, median;
  const ifb_quantile* quantiles; /* in the order in which the user requested them */
  size_t quantile_count;
} ifb_metric;

/* Live figures.  Borrowed like a record. */
typedef struct ifb_snapshot {
  uint32_t struct_size;
  uint32_t reserved;
  uint64_t at_ns; /* the time for which the figures hold */
  const ifb_metric* metrics;
  uint32_t metric_count, metric_stride;
  /* Facts as far as they are known, a JSON object: progress, accounting, http_status, errors,
   * client, series, log (docs/live.md). */
  ifb_str facts_json;
} ifb_snapshot;

enum ifb_run_flag {
  /* The records come from a journal (`inferbench report`): their times are not of the clock of
   * host->now(), and no snapshots come. */
  IFB_RUN_REPLAYED = 1
};

/* Borrowed during begin. */
typedef struct ifb_run {
  uint32_t struct_size;
  uint32_t flags;           /* ifb_run_flag */
  ifb_str name;             /* unique name of the run, valid as a file name */
  uint64_t started_ns;      /* when the traffic will begin, on the clock of the records */
  int64_t started_unix_ns;  /* the same moment in wall-clock time */
  ifb_str config_json;      /* the resolved plan, without secrets */
  ifb_str environment_json; /* the host, and the plugins with version and digest */
} ifb_run;

enum ifb_summary_flag {
  IFB_SUMMARY_INTERRUPTED = 1 /* the run was stopped before its end */
};

/* Borrowed during end. */
typedef struct ifb_summary {
  uint32_t struct_size;
  uint32_t flags;
  int64_t finished_unix_ns;
  const ifb_metric* metrics;
  uint32_t metric_count, metric_stride;
  ifb_str facts_json; /* facts beyond upstream's figures (accounting, errors); a JSON object */
} ifb_summary;

enum ifb_reporter_flag {
  /* The reporter reads ifb_record.token_ns only if its option save-detailed is on; if it does
   * not declare this option, never.  Otherwise token_ns may be NULL; token_count is always set. */
  IFB_REPORTER_STAMPS_IF_DETAILED = 1,
  /* snapshot is called about four times per second instead of once.  end is called before the end
   * of the reporters without this flag, so that a screen is gone before others print. */
  IFB_REPORTER_LIVE = 2
};

/* Each reporter has its own thread and queue, so a slow reporter does not delay the run.
 * begin and end are called once for an instance; each of several runs creates its own.
 * Records come in the order of completion.  If a reporter fails, the host drops it with a
 * warning, and the exit status of the run shows the failure. */
typedef struct ifb_reporter {
  uint32_t struct_size;
  uint32_t flags; /* ifb_reporter_flag */
  /* [control] */
  ifb_status(IFB_CALL* begin)(ifb_instance*, const ifb_run*, ifb_error*);
  /* [control] Optional. */
  ifb_status(IFB_CALL* records)(ifb_instance*, const ifb_record* first, size_t count, size_t stride,
                                ifb_error*);
  /* [control] Optional: live figures, about once per second; see IFB_REPORTER_LIVE. */
  ifb_status(IFB_CALL* snapshot)(ifb_instance*, const ifb_snapshot*, ifb_error*);
  /* [control] */
  ifb_status(IFB_CALL* end)(ifb_instance*, const ifb_summary*, ifb_error*);
} ifb_reporter;

/* ---- reporter of several runs ------------------------------------------- */

#define IFB_TABLE_REPORTER_OPS "inferbench.table-reporter/1"

/* A quantity by which the runs of a table are arranged.  Borrowed during begin. */
typedef struct ifb_axis {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;  /* "max_concurrency" */
  const char* unit;  /* "request/s", "1"; NULL: the values are not numbers */
  const char* title; /* "Maximum request concurrency" */
} ifb_axis;

/* A figure with the interval that contains its true value with the given confidence.  Borrowed
 * like its run or its point. */
typedef struct ifb_interval {
  uint32_t struct_size;
  uint32_t reserved;
  const char* name;      /* the figure: ifb_metric.name */
  const char* statistic; /* "mean", "median", "p99", "p99.9"; "value": the figure is a scalar */
  const char* unit;      /* ifb_metric.unit */
  double value;          /* of the point: the mean over its runs */
  double low, high;      /* -inf, +inf: no limit is known on this side */
  double confidence;     /* for example 0.95; 0: no interval was computed */
  /* Number of independent observations behind the interval, rounded down: requests for the interval
   * of a run, runs for the interval of a point. */
  uint64_t observations;
} ifb_interval;

/* Borrowed during begin. */
typedef struct ifb_table {
  uint32_t struct_size;
  uint32_t flags;  /* 0 in this version */
  ifb_str name;    /* name of the table, valid as a file name */
  ifb_str command; /* the command that makes the table, without secrets: "inferbench report A B" */
  const ifb_axis* axes;
  uint32_t axis_count, axis_stride;
  uint64_t run_count; /* number of runs; 0: not known before the end */
  int64_t started_unix_ns;
  ifb_str facts_json; /* a JSON object */
} ifb_table;

/* One run of a table.  Borrowed during the call, with everything that it points to. */
typedef struct ifb_table_run {
  uint32_t struct_size;
  uint32_t flags; /* 0 in this version */
  uint32_t index; /* 0-based number of the run in the table */
  uint32_t point; /* 0-based number of its point, see ifb_table_point */
  const ifb_run* run;
  const ifb_summary* summary; /* NULL in records, because the run has not ended */
  ifb_str source;             /* the file that the run comes from; empty: it comes from no file */
  ifb_str label;              /* unique in the table, for people */
  const ifb_field* axes;      /* the values as JSON; an axis without a value is left out */
  size_t axis_count;
  const ifb_interval* intervals; /* none in records */
  uint32_t interval_count, interval_stride;
} ifb_table_run;

/* Runs that repeat each other: the command made them with the same settings.  Borrowed during
 * end. */
typedef struct ifb_table_point {
  uint32_t struct_size;
  uint32_t flags;        /* 0 in this version */
  const ifb_field* axes; /* as in ifb_table_run */
  size_t axis_count;
  const uint32_t* runs; /* ifb_table_run.index, ascending */
  size_t run_count;
  const ifb_interval* figures; /* means over the runs of the point */
  uint32_t figure_count, figure_stride;
  ifb_str facts_json; /* a JSON object, or empty */
} ifb_table_point;

enum ifb_table_end_flag {
  IFB_TABLE_INTERRUPTED = 1 /* the command was stopped before its last run */
};

/* Borrowed during end. */
typedef struct ifb_table_end {
  uint32_t struct_size;
  uint32_t flags; /* ifb_table_end_flag */
  int64_t finished_unix_ns;
  const ifb_table_point* points; /* ifb_table_run.point is the index */
  uint32_t point_count, point_stride;
  ifb_str facts_json; /* facts of the table as a whole; a JSON object */
} ifb_table_end;

/* A reporter that shows several runs side by side.  A plugin offers this interface, ifb_reporter,
 * or both; the host uses one of the two for an instance, and begin is the first call.  The order of
 * the calls is
 *   begin -> (records* -> run)* -> end
 * Runs come one after the other; all records between two calls of run belong to the run that comes
 * next.  The server series, the goals and the steady window of a run are in its
 * ifb_summary.facts_json.  If a reporter fails, the host drops it with a warning, and the exit
 * status of the command shows the failure; the other reporters continue. */
typedef struct ifb_table_reporter {
  uint32_t struct_size;
  uint32_t flags; /* ifb_reporter_flag */
  /* [control] */
  ifb_status(IFB_CALL* begin)(ifb_instance*, const ifb_table*, ifb_error*);
  /* [control] Optional: records of the run `of`, in the order of completion. */
  ifb_status(IFB_CALL* records)(ifb_instance*, const ifb_table_run* of, const ifb_record* first,
                                size_t count, size_t stride, ifb_error*);
  /* [control] A run has ended. */
  ifb_status(IFB_CALL* run)(ifb_instance*, const ifb_table_run*, ifb_error*);
  /* [control] */
  ifb_status(IFB_CALL* end)(ifb_instance*, const ifb_table_end*, ifb_error*);
} ifb_table_reporter;

/* ---- tokenizer: a plugin kind and, through it, a host service ----------- */

#define IFB_TOKENIZER_OPS "inferbench.tokenizer/1"

/* The functions have the same meaning as in ifb_tokenizer_service.  [any] */
typedef struct ifb_tokenizer {
  uint32_t struct_size;
  uint32_t reserved;
  ifb_status(IFB_CALL* vocabulary)(const ifb_instance*, ifb_vocabulary* out, ifb_error*);
  /* Optional: by default the host counts the ids that encode returns. */
  ifb_status(IFB_CALL* count)(const ifb_instance*, ifb_str text, uint32_t flags, uint64_t* out,
                              ifb_error*);
  ifb_status(IFB_CALL* encode)(const ifb_instance*, ifb_str text, uint32_t flags, uint32_t* ids,
                               size_t capacity, size_t* needed, ifb_error*);
  ifb_status(IFB_CALL* decode)(const ifb_instance*, const uint32_t* ids, size_t count,
                               uint32_t flags, char* text, size_t capacity, size_t* needed,
                               ifb_error*);
  /* The next two functions are optional. */
  ifb_status(IFB_CALL* encode_pair)(const ifb_instance*, ifb_str text, ifb_str pair, uint32_t flags,
                                    uint32_t* ids, uint32_t* type_ids, size_t capacity,
                                    size_t* needed, ifb_error*);
  ifb_status(IFB_CALL* render)(const ifb_instance*, ifb_str chat, char* text, size_t capacity,
                               size_t* needed, ifb_error*);
} ifb_tokenizer;

#ifdef __cplusplus
}
#endif
#endif
