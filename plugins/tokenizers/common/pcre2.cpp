#include "pcre2.hpp"

#include <array>
#include <new>

#include <inferbench/guard.hpp>

namespace tokenizers {

namespace {

// The stack grows on demand. Most of the maximum is only reserved address space.
constexpr std::size_t stack_at_first = 32 * 1024;
constexpr std::size_t stack_at_most = 16 * 1024 * 1024;
// This limit takes about one second. No pattern of a tokenizer reaches it.
constexpr std::uint32_t match_limit = 100'000'000;

std::string message_of(int code) {
  std::array<PCRE2_UCHAR, 256> text{};
  pcre2_get_error_message(code, text.data(), text.size());
  return reinterpret_cast<const char*>(text.data());
}

template <typename pointer>
pointer made(pointer it) {
  if (it == nullptr) throw std::bad_alloc();
  return it;
}

}  // namespace

code_ptr compile(std::string_view pattern, std::uint32_t options, compile_error& error) {
  const std::unique_ptr<pcre2_compile_context, released_by<pcre2_compile_context_free>> context(
      made(pcre2_compile_context_create(nullptr)));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
  int code = 0;
  PCRE2_SIZE offset = 0;
  code_ptr out(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(), options,
                             &code, &offset, context.get()));
  if (out == nullptr) {
    error = {offset, message_of(code)};
    return out;
  }
  // If the JIT is not available, because a hardened kernel forbids it, PCRE2 interprets the
  // pattern.
  pcre2_jit_compile(out.get(), PCRE2_JIT_COMPLETE);
  return out;
}

match_scratch::match_scratch()
    : data_(made(pcre2_match_data_create(1, nullptr))),
      context_(made(pcre2_match_context_create(nullptr))),
      stack_(pcre2_jit_stack_create(stack_at_first, stack_at_most, nullptr)) {
  pcre2_set_match_limit(context_.get(), match_limit);
  if (stack_ != nullptr) pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
}

std::optional<match_scratch::range> match_scratch::find(const pcre2_code& code,
                                                        std::string_view text, std::size_t from) {
  const auto* subject = reinterpret_cast<PCRE2_SPTR>(text.data() == nullptr ? "" : text.data());
  const auto run = [&](std::uint32_t options) {
    return pcre2_match(&code, subject, text.size(), from, options | PCRE2_NO_UTF_CHECK, data_.get(),
                       context_.get());
  };
  int rc = run(0);
  // If a match is too deep for the stack of the JIT, the interpreter repeats it with memory from
  // the heap.
  if (rc == PCRE2_ERROR_JIT_STACKLIMIT) rc = run(PCRE2_NO_JIT);
  if (rc == PCRE2_ERROR_NOMATCH) return std::nullopt;
  if (rc < 0)
    throw ifb::failure(IFB_E_CONFIG, "a regular expression of the tokenizer failed at byte " +
                                         std::to_string(from) + " of a text: " + message_of(rc));
  const PCRE2_SIZE* found = pcre2_get_ovector_pointer(data_.get());
  return range{found[0], found[1]};
}

}  // namespace tokenizers
