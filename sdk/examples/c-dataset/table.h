/* A file of lines in memory: where each line begins and ends. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

typedef struct table_line {
  const char* data; /* no terminator */
  size_t size;      /* without the line's end, be it \n or \r\n */
} table_line;

typedef struct table {
  char* text;
  table_line* lines;
  size_t count;
} table;

/* 0, or an errno; *out is empty then.  An empty file has no lines. */
int table_read(const char* path, table* out);
/* Frees what table_read made; also an empty one, and twice. */
void table_free(table* t);

#endif
