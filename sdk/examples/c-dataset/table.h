/* The text of a file in memory, and the positions of its lines. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

typedef struct table_line {
  const char* data; /* no terminator */
  size_t size;      /* without the line end, \n or \r\n */
} table_line;

typedef struct table {
  char* text;
  table_line* lines;
  size_t count;
} table;

/* Returns 0 or an errno; with an errno *out is empty.  An empty file has no lines. */
int table_read(const char* path, table* out);
/* Frees the memory of a table.  The table is empty afterwards; an empty table is allowed, too. */
void table_free(table* t);

#endif
