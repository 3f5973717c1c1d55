#include "regex.hpp"

#include <string>

#include <inferbench/guard.hpp>

#include "pcre2.hpp"

namespace tokenizers {

struct regex::program {
  code_ptr code;
};

regex::regex(std::string_view pattern, dialect written, bool may_scan)
    : scan_(may_scan ? scanner_for(pattern, written) : nullptr) {
  if (scan_ != nullptr) {
    kinds_ = &character_table::get();
    return;
  }
  program_ = std::make_unique<program>();
  compile_error error;
  program_->code = compile(to_pcre2(pattern, written), pcre2_options(written), error);
  if (program_->code == nullptr)
    throw ifb::failure(IFB_E_CONFIG, "the regular expression \"" + std::string(pattern) +
                                         "\" cannot be used: " + error.message +
                                         ", at or before character " +
                                         std::to_string(error.offset));
}

regex::~regex() = default;
regex::regex(regex&&) noexcept = default;
regex& regex::operator=(regex&&) noexcept = default;

std::optional<regex::match> regex::find(std::string_view text, std::size_t from) const {
  if (from > text.size()) return std::nullopt;
  if (scan_ != nullptr) return scan(text, from);
  thread_local match_scratch scratch;
  const auto found = scratch.find(*program_->code, text, from);
  if (!found) return std::nullopt;
  return match{found->begin, found->end};
}

}  // namespace tokenizers
