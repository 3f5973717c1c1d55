/* A dataset: each line of a file is the length of a prompt, followed by the prompt. */
#include <stdio.h>
#include <sys/stat.h>

#include "dataset.h"

struct ifb_instance {
  const ifb_host* host;
  char path[512];
  char* text;
  size_t size;
};

static const ifb_option options[] = {
    {sizeof(ifb_option), IFB_PATH, IFB_OPT_REQUIRED | IFB_OPT_GENERAL, 0, "path", "File to read.",
     NULL, NULL, NULL, NULL, 0, 0},
#if defined(WRONG_SECOND) || defined(WRONG_MAKES) || defined(WRONG_FOLDER)
    {sizeof(ifb_option), IFB_PATH, 0, 0, "other", "File that greets, or a cache.", NULL, NULL, NULL,
     NULL, 0, 0},
#endif
};

/* Aborts if the file of the second option is damaged. */
#if defined(WRONG_SECOND)
static ifb_status greet(ifb_str path, ifb_error* error) {
  char name[512] = "", line[16] = "";
  if (path.size == 0) return IFB_OK;
  if (path.size >= sizeof name) return refuse(error, IFB_E_CONFIG, "the path is too long");
  memcpy(name, path.data, path.size);
  FILE* file = fopen(name, "r");
  if (file == NULL) return refuse(error, IFB_E_IO, "cannot read the other file");
  if (fgets(line, sizeof line, file) == NULL || strcmp(line, "7 hello\n") != 0) abort();
  fclose(file);
  return IFB_OK;
}
#endif

/* Not a fault: creates the folder of a cache and its parents if they do not exist. */
#if defined(WRONG_MAKES)
static void make(ifb_str path) {
  char name[512] = "";
  if (path.size >= sizeof name - 1 || path.size == 0) return;
  memcpy(name, path.data, path.size);
  name[path.size] = '/';
  for (char* at = strchr(name + 1, '/'); at != NULL; at = strchr(at + 1, '/')) {
    *at = '\0';
    mkdir(name, 0700);
    *at = '/';
  }
}
#endif

static ifb_status create(const ifb_host* host, const ifb_config* config, ifb_instance** out,
                         ifb_error* error) {
  const ifb_str path = config->values[0].as.s;
#if defined(WRONG_SECOND)
  const ifb_status greeted = greet(config->values[1].as.s, error);
  if (greeted != IFB_OK) return greeted;
#elif defined(WRONG_MAKES)
  make(config->values[1].as.s);
#endif
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  if (path.size >= sizeof self->path) {
    free(self);
    return refuse(error, IFB_E_CONFIG, "the path is too long");
  }
  if (path.size != 0) memcpy(self->path, path.data, path.size);
  self->host = host;
  *out = self;
  return IFB_OK;
}
static void destroy(ifb_instance* self) {
  free(self->text);
  free(self);
}

static ifb_status prepare(ifb_instance* self, const ifb_dataset_request* request,
                          ifb_dataset_info* out, ifb_error* error) {
  (void)request;
  FILE* file = fopen(self->path, "r");
#if defined(WRONG_MISSING)
  if (file == NULL) return IFB_OK;
#endif
  if (file == NULL) return refuse(error, IFB_E_IO, "cannot read the file");
  self->text = calloc(1, 4096);
  if (self->text != NULL) self->size = fread(self->text, 1, 4095, file);
  fclose(file);
  if (self->text == NULL) return refuse(error, IFB_E_MEMORY, "out of memory");
  for (size_t i = 0; i < self->size; ++i)
    out->rows += self->text[i] == '\n';
  return IFB_OK;
}

static ifb_status read(ifb_instance* self, uint64_t row, ifb_arena* arena, ifb_sample* out,
                       ifb_error* error) {
  const char* line = self->text;
  const char* const end = line + self->size;
  const char* stop = NULL;
  for (uint64_t i = 0; line != NULL; ++i, line = stop + 1) {
    stop = line == end ? NULL : memchr(line, '\n', (size_t)(end - line));
    if (stop == NULL) return IFB_END;
    if (i == row) break;
  }
  if (line == NULL) return IFB_END;
  char* number = NULL;
  const size_t size = strtoul(line, &number, 10);
  const size_t there = (size_t)(stop - line);
#if defined(WRONG_DAMAGED)
  if (size > there) abort();
#endif
  if (size > there) return refuse(error, IFB_E_DATA, "the line is shorter than it says");
  return fill(self->host, arena, line, there, out, error);
}

ONE_DATASET(options, sizeof options / sizeof options[0], 0)
