// RAII wrappers for PCRE2.
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <pcre2.h>

namespace tokenizers {

template <auto release>
struct released_by {
  template <typename object>
  void operator()(object* it) const {
    release(it);
  }
};
using code_ptr = std::unique_ptr<pcre2_code, released_by<pcre2_code_free>>;

struct compile_error {
  std::size_t offset = 0;
  std::string message;
};
/// Returns null and fills in `error` if PCRE2 refuses the pattern.
[[nodiscard]] code_ptr compile(std::string_view pattern, std::uint32_t options,
                               compile_error& error);

/// The memory of a match. Must not be used by two threads at the same time.
class match_scratch {
 public:
  match_scratch();

  struct range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };
  /// `text` must be valid UTF-8. Throws ifb::failure if a limit of backtracking or memory is
  /// reached.
  std::optional<range> find(const pcre2_code& code, std::string_view text, std::size_t from);

 private:
  std::unique_ptr<pcre2_match_data, released_by<pcre2_match_data_free>> data_;
  std::unique_ptr<pcre2_match_context, released_by<pcre2_match_context_free>> context_;
  std::unique_ptr<pcre2_jit_stack, released_by<pcre2_jit_stack_free>> stack_;
};

}  // namespace tokenizers
