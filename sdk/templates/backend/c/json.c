#include "json.h"

#include <stdio.h>
#include <string.h>

size_t json_quoted_size(size_t size) { return 6 * size + 2; }

char* json_quote(char* to, const char* text, size_t size) {
  static const char digits[] = "0123456789abcdef";
  *to++ = '"';
  for (size_t i = 0; i < size; ++i) {
    const unsigned char c = (unsigned char)text[i];
    if (c < 0x20) {
      to = json_append(to, "\\u00");
      *to++ = digits[c >> 4];
      *to++ = digits[c & 15];
      continue;
    }
    if (c == '"' || c == '\\') *to++ = '\\';
    *to++ = (char)c;
  }
  *to++ = '"';
  return to;
}

char* json_append(char* to, const char* json) {
  const size_t size = strlen(json);
  memcpy(to, json, size);
  return to + size;
}

static size_t skip_blanks(json_view text, size_t at) {
  while (at < text.size && strchr(" \t\r\n", text.data[at]) != NULL && text.data[at] != '\0')
    ++at;
  return at;
}

/* Returns the position after the string that begins at `at`; 0 if the string does not end. */
static size_t string_end(json_view text, size_t at) {
  for (size_t i = at + 1; i < text.size; ++i) {
    if (text.data[i] == '\\')
      ++i;
    else if (text.data[i] == '"')
      return i + 1;
  }
  return 0;
}

/* Returns the position after the value that begins at `at`; 0 if the value does not end. */
static size_t value_end(json_view text, size_t at) {
  size_t depth = 0;
  for (size_t i = at; i < text.size;) {
    const char c = text.data[i];
    const int closes = c == '}' || c == ']';
    if (c == '"') {
      i = string_end(text, i);
      if (i == 0 || depth == 0) return i;
      continue;
    }
    if (depth == 0 && (closes || c == ',')) return i;
    ++i;
    if (c == '{' || c == '[') ++depth;
    if (closes && --depth == 0) return i;
  }
  return depth == 0 ? text.size : 0;
}

/* Finds a member of an object by its name, or an element of an array by its index. */
static int member(json_view from, const char* step, size_t step_size, json_view* out) {
  if (from.size == 0 || (from.data[0] != '{' && from.data[0] != '[')) return 0;
  size_t at = skip_blanks(from, 1);
  for (unsigned index = 0;; ++index) {
    char number[16];
    const char* name = number;
    size_t name_size = (size_t)snprintf(number, sizeof number, "%u", index);
    if (from.data[0] == '{') {
      if (at >= from.size || from.data[at] != '"') return 0;
      const size_t end = string_end(from, at);
      if (end == 0) return 0;
      name = from.data + at + 1;
      name_size = end - at - 2;
      at = skip_blanks(from, end);
      if (at >= from.size || from.data[at] != ':') return 0;
      at = skip_blanks(from, at + 1);
    }
    size_t end = value_end(from, at);
    if (end <= at) return 0;
    if (name_size == step_size && memcmp(name, step, step_size) == 0) {
      out->data = from.data + at;
      while (strchr(" \t\r\n", from.data[end - 1]) != NULL && from.data[end - 1] != '\0')
        --end;
      out->size = end - at;
      return 1;
    }
    at = skip_blanks(from, end);
    if (at >= from.size || from.data[at] != ',') return 0;
    at = skip_blanks(from, at + 1);
  }
}

int json_find(json_view document, const char* path, json_view* out) {
  const size_t begin = skip_blanks(document, 0);
  if (begin == document.size) return 0; /* document.data may be NULL, so no offset is added to it */
  json_view value = {document.data + begin, document.size - begin};
  for (;;) {
    const size_t size = strcspn(path, ".");
    if (!member(value, path, size, &value)) return 0;
    if (path[size] == '\0') break;
    path += size + 1;
  }
  *out = value;
  return 1;
}

/* Returns the value of four hexadecimal digits at `at`, or -1. */
static int32_t hex(json_view text, size_t at) {
  int32_t out = 0;
  if (text.size < 4 || at > text.size - 4) return -1;
  for (size_t i = at; i < at + 4; ++i) {
    const char c = text.data[i];
    const int digit = c >= '0' && c <= '9'   ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) return -1;
    out = out << 4 | digit;
  }
  return out;
}

static char* append_utf8(char* to, int32_t code) {
  if (code < 0x80) {
    *to++ = (char)code;
    return to;
  }
  const int follow = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  static const int lead[] = {0, 0xC0, 0xE0, 0xF0};
  *to++ = (char)(lead[follow] | code >> (6 * follow));
  for (int i = follow - 1; i >= 0; --i)
    *to++ = (char)(0x80 | (code >> (6 * i) & 0x3F));
  return to;
}

/* Returns the length of the UTF-8 sequence at `at`; 0 if it is not valid. */
static size_t sequence(const char* at, const char* end) {
  const unsigned char lead = (unsigned char)at[0];
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  if (length > (size_t)(end - at)) return 0;
  for (size_t i = 1; i < length; ++i) {
    const unsigned char c = (unsigned char)at[i];
    /* Refuse overlong forms, surrogates and code points above U+10FFFF. */
    const unsigned char low = i > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    const unsigned char high = i > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (c < low || c > high) return 0;
  }
  return length;
}

size_t json_unquote(char* to, json_view value) {
  static const char from[] = "\"\\/bfnrt";
  static const char meant[] = "\"\\/\b\f\n\r\t";
  char* const begin = to;
  *to = '\0';
  if (value.size < 2 || value.data[0] != '"' || string_end(value, 0) != value.size) return 0;
  for (size_t i = 1; i + 1 < value.size; ++i) {
    char c = value.data[i];
    if (c == '\\') {
      c = value.data[++i];
      const char* which = c == '\0' ? NULL : strchr(from, c);
      if (which != NULL) {
        c = meant[which - from];
      } else {
        int32_t code = c == 'u' ? hex(value, i + 1) : -1;
        if (code < 0) return *begin = '\0', 0;
        i += 4;
        if (code >= 0xD800 && code < 0xDC00 && i + 2 < value.size && value.data[i + 1] == '\\' &&
            value.data[i + 2] == 'u') {
          const int32_t low = hex(value, i + 3);
          if (low >= 0xDC00 && low < 0xE000) {
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
            i += 6;
          }
        }
        /* An unpaired surrogate is not a character. */
        to = append_utf8(to, code >= 0xD800 && code < 0xE000 ? 0xFFFD : code);
        continue;
      }
      *to++ = c;
      continue;
    }
    /* Texts of the contract must be UTF-8 (rule R1 in abi.h), but a server may send other bytes. */
    const size_t length = sequence(value.data + i, value.data + value.size);
    memcpy(to, length > 0 ? value.data + i : "?", length > 0 ? length : 1);
    to += length > 0 ? length : 1;
    i += length > 1 ? length - 1 : 0;
  }
  *to = '\0';
  return (size_t)(to - begin);
}

int64_t json_integer(json_view value) {
  int64_t out = 0;
  size_t i = 0;
  /* 18 digits cannot overflow. */
  if (value.size == 0 || value.size > 18) return -1;
  for (; i < value.size && value.data[i] >= '0' && value.data[i] <= '9'; ++i)
    out = 10 * out + (value.data[i] - '0');
  return i == value.size ? out : -1;
}
