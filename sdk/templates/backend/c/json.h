/* The JSON functions that a protocol needs: they write strings, and find values by their path.
 * There is no tree, no recursion and no allocation.  A search reads only the path to the value, so
 * it does not detect errors elsewhere in the document.  You can use another parser instead. */
#ifndef JSON_H
#define JSON_H

#include <stddef.h>
#include <stdint.h>

typedef struct json_view {
  const char* data;
  size_t size;
} json_view;

/* Returns the largest size of the JSON text of a string of `size` bytes, including its quotes. */
size_t json_quoted_size(size_t size);
/* Writes the string in quotes and escaped.  Returns the end. */
char* json_quote(char* to, const char* text, size_t size);
/* Copies JSON text.  Returns the end; writes no terminating zero. */
char* json_append(char* to, const char* json);

/* Sets *out to the value at `path`, for example "choices.0.text".  Returns 0 if it is missing. */
int json_find(json_view document, const char* path, json_view* out);
/* Writes the text of a JSON string with a terminating zero; "?" replaces each byte that is not
 * UTF-8.  `to` must have room for value.size + 1 bytes.  Returns the length of the text; 0 if
 * `value` is not a string or is malformed. */
size_t json_unquote(char* to, json_view value);
/* Returns the value of a non-negative integer, or -1. */
int64_t json_integer(json_view value);

#endif
