// Values of a frame's JSON with their place, so that every error names frame and field:
// "frame 7 (results): results[3].prompt_tokens: not an integer".
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>

#include "frame.hpp"

namespace python_engine {

/// Parses one JSON value. Throws failure with `code`: not JSON, not UTF-8, deeper than 64 levels, a
/// key twice.
[[nodiscard]] ifb::json_document read_value(std::string_view text, ifb_status code);
/// Parses one JSON object. Throws failure like read_value(), and for another value.
[[nodiscard]] ifb::json_document read_object(std::string_view text, ifb_status code);

/// Parses the payload of a frame, one JSON object. Throws violation like read_object().
[[nodiscard]] ifb::json_document read_payload(const frame& in);

/// A JSON value and the way to it. Cheap to copy; it refers to the frame, the document and its
/// parent, which must live longer.
class json_place {
 public:
  static constexpr std::int64_t largest_integer = (std::int64_t{1} << 53) - 1;
  static constexpr std::int64_t largest_stamp = std::numeric_limits<std::int64_t>::max();

  json_place(const frame& in, const ifb::json_value& root) noexcept : frame_(in), value_(&root) {}

  /// The member of an object; it may be absent.
  [[nodiscard]] json_place member(std::string_view name) const;
  /// The element of a list(). `index` must be less than size().
  [[nodiscard]] json_place element(std::size_t index) const noexcept;

  /// False if the member is absent or null.
  [[nodiscard]] bool is_set() const noexcept;

  // The value, which must have the type. Throws violation. The functions with a default also accept
  // an absent member, and those whose default is negative accept null.
  [[nodiscard]] std::int64_t integer(std::int64_t least, std::int64_t most = largest_integer) const;
  [[nodiscard]] std::int64_t integer_or(std::int64_t otherwise, std::int64_t least,
                                        std::int64_t most = largest_integer) const;
  [[nodiscard]] double number() const;
  [[nodiscard]] bool boolean_or(bool otherwise) const;
  /// The text is valid as long as the document.
  [[nodiscard]] std::string_view text() const;
  [[nodiscard]] std::string_view text_or(std::string_view otherwise) const;
  /// The number of elements of a list. An absent list is empty.
  [[nodiscard]] std::size_t size() const;
  /// Throws violation unless the value is an object.
  void require_object() const;

  /// The violation at this place.
  [[nodiscard]] ifb::failure refusal(const std::string& what) const;

 private:
  json_place(const json_place& parent, std::string_view key, std::size_t index,
             const ifb::json_value* value) noexcept
      : frame_(parent.frame_), parent_(&parent), key_(key), index_(index), value_(value) {}
  [[nodiscard]] std::string path() const;

  const frame& frame_;
  const json_place* parent_ = nullptr;
  std::string_view key_;  // empty: an element
  std::size_t index_ = 0;
  const ifb::json_value* value_;  // nullptr: absent
};

}  // namespace python_engine
