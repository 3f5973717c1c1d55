/* A tokenizer with a token for each byte. Ids above 127 decode to a question mark. */
#include "plugin.h"

struct ifb_instance {
  int nothing;
};

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)host, (void)config;
  *out = malloc(sizeof **out);
  return *out != NULL ? IFB_OK : refuse(error, IFB_E_MEMORY, "out of memory");
}
static void destroy(ifb_instance* self) { free(self); }

/* Refuses the bits of `flags` that version 1.0 of abi.h does not have. */
static ifb_status judge_flags(uint32_t flags, ifb_error* error) {
  const uint32_t known = (uint32_t)IFB_ENCODE_SPECIAL | (uint32_t)IFB_DECODE_SKIP_SPECIAL;
#if defined(WRONG_FLAGS)
  return IFB_OK;
#elif defined(WRONG_NULL_ERROR)
  if ((flags & ~known) != 0) error->option = -1;
#endif
  return (flags & ~known) == 0 ? IFB_OK : refuse(error, IFB_E_UNSUPPORTED, "unknown flag");
}

static ifb_status vocabulary(const ifb_instance* self, ifb_vocabulary* out, ifb_error* error) {
  (void)self, (void)error;
  out->size = 128;
#if defined(WRONG_VOCABULARY)
  out->total_size = 100;
#else
  out->total_size = 256;
#endif
#if defined(WRONG_POSITIVE)
  return IFB_END;
#endif
  return IFB_OK;
}
static ifb_status count(const ifb_instance* self, ifb_str from, uint32_t flags, uint64_t* out,
                        ifb_error* error) {
  (void)self;
  *out = from.size;
#if defined(WRONG_COUNT)
  if ((flags & IFB_ENCODE_SPECIAL) != 0) ++*out;
#endif
  return judge_flags(flags, error);
}
static ifb_status encode(const ifb_instance* self, ifb_str from, uint32_t flags, uint32_t* ids,
                         size_t capacity, size_t* needed, ifb_error* error) {
  (void)self;
#if defined(WRONG_ROOM)
  if (capacity != 0) capacity = from.size;
#endif
  for (size_t i = 0; i < from.size && i < capacity; ++i)
    ids[i] = (unsigned char)from.data[i];
  *needed = from.size;
  return judge_flags(flags, error);
}
static ifb_status decode(const ifb_instance* self, const uint32_t* ids, size_t size, uint32_t flags,
                         char* to, size_t capacity, size_t* needed, ifb_error* error) {
  (void)self;
#if defined(WRONG_DECODE)
  for (size_t i = 0; i < size; ++i)
    if (ids[i] > 127) return refuse(error, IFB_E_DATA, "this id is above 127");
#endif
  for (size_t i = 0; i < size && i < capacity; ++i)
    to[i] = ids[i] > 127 ? '?' : (char)ids[i];
  *needed = size;
  return judge_flags(flags, error);
}
#if defined(WRONG_RENDER)
static ifb_status render(const ifb_instance* self, ifb_str chat, char* to, size_t capacity,
                         size_t* needed, ifb_error* error) {
  (void)self, (void)chat, (void)error;
  if (capacity != 0) *to = '\xFF';
  *needed = 1;
  return IFB_OK;
}
#else
#define render NULL
#endif

#if defined(WRONG_RESERVED)
#define RESERVED 7
#else
#define RESERVED 0
#endif
static const ifb_tokenizer tokenizer = {
    sizeof(ifb_tokenizer), RESERVED, vocabulary, count, encode, decode, NULL, render};
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_TOKENIZER_OPS) == 0 ? &tokenizer : NULL;
}

ONE_PLUGIN(IFB_TOKENIZER, "right", NULL, 0, IFB_TOKENIZER_OPS)
