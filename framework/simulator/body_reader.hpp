// Reads the members of a request's JSON body and checks their types. Members that are not read are
// ignored, as in vLLM. The functions may be called on any thread; a body_reader is used by one
// thread.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/json.hpp"

namespace inferbench::simulator {

/// The reason why a request is refused: an HTTP status, a sentence for the answer, and the name of
/// the member at fault. The name is empty if the whole request is at fault.
struct refusal {
  int status;
  std::string message;
  std::string param = {};
};

/// A refusal with status 400.
[[nodiscard]] refusal bad_request(std::string param, std::string message);

/// Refuses a body of another type than JSON. `content_type`: the value of the header Content-Type;
/// empty, which is accepted, if the request has no such header. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> check_json_type(std::string_view content_type);

/// Parses `body` into `out`. The body must be a JSON object, and must outlive `out`, whose long
/// strings may point into it. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> parse_body(std::string_view body, rapidjson::Document& out);

/// Stores the token ids of `list`, which must be an array, in `out`: 4 bytes each, in the machine's
/// byte order. Returns false if the list is empty or has an element that is not a token id; `out`
/// is then not valid.
[[nodiscard]] bool read_ids(const base::json_value& list, std::string& out);

/// Reads the members of one object, one call for each member. After the first wrong member, the
/// other calls have no effect. A member that is null counts as absent.
class body_reader {
 public:
  /// `object` must outlive the reader. `inside`: the prefix of the names in refusals, which is the
  /// name of the member that contains `object` and a dot ("stream_options."); empty for the body.
  explicit body_reader(const base::json_value& object, std::string inside = {})
      : object_(object), inside_(std::move(inside)) {}

  /// Returns the member `name`; nullptr if it is absent, or after a wrong member. Valid as long as
  /// the object.
  [[nodiscard]] const base::json_value* find(const char* name) const noexcept;
  /// Like find(), but refuses the request if the member is absent.
  [[nodiscard]] const base::json_value* required(const char* name);

  // These functions copy a member to `out`, and refuse a member of another type. `out` stays
  // unchanged if the member is absent or wrong.
  void flag(const char* name, bool& out);
  void text(const char* name, std::string& out);
  /// For a whole number of at least `minimum`.
  void count(const char* name, std::uint64_t minimum, std::optional<std::uint64_t>& out);
  /// Like count(), but the number may be negative.
  void integer(const char* name, std::int64_t minimum, std::optional<std::int64_t>& out);
  /// For one of the texts `of`. `out` points to the characters of that text, not into the body, so
  /// the texts must outlive `out`.
  void choice(const char* name, std::initializer_list<std::string_view> of, std::string_view& out);

  // These functions only check the type, and number() also the range, limits included.
  void number(const char* name, double minimum, double maximum);
  void object(const char* name);
  void list(const char* name);

  /// Refuses the request because of the member `name`, unless the request is already refused.
  /// `clause`: the rest of the sentence after the name, such as "is missing.".
  void refuse(std::string_view name, std::string_view clause, int status = 400);
  /// Refuses the request for the reason `no`. Does nothing if `no` is nullopt, or if the request is
  /// already refused.
  void refuse(std::optional<refusal> no);

  [[nodiscard]] bool good() const noexcept { return !no_; }
  /// Returns the refusal; nullopt if every member was right. Call this once, at the end, because it
  /// moves the refusal out.
  [[nodiscard]] std::optional<refusal> result() { return std::move(no_); }

 private:
  const base::json_value& object_;
  std::string inside_;
  std::optional<refusal> no_;
};

}  // namespace inferbench::simulator
