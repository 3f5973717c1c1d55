/* Several plugins whose operation tables are short, long, empty or from elsewhere. */
#include <string.h>

#include "fixture.h"

static ifb_status prepare(ifb_instance* self, const ifb_dataset_request* request,
                          ifb_dataset_info* out, ifb_error* error) {
  (void)self, (void)request, (void)out, (void)error;
  return IFB_OK;
}
static ifb_status read(ifb_instance* self, uint64_t row, ifb_arena* arena, ifb_sample* out,
                       ifb_error* error) {
  (void)self, (void)row, (void)arena, (void)out, (void)error;
  return IFB_END;
}

/* short: as if the table ended before read. */
static const ifb_dataset short_table = {offsetof(ifb_dataset, read), 0, prepare, read};
static const void* query_short(const char* id) {
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &short_table : NULL;
}
static const char* const dataset_ids[] = {IFB_DATASET_OPS, NULL};

/* missing: long enough, but read is not there. */
static const ifb_dataset missing_table = {sizeof(ifb_dataset), 0, prepare, NULL};
static const void* query_missing(const char* id) {
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &missing_table : NULL;
}

/* future: table and descriptor have members that this host has never heard of. */
static const struct {
  ifb_dataset known;
  void (*unknown)(void);
} future_table = {{sizeof future_table, 0, prepare, read}, NULL};
static const void* query_future(const char* id) {
  return strcmp(id, IFB_DATASET_OPS) == 0 ? &future_table : NULL;
}
struct future_option {
  ifb_option known;
  double unknown;
};
static const struct future_option future_options[] = {
    {{sizeof(struct future_option), IFB_INT, 0, 0, "first", "One.", "1", NULL, NULL, NULL, 0, 0},
     1.0},
    {{sizeof(struct future_option), IFB_INT, 0, 0, "second", "Two.", "2", NULL, NULL, NULL, 0, 0},
     2.0}};

/* other: offers an interface of another version. */
static const char* const other_ids[] = {"inferbench.dataset/2", "acme.extra/1", NULL};

/* texts: NULL where a text may be left out. */
static ifb_status begin(ifb_instance* self, const ifb_run* run, ifb_error* error) {
  (void)self, (void)run, (void)error;
  return IFB_OK;
}
static ifb_status end(ifb_instance* self, const ifb_summary* summary, ifb_error* error) {
  (void)self, (void)summary, (void)error;
  return IFB_OK;
}
static const ifb_reporter quiet_table = {sizeof(ifb_reporter), 0, begin, NULL, NULL, end};
static const void* query_quiet(const char* id) {
  return strcmp(id, IFB_REPORTER_OPS) == 0 ? &quiet_table : NULL;
}

/* tokenizer without a count of its own; three ids for any text. */
static ifb_status vocabulary(const ifb_instance* self, ifb_vocabulary* out) {
  (void)self, (void)out;
  return IFB_OK;
}
static ifb_status encode(const ifb_instance* self, ifb_str text, uint32_t flags, uint32_t* ids,
                         size_t capacity, size_t* needed) {
  (void)self, (void)flags, (void)ids, (void)capacity;
  if (text.size == 0) return IFB_E_DATA;
  *needed = 3;
  return IFB_OK;
}
static ifb_status decode(const ifb_instance* self, const uint32_t* ids, size_t count,
                         uint32_t flags, char* text, size_t capacity, size_t* needed) {
  (void)self, (void)ids, (void)count, (void)flags, (void)text, (void)capacity, (void)needed;
  return IFB_OK;
}
static const ifb_tokenizer tokens_table = {
    sizeof(ifb_tokenizer), 0, vocabulary, NULL, encode, decode, NULL, NULL};
static const void* query_tokens(const char* id) {
  return strcmp(id, IFB_TOKENIZER_OPS) == 0 ? &tokens_table : NULL;
}

static const ifb_plugin short_one = {
    sizeof(ifb_plugin), IFB_DATASET, "short", "1.0.0", "x", "x", NULL, 0, 0, create, destroy,
    dataset_ids,        query_short};
static const ifb_plugin missing_one = {
    sizeof(ifb_plugin), IFB_DATASET,  "missing", "1.0.0", "x", "x", NULL, 0, 0, create, destroy,
    dataset_ids,        query_missing};
static const struct {
  ifb_plugin known;
  const char* unknown;
} future_one = {
    {sizeof future_one, IFB_DATASET, "future", "1.0.0", "x", "x", &future_options[0].known, 2,
     sizeof(struct future_option), create, destroy, dataset_ids, query_future},
    "?"};
static const ifb_plugin other_one = {
    sizeof(ifb_plugin), IFB_DATASET, "other", "1.0.0", "x", "x", NULL, 0, 0, create, destroy,
    other_ids,          nothing};
static const ifb_plugin quiet_one = {sizeof(ifb_plugin),
                                     IFB_REPORTER,
                                     "quiet",
                                     "1.0.0",
                                     NULL,
                                     NULL,
                                     NULL,
                                     0,
                                     0,
                                     create,
                                     destroy,
                                     NULL,
                                     query_quiet};
static const ifb_plugin tokens_one = {sizeof(ifb_plugin),
                                      IFB_TOKENIZER,
                                      "tokens",
                                      "1.0.0",
                                      "x",
                                      "x",
                                      NULL,
                                      0,
                                      0,
                                      create,
                                      destroy,
                                      NULL,
                                      query_tokens};
static const ifb_plugin unknown_kind = FIXTURE_PLUGIN(77, "from-the-future");

FIXTURE_LIBRARY(IFB_ABI_MAJOR, IFB_ABI_MINOR + 3, &short_one, &missing_one, &future_one.known,
                &other_one, &quiet_one, &tokens_one, &unknown_kind)
