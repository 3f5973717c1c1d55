// A tokenizer: each byte of a text is a token, and the value of the byte is the id. A special token
// marks the beginning.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <inferbench/plugin.hpp>

namespace {

class my_example_tokenizer {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "A token for each byte.";
  static constexpr const char* license = "Apache-2.0";

  explicit my_example_tokenizer(ifb::host) {}

  ifb_vocabulary vocabulary() const {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    out.added = 1;
    // A single byte of 128 or more is not valid UTF-8, so random prompts must not contain such ids.
    out.size = 128;
    out.total_size = beginning + 1;
    out.special_ids = out.skipped_ids = &beginning;
    out.special_id_count = out.skipped_id_count = 1;
    return out;
  }

  // encode and decode write until the span is full, and return the length of the whole result.
  std::size_t encode(std::string_view text, std::uint32_t flags,
                     std::span<std::uint32_t> to) const {
    const std::size_t special = (flags & IFB_ENCODE_SPECIAL) != 0 ? 1 : 0;
    const std::size_t needed = text.size() + special;
    for (std::size_t i = 0; i < std::min(needed, to.size()); ++i)
      to[i] = i < special ? beginning : static_cast<unsigned char>(text[i - special]);
    return needed;
  }

  std::size_t decode(std::span<const std::uint32_t> ids, std::uint32_t, std::span<char> to) const {
    std::size_t needed = 0;
    for (const std::uint32_t id : ids) {
      // The token that marks the beginning has no text, whatever the flags are.
      if (id == beginning) continue;
      if (id > beginning) throw ifb::failure{IFB_E_DATA, "there is no token " + std::to_string(id)};
      if (needed < to.size()) to[needed] = static_cast<char>(id);
      ++needed;
    }
    return needed;
  }

 private:
  static constexpr std::uint32_t beginning = 256;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::tokenizer<my_example_tokenizer>)
