// libvalijson, with RE2 in place of std::regex. The code of valijson is in the namespace valijson
// and names std::regex there, so it finds valijson::std::regex first, which this header defines.
// Everything else of that namespace is the standard library's. To be included only by schema.cpp: a
// program with another inclusion of valijson would have two definitions of its functions.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>

#include "pattern.hpp"

namespace scorers {

/// The expressions of a schema by their text.
using pattern_table = std::unordered_map<std::string, pattern>;

/// The expressions of the schema that this thread checks against. Set during a check.
inline thread_local const pattern_table* patterns_in_use = nullptr;

/// Stands for std::regex: finds the compiled expression.
class linear_regex {
 public:
  explicit linear_regex(const std::string& text) : compiled_(&patterns_in_use->at(text)) {}
  [[nodiscard]] const pattern& compiled() const noexcept { return *compiled_; }

 private:
  const pattern* compiled_;
};

/// Stands for std::smatch, which valijson uses only for `format`. No prepared schema has it.
class no_groups {
 public:
  struct group {
    [[nodiscard]] static std::string str() { return {}; }
  };
  group operator[](std::size_t) const { return {}; }
};

}  // namespace scorers

namespace valijson {
// NOLINTNEXTLINE(cert-dcl58-cpp): this is not the namespace of the standard library
namespace std {

using namespace ::std;  // NOLINT(google-build-using-namespace)
using regex = scorers::linear_regex;
using smatch = scorers::no_groups;

inline bool regex_search(const ::std::string& text, const regex& expression) {
  return expression.compiled().occurs_in(text);
}
inline bool regex_match(const ::std::string&, const regex&) { return true; }
inline bool regex_match(const ::std::string&, const smatch&, const regex&) { return true; }

}  // namespace std
}  // namespace valijson

// valijson throws only with this macro; without it, a fault ends the program. The adapter for
// RapidJSON is included without the macro, because it would define RAPIDJSON_ASSERT again; the
// parts of it that throw come before.
// clang-format off
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/exceptions.hpp>
#include <valijson/internal/adapter.hpp>
#include <valijson/internal/basic_adapter.hpp>
#include <valijson/internal/frozen_value.hpp>
#undef VALIJSON_USE_EXCEPTIONS
// Two functions of the adapter, which nothing calls, name their member m_itr wrongly: clang 19 refuses
// the header without this macro.
#define itr m_itr
#include <valijson/adapters/rapidjson_adapter.hpp>
#undef itr
#define VALIJSON_USE_EXCEPTIONS 1
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
// clang-format on
