/* The text of a file in memory, and the positions of its lines. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

typedef struct table_line {
  const char* data; /* not NUL-terminated */
  size_t size;      /* without the line ending, \n or \r\n */
} table_line;

typedef struct table {
  char* text;
  table_line* lines;
  size_t count;
} table;

/* Returns 0 or an errno; after an error *out is empty.  An empty file has no lines. */
int table_read(const char* path, table* out);
/* Frees the memory of a table.  The table is empty afterwards; it may already be empty before. */
void table_free(table* t);

#endif
