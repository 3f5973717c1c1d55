// The placeholders {{name}} of a template. Values that all requests share are put in when the
// template is read; the others, the slots, when a request is written.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
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
  prompt_tokens,
  model,
  output_tokens,
  request_id
};

/// The values that all requests share, by name: sampling parameters and the like. One thread.
class parameters {
 public:
  /// `given`: the members of extra-body, which answer for the placeholders of their names.
  explicit parameters(std::vector<bodies::member> given) : given_(std::move(given)) {}

  /// Adds a value that has an option of its own; a member of extra-body with this name stays.
  void add(std::string_view name, std::string json);
  /// The value as JSON, which then counts as taken; nullptr: there is none.
  [[nodiscard]] const std::string* take(std::string_view name);
  [[nodiscard]] bool took(std::string_view name) const;
  /// The members of extra-body that no placeholder has taken, in their order.
  [[nodiscard]] std::vector<bodies::member> rest() const;

 private:
  std::vector<bodies::member> given_;
  std::vector<std::string> added_;
  std::vector<std::string> taken_;
};

/// The values of one request's slots. Views of the sample and of the instance.
struct request_values {
  const ifb_sample* sample;
  slot input;              // the one of prompt, messages and prompt_tokens that has a value
  std::string_view model;  // unless the sample has one of its own

  [[nodiscard]] bool has(slot what) const noexcept;
  /// Appends the value as JSON to `out`. The slot must have one. Throws ifb::failure,
  /// IFB_E_UNSUPPORTED, for messages that JSON cannot carry.
  void put_json(slot what, bodies::gather_list& out) const;
  /// Appends the value as plain text; not for messages and prompt_tokens.
  void put_text(slot what, std::string& out) const;
};

/// A text with placeholders in it; "{{{{" stands for "{{".
class pattern {
 public:
  struct piece {
    std::string text;
    slot after = slot::none;
  };

  /// Throws ifb::failure with file and line: a placeholder that is not closed or not known,
  /// with the nearest; a list or a table inside a longer text.
  pattern(const document& from, const value& text, parameters& shared);

  /// The text is one placeholder and nothing else: a slot, ...
  [[nodiscard]] slot only_slot() const noexcept { return only_slot_; }
  /// ... or a value that all requests share, as JSON.
  [[nodiscard]] const std::string* only_json() const noexcept {
    return only_json_ ? &*only_json_ : nullptr;
  }
  /// A placeholder in it has no value in any request.
  [[nodiscard]] bool never() const noexcept { return never_; }
  /// The text is the same in every request.
  [[nodiscard]] bool constant() const noexcept {
    return pieces_.size() == 1 && pieces_.front().after == slot::none;
  }
  [[nodiscard]] bool uses(slot what) const noexcept;
  [[nodiscard]] bool has_all(const request_values& of) const noexcept;
  /// `encoded`: values, not the template's own text, are percent-encoded for a path.
  [[nodiscard]] std::string text(const request_values& of, bool encoded = false) const;
  /// The template's own text, if it is constant().
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
