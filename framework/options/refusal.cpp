#include "options/refusal.hpp"

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "base/units.hpp"

namespace inferbench::options {

namespace {

std::string bound(const option& declared, double limit) {
  if (declared.type == IFB_DURATION) return base::duration_text(static_cast<std::int64_t>(limit));
  if (declared.type == IFB_SIZE) return base::size_text(static_cast<std::int64_t>(limit));
  if (limit == std::floor(limit) && std::fabs(limit) < 1e15)
    return std::to_string(static_cast<std::int64_t>(limit));
  return base::shortest(limit);
}

std::string range(const option& declared) {
  if (!ranged(declared)) return {};
  const bool measure = declared.type == IFB_DURATION || declared.type == IFB_SIZE;
  const std::string start = measure ? ", " : " ";
  const bool low = std::isfinite(declared.minimum);
  const bool high = std::isfinite(declared.maximum);
  const std::string from = low ? bound(declared, declared.minimum) : std::string{};
  const std::string to = high ? bound(declared, declared.maximum) : std::string{};
  if (low && declared.above)
    return start + "above " + from + (high ? " and at most " + to : std::string{});
  if (low && high) return start + "from " + from + " to " + to;
  if (low) return start + "of at least " + from;
  if (high) return start + "of at most " + to;
  return {};
}

std::string at_key(const option& declared, const base::source_position& where,
                   const std::string& message) {
  return where.file.starts_with("--") ? message : declared.path() + ": " + message;
}

// An example of a value: 30s or 65536, because they are easy to read; if this is out of range, the
// nearest value in range.
std::string example(const option& declared) {
  const bool time = declared.type == IFB_DURATION;
  double value = time ? 30e9 : 65536;
  if (ranged(declared) && !(value <= declared.maximum)) value = declared.maximum;
  if (ranged(declared) && value < declared.minimum) value = declared.minimum;
  return bound(declared, value);
}

// The end of a remedy: ", or leave it out for the default, 99".
std::string otherwise(const option& declared) {
  if (!declared.fallback || declared.fallback->empty()) return {};
  std::string text = *declared.fallback;
  if (text.size() > 2 && text.front() == '"' && text.back() == '"')
    text = text.substr(1, text.size() - 2);
  return ", or leave it out for the default, " + text;
}

std::string expected(const option& declared, const node& given) {
  return "expected " + noun(declared) + range(declared) + ", not " + shown(declared, given);
}

}  // namespace

std::string in_quotes(std::string_view text) { return "\"" + std::string(text) + "\""; }

std::string shown(const option& declared, const node& given) {
  if (declared.secret) return "what was given";
  switch (given.type) {
    case node::kind::integer:
      return given.text.empty() ? std::to_string(given.integer) : given.text;
    case node::kind::real: return given.text.empty() ? base::shortest(given.real) : given.text;
    case node::kind::big: return given.text;
    case node::kind::text: return in_quotes(given.text);
    default: return std::string(noun_of(given));
  }
}

std::string remedy_of(const option& declared) {
  if (!declared.remedy.empty()) return declared.remedy;
  switch (declared.type) {
    case IFB_INT:
    case IFB_FLOAT: return "give " + noun(declared) + range(declared) + otherwise(declared);
    case IFB_BOOL: return "give true or false";
    case IFB_DURATION:
    case IFB_SIZE: return "give for example " + example(declared) + otherwise(declared);
    case IFB_CHOICE: return "choose one of them" + otherwise(declared);
    case IFB_JSON: return "give JSON, in single quotes for a shell, such as '{\"name\": 1}'";
    case IFB_STRINGS:
      switch (declared.shape) {
        case form::pairs: return "write { KEY = \"VALUE\" } or [\"KEY=VALUE\"]";
        case form::goals: return "write for example { ttft = 200.0 }";
        case form::numbers: return "write for example [50, 99]";
        case form::names:
        case form::plain: return "write for example [\"a\", \"b\"]";
      }
      return {};
    default: return "write a text in quotes";
  }
}

void complain(const option& declared, const base::source_position& where,
              const std::string& message, const std::string& remedy) {
  throw base::error(at_key(declared, where, message), remedy, where);
}

void misread(const option& declared, const base::source_position& where, const std::string& message,
             const std::string& remedy) {
  throw usage_error(at_key(declared, where, message), remedy, where);
}

bool ranged(const option& declared) { return declared.minimum != 0 || declared.maximum != 0; }

std::string noun(const option& declared) {
  switch (declared.type) {
    case IFB_INT: return "a whole number";
    case IFB_FLOAT: return "a number";
    case IFB_BOOL: return "true or false";
    case IFB_DURATION: return "a duration such as \"30s\" or a number of seconds";
    case IFB_SIZE: return "a size such as \"64KiB\" or a number of bytes";
    case IFB_PATH: return "a path";
    case IFB_JSON: return "JSON";
    case IFB_STRINGS:
      switch (declared.shape) {
        case form::pairs: return "a table of texts or a list of KEY=VALUE";
        case form::goals: return "a table of numbers or a list of KEY:MILLISECONDS";
        case form::names: return "a list of names";
        case form::numbers: return "a list of numbers";
        case form::plain: return "a list of texts";
      }
      return "a list of texts";
    case IFB_CHOICE: return fmt::format("one of {}", fmt::join(declared.choices, ", "));
    default: return "a text";
  }
}

void out_of_range(const option& declared, const node& given) {
  complain(declared, given.where, expected(declared, given), remedy_of(declared));
}

void unexpected(const option& declared, const node& given) {
  misread(declared, given.where, expected(declared, given), remedy_of(declared));
}

}  // namespace inferbench::options
