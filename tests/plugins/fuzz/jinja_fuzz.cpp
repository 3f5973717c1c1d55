// Input: a template, a zero byte, and the context as JSON; without a zero byte a small context is
// used.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "common/jinja/chat_template.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t zero = input.find('\0');
  const std::string_view context =
      zero == std::string_view::npos
          ? R"({"messages": [{"role": "user", "content": "é"}], "tools": null, "n": 2.5})"
          : input.substr(zero + 1);
  jinja::options how;
  how.max_output = 1 << 18;
  how.max_memory = 1 << 24;
  how.max_steps = 100'000;
  try {
    static_cast<void>(jinja::compile(input.substr(0, zero), "fuzz").render(context, how));
  } catch (const jinja::error&) {
    // An error in the template or in the context is a valid result.
    return 0;
  }
  return 0;
}
