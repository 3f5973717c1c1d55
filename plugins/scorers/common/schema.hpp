// A JSON schema that is ready for use: prepared_schema.hpp says what is read, and libvalijson
// checks. Regular expressions in the schema are run by RE2 and not by std::regex, whose time and
// stack grow without bound.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "json_tree.hpp"
#include "prepared_schema.hpp"

namespace scorers {

enum class schema_verdict : std::uint8_t {
  valid,
  invalid,
  unknown  // the check would take too long
};

/// One thread at a time. Movable.
class schema {
 public:
  /// `text` is a schema as JSON, or a JSON string that contains a schema. A fault does not throw:
  /// usable() is then false.
  schema(std::string_view text, type_names names);
  /// `root` is a part of a json_tree.
  schema(const rapidjson::Value& root, type_names names);
  schema(schema&&) noexcept;
  schema& operator=(schema&&) noexcept;
  ~schema();

  [[nodiscard]] bool usable() const noexcept { return problem_.empty(); }
  /// Why the schema cannot be used, as a part of a sentence about "it"; empty if it can.
  [[nodiscard]] const std::string& problem() const noexcept { return problem_; }

  /// Needs a usable schema. The work is bounded: about a second for an answer and a schema that
  /// were made to take long.
  [[nodiscard]] schema_verdict check(const json_tree& answer) const;

 private:
  struct state;
  void compile(const rapidjson::Value& root, type_names names);

  std::unique_ptr<state> state_;
  std::string problem_;
};

}  // namespace scorers
