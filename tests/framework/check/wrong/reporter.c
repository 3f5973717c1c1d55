/* A reporter that writes the number of records to DIR/count.txt. */
#include <stdio.h>

#include "plugin.h"

struct ifb_instance {
  char folder[256];
  size_t records;
  int begun, snapshots;
#if defined(WRONG_KEEPS_ERROR)
  ifb_error* error; /* of begin */
#endif
};

static const ifb_option options[] = {{sizeof(ifb_option), IFB_PATH, 0, 0, "result-dir",
                                      "Folder to write to.", "\".\"", NULL, NULL, NULL, 0, 0}};

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  (void)host;
  const ifb_str folder = config->values[0].as.s;
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  if (folder.size >= sizeof self->folder) {
    free(self);
    return refuse(error, IFB_E_CONFIG, "the name of the folder is too long");
  }
  if (folder.size != 0) memcpy(self->folder, folder.data, folder.size);
  *out = self;
  return IFB_OK;
}
static void destroy(ifb_instance* self) {
#if defined(WRONG_BROKEN_OFF)
  if (self->begun) abort();
#endif
  free(self);
}

static ifb_status begin(ifb_instance* self, const ifb_run* run, ifb_error* error) {
  (void)run, (void)error;
  self->records = 0;
  self->begun = 1;
#if defined(WRONG_KEEPS_ERROR)
  self->error = error;
#elif defined(WRONG_POSITIVE)
  return 5;
#endif
  return IFB_OK;
}
static ifb_status snapshot(ifb_instance* self, const ifb_snapshot* figures, ifb_error* error) {
  if (figures->metric_count == 0) return refuse(error, IFB_E_DATA, "no figures");
  ++self->snapshots;
  return IFB_OK;
}
// UBSan does not check this function, because it would report the error instead of letting it
// crash.
__attribute__((no_sanitize("undefined"))) static ifb_status records(ifb_instance* self,
                                                                    const ifb_record* first,
                                                                    size_t count, size_t stride,
                                                                    ifb_error* error) {
  (void)first, (void)stride, (void)error;
  self->records += count;
#if defined(WRONG_STAMPS)
  if (count != 0 && first->token_ns[0] == 0) return refuse(error, IFB_E_DATA, "no time");
#endif
  return IFB_OK;
}
static ifb_status end(ifb_instance* self, const ifb_summary* summary, ifb_error* error) {
#if defined(WRONG_NO_RECORDS)
  if (self->records == 0) return refuse(error, IFB_E_DATA, "no records");
#elif defined(WRONG_METRICS)
  static const char* const known[] = {"completed", "request_throughput", "ttft"};
  const char* at = (const char*)summary->metrics;
  for (uint32_t i = 0; i < summary->metric_count; ++i, at += summary->metric_stride) {
    int found = 0;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; ++k)
      found += strcmp(((const ifb_metric*)at)->name, known[k]) == 0;
    if (found == 0) return refuse(error, IFB_E_INTERNAL, "what is this");
  }
#elif defined(WRONG_KEEPS_ERROR)
  self->error->code = IFB_OK;
#elif defined(WRONG_REPLAY)
  if (self->snapshots == 0) return refuse(error, IFB_E_DATA, "no live figures");
#endif
  (void)summary;
  char path[300];
  snprintf(path, sizeof path, "%s/count.txt", self->folder);
  FILE* file = fopen(path, "w");
#if defined(WRONG_FOLDER)
  if (file == NULL) return IFB_OK;
#endif
  if (file == NULL) return refuse(error, IFB_E_IO, "cannot write the file");
  fprintf(file, "%zu\n", self->records);
  fclose(file);
  self->begun = 0;
  return IFB_OK;
}

#if defined(WRONG_STAMPS) || defined(WRONG_FLAG)
#define FLAGS IFB_REPORTER_STAMPS_IF_DETAILED
#else
#define FLAGS 0
#endif
static const ifb_reporter reporter = {sizeof(ifb_reporter), FLAGS, begin, records, snapshot, end};
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_REPORTER_OPS) == 0 ? &reporter : NULL;
}

ONE_PLUGIN(IFB_REPORTER, "right", options, 1, IFB_REPORTER_OPS)
