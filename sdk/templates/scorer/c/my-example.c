/* A scorer in C99 that needs only the headers of the SDK: an answer is right if its last number is
 * the number that the dataset expects. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <inferbench/draft/scorer.h>

static ifb_status fail(ifb_error* error, ifb_status code, const char* message) {
  error->code = code;
  error->option = -1;
  snprintf(error->message, sizeof error->message, "%s", message);
  return code;
}

enum { OPTION_TOLERANCE, OPTION_COUNT };

static const ifb_option options[OPTION_COUNT] = {
    {sizeof(ifb_option), IFB_FLOAT, 0, 0, "tolerance",
     "Largest difference from the expected number.", "0.0", NULL, NULL, NULL, 0, 1e9},
};

struct ifb_instance {
  const ifb_host* host;
  double tolerance;
};

static ifb_status IFB_CALL create(const ifb_host* host, const ifb_config* config,
                                  ifb_instance** out, ifb_error* error) {
  ifb_instance* self = calloc(1, sizeof *self);
  if (self == NULL) return fail(error, IFB_E_MEMORY, "out of memory");
  self->host = host;
  self->tolerance = config->values[OPTION_TOLERANCE].as.f;
  *out = self;
  return IFB_OK;
}

static void IFB_CALL destroy(ifb_instance* self) { free(self); }

/* ---- numbers in a text ------------------------------------------------------ */

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/* Returns the part of a text that is its last decimal number, such as -1,234.5; an empty text if
 * there is none.  A comma in front of three digits belongs to the number.  An exponent does not,
 * and a number begins with a digit or a minus sign. */
static ifb_str last_number(ifb_str text) {
  ifb_str out = {NULL, 0};
  size_t end = text.size;
  while (end > 0 && !is_digit(text.data[end - 1]))
    --end;
  if (end == 0) return out;
  size_t at = end, group = 0;
  int comma = 0, point = 0;
  for (; at > 0; --at) {
    const char c = text.data[at - 1];
    if (is_digit(c)) {
      ++group;
      continue;
    }
    if (at < 2 || !is_digit(text.data[at - 2])) break;
    if (c == ',' && group == 3)
      comma = 1;
    else if (c == '.' && !comma && !point)
      point = 1;
    else
      break;
    group = 0;
  }
  /* The minus in "10-5" or "covid-19" is no sign. */
  if (at > 0 && text.data[at - 1] == '-' &&
      (at == 1 || (!is_digit(text.data[at - 2]) && !is_letter(text.data[at - 2]))))
    --at;
  out.data = text.data + at;
  out.size = end - at;
  return out;
}

/* Sets *out to the last number of a text, and *found to whether there is a number. */
static ifb_status read_last_number(const ifb_instance* self, ifb_arena* arena, ifb_str text,
                                   int* found, double* out, ifb_error* error) {
  const ifb_str number = last_number(text);
  *found = 0;
  if (number.size == 0) return IFB_OK;
  /* strtod needs a text that ends with NUL, which a text of the host does not have (rule R1 in
   * abi.h). */
  char* copy = self->host->alloc(self->host, arena, number.size + 1);
  if (copy == NULL) return fail(error, IFB_E_MEMORY, "out of memory");
  size_t size = 0;
  for (size_t i = 0; i < number.size; ++i)
    if (number.data[i] != ',') copy[size++] = number.data[i];
  copy[size] = '\0';
  *out = strtod(copy, NULL);
  *found = isfinite(*out) != 0;
  return IFB_OK;
}

/* ---- the scorer ------------------------------------------------------------- */

/* Returns the first attribute with this name, or NULL. */
static const ifb_str* attribute(const ifb_record* of, const char* name) {
  for (size_t i = 0; i < of->attribute_count; ++i) {
    const ifb_str found = of->attributes[i].name;
    if (found.size == strlen(name) && memcmp(found.data, name, found.size) == 0)
      return &of->attributes[i].value;
  }
  return NULL;
}

/* The host counts the reasons, so a reason contains no values of the answer. */
static ifb_status wrong(ifb_score* out, const char* reason) {
  out->value = 0;
  out->reason.data = reason;
  out->reason.size = strlen(reason);
  return IFB_OK;
}

static ifb_status IFB_CALL score(ifb_instance* self, const ifb_record* of, ifb_arena* arena,
                                 ifb_score* out, ifb_error* error) {
  int known = 0;
  double expected = 0, found = 0;
  /* Without a number that is expected, nothing says what is right.  This is not the score 0. */
  const ifb_str* wanted = attribute(of, IFB_EXPECTED);
  if (wanted == NULL) return IFB_SKIP;
  ifb_status status = read_last_number(self, arena, *wanted, &known, &expected, error);
  if (status != IFB_OK) return status;
  if (!known) return IFB_SKIP;
  status = read_last_number(self, arena, of->text, &known, &found, error);
  if (status != IFB_OK) return status;
  if (!known) return wrong(out, "no number");
  if (fabs(found - expected) > self->tolerance) return wrong(out, "another number");
  out->value = 1;
  return IFB_OK;
}

/* ---- the description of the library ---------------------------------------- */

static const ifb_scorer scorer = {sizeof scorer, 0, score};
static const char* const interfaces[] = {IFB_SCORER_OPS, NULL};

static const void* IFB_CALL query(const ifb_plugin* self, const char* id) {
  (void)self; /* the library has one plugin */
  return strcmp(id, IFB_SCORER_OPS) == 0 ? &scorer : NULL;
}

static const ifb_plugin plugin = {
    sizeof plugin,
    IFB_SCORER,
    "my-example",
    "0.1.0",
    "Whether the last number of answers is right.",
    "Apache-2.0",
    options,
    OPTION_COUNT,
    sizeof(ifb_option),
    create,
    destroy,
    interfaces,
    query,
};
static const ifb_plugin* const plugins[] = {&plugin};
static const ifb_library library = {
    sizeof library, IFB_ABI_MAJOR, IFB_ABI_MINOR, "c", plugins, 1, 0,
};

const ifb_library* IFB_CALL inferbench_plugin_v1_rc2(uint32_t host_major, uint32_t host_minor) {
  (void)host_minor;
  return host_major == IFB_ABI_MAJOR ? &library : NULL;
}
