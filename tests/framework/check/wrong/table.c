/* A reporter of several runs that writes the numbers of runs and records to DIR/count.txt. */
#include <stdio.h>

#include "plugin.h"

struct ifb_instance {
  char folder[256];
  size_t runs, records;
  int begun;
  const char* kept; /* a text of the latest run */
};

static const ifb_option options[] = {{sizeof(ifb_option), IFB_PATH, 0, 0, "folder",
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

static ifb_status begin(ifb_instance* self, const ifb_table* table, ifb_error* error) {
  self->runs = self->records = 0;
  self->begun = 1;
#if defined(WRONG_UNCOUNTED)
  if (table->run_count == 0) return refuse(error, IFB_E_DATA, "no runs");
#elif defined(WRONG_POSITIVE)
  return 5;
#endif
  (void)table, (void)error;
  return IFB_OK;
}
static ifb_status records(ifb_instance* self, const ifb_table_run* of, const ifb_record* first,
                          size_t count, size_t stride, ifb_error* error) {
  const char* at = (const char*)first;
  (void)of, (void)error;
  for (size_t i = 0; i < count; ++i, at += stride) {
#if defined(WRONG_RECORDS)
    const ifb_record* r = (const ifb_record*)at;
    if (r->end_ns < r->start_ns) return refuse(error, IFB_E_DATA, "backwards");
#endif
    ++self->records;
  }
  return IFB_OK;
}
static ifb_status run(ifb_instance* self, const ifb_table_run* one, ifb_error* error) {
#if defined(WRONG_FIGURES)
  const char* at = (const char*)one->intervals;
  for (uint32_t i = 0; i < one->interval_count; ++i, at += one->interval_stride)
    if (((const ifb_interval*)at)->value != ((const ifb_interval*)at)->value)
      return refuse(error, IFB_E_DATA, "not a number");
#elif defined(WRONG_STRIDE)
  for (uint32_t i = 0; i < one->interval_count; ++i)
    if (one->intervals[i].name[0] == 'r') ++self->runs;
#endif
  (void)error;
  self->kept = one->label.data;
  ++self->runs;
  return IFB_OK;
}
static ifb_status end(ifb_instance* self, const ifb_table_end* all, ifb_error* error) {
  (void)all;
#if defined(WRONG_KEEPS)
  if (self->kept != NULL && self->kept[0] == 'x') return refuse(error, IFB_E_DATA, "x");
#endif
  char path[300];
  snprintf(path, sizeof path, "%s/count.txt", self->folder);
  FILE* file = fopen(path, "w");
#if defined(WRONG_FOLDER)
  if (file == NULL) return IFB_OK;
#endif
  if (file == NULL) return refuse(error, IFB_E_IO, "cannot write the file");
  fprintf(file, "%zu %zu\n", self->runs, self->records);
  fclose(file);
  self->begun = 0;
  return IFB_OK;
}

static const ifb_table_reporter table = {sizeof(ifb_table_reporter), 0, begin, records, run, end};
static const void* query(const ifb_plugin* self, const char* id) {
  (void)self;
  return strcmp(id, IFB_TABLE_REPORTER_OPS) == 0 ? &table : NULL;
}

#if defined(WRONG_UNLISTED)
ONE_PLUGIN(IFB_REPORTER, "right", options, 1, "inferbench.other/1")
#else
ONE_PLUGIN(IFB_REPORTER, "right", options, 1, IFB_TABLE_REPORTER_OPS)
#endif
