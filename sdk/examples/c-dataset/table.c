#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the whole file into *text and *size. Returns 0 or an errno. */
static int read_all(FILE* file, char** text, size_t* size) {
  size_t room = 0;
  for (;;) {
    if (*size == room) {
      room = 2 * room + 4096;
      char* more = realloc(*text, room);
      if (more == NULL) return ENOMEM;
      *text = more;
    }
    errno = 0;
    const size_t got = fread(*text + *size, 1, room - *size, file);
    *size += got;
    if (got == 0) return ferror(file) ? (errno != 0 ? errno : EIO) : 0;
  }
}

/* Returns 0 or an errno. */
static int find_lines(table* t, size_t size) {
  size_t count = 1;
  for (size_t i = 0; i < size; ++i)
    count += t->text[i] == '\n';
  t->lines = calloc(count, sizeof *t->lines);
  if (t->lines == NULL) return ENOMEM;
  const char* at = t->text;
  const char* const end = t->text + size;
  while (at < end) {
    const char* stop = memchr(at, '\n', (size_t)(end - at));
    if (stop == NULL) stop = end;
    table_line* line = &t->lines[t->count++];
    line->data = at;
    line->size = (size_t)(stop - at);
    if (line->size > 0 && stop[-1] == '\r') --line->size;
    at = stop + 1;
  }
  return 0;
}

int table_read(const char* path, table* out) {
  const table empty = {NULL, NULL, 0};
  size_t size = 0;
  *out = empty;
  errno = 0;
  FILE* file = fopen(path, "rb");
  if (file == NULL) return errno != 0 ? errno : EIO;
  int problem = read_all(file, &out->text, &size);
  fclose(file);
  if (problem == 0) problem = find_lines(out, size);
  if (problem != 0) table_free(out);
  return problem;
}

void table_free(table* t) {
  const table empty = {NULL, NULL, 0};
  free(t->text);
  free(t->lines);
  *t = empty;
}
