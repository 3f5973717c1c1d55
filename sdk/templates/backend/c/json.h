/* As much JSON as a protocol needs: strings written, values found by their path.  No tree,
 * no recursion, no memory of its own.  Only what leads to a value is looked at, so a document
 * that is broken elsewhere is not noticed.  Replace it by the parser you like. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>

typedef struct json_view {
  const char* data;
  size_t size;
} json_view;

/* Room that a string of `size` bytes needs at most with its quotes. */
size_t json_quoted_size(size_t size);
/* Writes it, in quotes and escaped.  Returns the end. */
char* json_quote(char* to, const char* text, size_t size);
/* Copies text that is JSON already.  Returns the end; no zero is written behind it. */
char* json_append(char* to, const char* json);

/* Sets *out to the value at `path`, as in "choices.0.text".  0: there is none. */
int json_find(json_view document, const char* path, json_view* out);
/* The text of a JSON string, each byte in it that is no UTF-8 replaced by "?", and a zero behind
 * it; `to` has room for value.size bytes and one.  Returns its length: 0 when `value` is no
 * string, or malformed. */
size_t json_unquote(char* to, json_view value);
/* A whole number, or -1. */
int64_t json_integer(json_view value);

#endif
