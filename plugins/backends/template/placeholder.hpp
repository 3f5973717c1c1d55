// The placeholders {{name}} of a template. Values that all requests share are inserted when the
// template is read. The other values, the slots, are inserted when a request is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/guard.hpp>
#include <inferbench/host.hpp>

#include "backends/bodies/body.hpp"
#include "backends/bodies/json.hpp"
#include "document.hpp"

namespace template_backend {

/// The values that differ from request to request.
enum class slot : std::uint8_t {
  none,
  prompt,
  messages,
  text_messages,
  prompt_tokens,
  model,
  output_tokens,
  request_id
};

/// A placeholder in a text of the template cannot be used. The message names file and line.
class unfit_placeholder : public ifb::failure {
 public:
  /// `reason` is the message without file and line.
  unfit_placeholder(const ifb::failure& placed, std::string reason)
      : failure(placed), reason_(std::move(reason)) {}
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }

 private:
  std::string reason_;
};

/// Throws unfit_placeholder with the message of document::refuse().
[[noreturn]] void refuse_placeholder(const document& from, std::uint32_t line,
                                     const std::string& problem, const std::string& remedy);

/// The values that all requests share, by name, for example sampling parameters. One thread.
class parameters {
 public:
  /// `given` contains the members of extra-body. They provide the values for placeholders with
  /// their names.
  explicit parameters(std::vector<bodies::member> given) : given_(std::move(given)) {}

  /// Adds the value of an option. A member of extra-body with the same name takes precedence.
  void add(std::string_view name, std::string json);
  /// Returns the value as JSON and marks it as taken; nullptr if there is no value with this name.
  [[nodiscard]] const std::string* take(std::string_view name);
  [[nodiscard]] bool took(std::string_view name) const;
  /// Returns the members of extra-body that no placeholder has taken, in their order.
  [[nodiscard]] std::vector<bodies::member> rest() const;

 private:
  std::vector<bodies::member> given_;
  std::vector<std::string> added_;
  std::vector<std::string> taken_;
};

/// The values of one request's slots. The views point into the sample and the instance.
struct request_values {
  const ifb_sample* sample;
  slot input;              // the slot of the prompt that has a value
  std::string_view model;  // used unless the sample has its own model

  [[nodiscard]] bool has(slot what) const noexcept;
  /// Appends the value as JSON to `out`. The slot must have a value. Throws ifb::failure,
  /// IFB_E_UNSUPPORTED, for messages that cannot be written as JSON.
  void put_json(slot what, bodies::gather_list& out) const;
  /// Appends the value as plain text. Not allowed for messages, text_messages and prompt_tokens.
  void put_text(slot what, std::string& out) const;
};

/// A text that contains placeholders. "{{{{" is written as "{{".
class pattern {
 public:
  struct piece {
    std::string text;
    slot after = slot::none;
  };

  /// Throws unfit_placeholder: for a placeholder that is not closed; for an unknown placeholder
  /// (the message suggests the nearest name); for a list or a table inside a longer text.
  pattern(const document& from, const value& text, parameters& shared);

  /// The slot, if the text consists of exactly one placeholder, and that placeholder is a slot.
  [[nodiscard]] slot only_slot() const noexcept { return only_slot_; }
  /// The value as JSON, if the text consists of exactly one placeholder, and all requests share its
  /// value; otherwise nullptr.
  [[nodiscard]] const std::string* only_json() const noexcept {
    return only_json_ ? &*only_json_ : nullptr;
  }
  /// Returns whether a placeholder in the text has no value in any request.
  [[nodiscard]] bool never() const noexcept { return never_; }
  /// Returns whether the text is the same in every request.
  [[nodiscard]] bool constant() const noexcept {
    return pieces_.size() == 1 && pieces_.front().after == slot::none;
  }
  [[nodiscard]] bool uses(slot what) const noexcept;
  [[nodiscard]] bool has_all(const request_values& of) const noexcept;
  /// `encoded`: the inserted values are percent-encoded for a path. The template's own text is not.
  [[nodiscard]] std::string text(const request_values& of, bool encoded = false) const;
  /// Returns the template's own text. Requires constant().
  [[nodiscard]] const std::string& own_text() const noexcept { return pieces_.front().text; }

 private:
  void add(const document& from, std::uint32_t line, std::string_view name, bool alone,
           parameters& shared);

  std::vector<piece> pieces_;  // never empty
  slot only_slot_ = slot::none;
  std::optional<std::string> only_json_;
  bool never_ = false;
};

}  // namespace template_backend
