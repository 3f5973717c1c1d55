// Reads the members of a JSON body and checks their types. Members that nobody reads are ignored,
// as vLLM ignores them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"

namespace inferbench::simulator {

/// The reason why a request is refused: an HTTP status, a sentence, and the member at fault; the
/// member is empty if the whole request is at fault.
struct refusal {
  int status;
  std::string message;
  std::string param = {};
};

/// A refusal with status 400.
[[nodiscard]] refusal bad_request(std::string param, std::string message);

/// Refuses a body of another type than JSON. `content_type`: the value of the field Content-Type; a
/// request without this field is accepted.
[[nodiscard]] std::optional<refusal> check_json_type(std::string_view content_type);

/// Parses `body` into `out`. The body must be a JSON object, and must outlive `out`, whose long
/// strings may point into it. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> parse_body(std::string_view body, rapidjson::Document& out);

/// Stores the token ids of `list`, which must be an array, in `out` as 4 bytes each. Returns false
/// if the list is empty or has an element that is not a token id.
[[nodiscard]] bool read_ids(const base::json_value& list, std::string& out);

/// Reads the members of one object, one after another. After the first member that is wrong, the
/// other calls have no effect. A member that is null counts as absent, except in required().
class body_reader {
 public:
  /// `object` must outlive the reader. `inside`: the name of the member that contains `object`,
  /// with a dot at its end; it precedes the names in messages.
  explicit body_reader(const base::json_value& object, std::string inside = {})
      : object_(object), inside_(std::move(inside)) {}

  /// The member `name`; nullptr if it is absent or null, or after a wrong member.
  [[nodiscard]] const base::json_value* find(const char* name) const noexcept;
  /// Like find(), but an absent member is refused.
  [[nodiscard]] const base::json_value* required(const char* name);

  // Each function leaves `out` unchanged if the member is absent.
  void flag(const char* name, bool& out);
  void text(const char* name, std::string& out);
  /// A whole number of at least `minimum`.
  void count(const char* name, std::uint64_t minimum, std::optional<std::uint64_t>& out);
  void integer(const char* name, std::int64_t minimum, std::optional<std::int64_t>& out);
  /// One of the texts `of`. `out` then refers to the element of `of`.
  void choice(const char* name, std::initializer_list<std::string_view> of, std::string_view& out);

  // These functions only check the type.
  void number(const char* name, double minimum, double maximum);
  void object(const char* name);
  void list(const char* name);

  /// Refuses the request because of the member `name`, unless it is already refused.
  void refuse(std::string_view name, std::string_view clause, int status = 400);
  /// Refuses the request for the reason `no`, unless it is nullopt or the request is already
  /// refused.
  void refuse(std::optional<refusal> no);

  [[nodiscard]] bool good() const noexcept { return !no_; }
  /// nullopt if every member was right. Call this once, at the end.
  [[nodiscard]] std::optional<refusal> result() { return std::move(no_); }

 private:
  const base::json_value& object_;
  std::string inside_;
  std::optional<refusal> no_;
};

}  // namespace inferbench::simulator
