/* A tokenizer in C99 that needs only abi.h: each byte of a text is a token, and the value of the
 * byte is the id.  A special token marks the beginning.  There is no state, so any thread may call
 * the functions. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <inferbench/abi.h>

static ifb_status fail(ifb_error* error, ifb_status code, const char* message, uint32_t number) {
  if (error == NULL) return code;
  error->code = code;
  error->option = -1;
  snprintf(error->message, sizeof error->message, "%s %" PRIu32, message, number);
  return code;
}

static const uint32_t beginning = 256;

/* All instances share one object, because there is no state. */
struct ifb_instance {
  char nothing;
};
static ifb_instance the_instance;

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  (void)host, (void)config, (void)error;
  *out = &the_instance;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) { (void)self; }

static ifb_status IFB_CALL vocabulary(const ifb_instance* self, ifb_vocabulary* out,
                                      ifb_error* error) {
  ifb_vocabulary known;
  (void)self, (void)error;
  memset(&known, 0, sizeof known);
  /* The host's struct may be longer or shorter than the struct of this header; struct_size is
   * its size (rule R3 in abi.h).  Do not write more than that, and keep struct_size. */
  known.struct_size = out->struct_size;
  known.added = 1;
  /* A single byte of 128 or more is not valid UTF-8, so random prompts must not contain such ids.
   */
  known.size = 128;
  known.total_size = beginning + 1;
  known.special_ids = known.skipped_ids = &beginning;
  known.special_id_count = known.skipped_id_count = 1;
  memcpy(out, &known, out->struct_size < sizeof known ? out->struct_size : sizeof known);
  return IFB_OK;
}

/* encode and decode fill the buffer, and return the length of the whole result in *needed.  They
 * refuse flags that they do not know, because the count would be wrong. */
static ifb_status IFB_CALL encode(const ifb_instance* self, ifb_str text, uint32_t flags,
                                  uint32_t* ids, size_t capacity, size_t* needed,
                                  ifb_error* error) {
  const size_t special = (flags & IFB_ENCODE_SPECIAL) != 0;
  (void)self;
  const uint32_t unknown = flags & ~(uint32_t)IFB_ENCODE_SPECIAL;
  if (unknown != 0)
    return fail(error, IFB_E_UNSUPPORTED, "this tokenizer does not know the flags", unknown);
  *needed = text.size + special;
  for (size_t i = 0; i < *needed && i < capacity; ++i)
    ids[i] = i < special ? beginning : (unsigned char)text.data[i - special];
  return IFB_OK;
}

static ifb_status IFB_CALL decode(const ifb_instance* self, const uint32_t* ids, size_t count,
                                  uint32_t flags, char* text, size_t capacity, size_t* needed,
                                  ifb_error* error) {
  size_t size = 0;
  (void)self;
  const uint32_t unknown = flags & ~(uint32_t)IFB_DECODE_SKIP_SPECIAL;
  if (unknown != 0)
    return fail(error, IFB_E_UNSUPPORTED, "this tokenizer does not know the flags", unknown);
  for (size_t i = 0; i < count; ++i) {
    /* The token that marks the beginning has no text, whatever `flags` is. */
    if (ids[i] == beginning) continue;
    if (ids[i] > beginning) return fail(error, IFB_E_DATA, "there is no token", ids[i]);
    if (size < capacity) text[size] = (char)ids[i];
    ++size;
  }
  *needed = size;
  return IFB_OK;
}

/* ---- the description of the library ---------------------------------------- */

/* There is no function count, so the host uses the number of ids from encode. */
static const ifb_tokenizer tokenizer = {
    sizeof tokenizer, 0, vocabulary, NULL, encode, decode, NULL, NULL,
};
static const char* const interfaces[] = {IFB_TOKENIZER_OPS, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_TOKENIZER_OPS) == 0 ? &tokenizer : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_TOKENIZER,
    "my-example",
    "0.1.0",
    "A token for each byte.",
    "Apache-2.0",
    NULL,
    0,
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
