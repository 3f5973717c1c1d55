#include "config/complaint.hpp"

#include <cmath>

#include "base/text.hpp"
#include "config/units.hpp"

namespace inferbench::config {

namespace {

std::string bound(const option& declared, double limit) {
  if (declared.type == IFB_DURATION) return duration_text(static_cast<std::int64_t>(limit));
  if (declared.type == IFB_SIZE) return size_text(static_cast<std::int64_t>(limit));
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
    case IFB_CHOICE: {
      std::string out;
      for (const std::string& choice : declared.choices)
        out += (out.empty() ? "one of " : ", ") + choice;
      return out;
    }
    default: return "a text";
  }
}

void out_of_range(const option& declared, const node& given) {
  complain(declared, given.where, expected(declared, given), declared.remedy);
}

void unexpected(const option& declared, const node& given) {
  misread(declared, given.where, expected(declared, given), declared.remedy);
}

}  // namespace inferbench::config
