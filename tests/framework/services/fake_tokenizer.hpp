// Tokenizers made in the test, as plugin choices of a plan.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/tokenizer.hpp>

#include "config/plan.hpp"

namespace fake {

struct described {
  static constexpr const char *id = "fake", *version = "1.0.0", *summary = "A fake.",
                              *license = "Apache-2.0";
};

/// Makes a token of each word, with its length as the id; the model adds token 1000 in front.
class words : public described {
 public:
  explicit words(ifb::host) {}
  [[nodiscard]] ifb_vocabulary vocabulary() const {
    static constexpr std::uint32_t special = 1000;
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    out.added = 1;
    out.size = 900;
    out.total_size = 1001;
    out.special_ids = &special;
    out.special_id_count = 1;
    static constexpr std::uint32_t skipped[] = {999, special};
    out.skipped_ids = skipped;
    out.skipped_id_count = 2;
    out.source = "/models/words";
    out.digest = "00ff";
    return out;
  }
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view text,
                                                  std::uint32_t flags) const {
    std::vector<std::uint32_t> out;
    if ((flags & IFB_ENCODE_SPECIAL) != 0) out.push_back(1000);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      out.push_back(static_cast<std::uint32_t>(end - at));
      at = end + 1;
    }
    return out;
  }
  [[nodiscard]] std::string decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const {
    std::string out;
    for (const std::uint32_t one : ids)
      if (one != 1000)
        out += (out.empty() ? "" : " ") + std::string(one, 'x');
      else if ((flags & IFB_DECODE_SKIP_SPECIAL) == 0)
        out += "<s>";
    return out;
  }
  [[nodiscard]] ifb::pair_encoding encode_pair(std::string_view text, std::string_view pair,
                                               std::uint32_t flags) const {
    ifb::pair_encoding out{encode(text, flags), {}};
    out.type_ids.assign(out.ids.size(), 0);
    for (const std::uint32_t one : encode(pair, 0)) {
      out.ids.push_back(one);
      out.type_ids.push_back(1);
    }
    return out;
  }
  [[nodiscard]] std::string render(std::string_view chat) const {
    if (chat.find("\"tools\"") != std::string_view::npos)
      throw ifb::failure{IFB_E_DATA, "TemplateError: no tools: none at all"};
    return "<|" + std::string(chat) + "|>";
  }
};

/// Finds no files, or only files for another plugin, depending on `code`.
template <ifb_status code>
class absent : public described {
 public:
  explicit absent(ifb::host) { throw ifb::failure{code, "found no tokenizer.json"}; }
  [[nodiscard]] ifb_vocabulary vocabulary() const { return {}; }
  [[nodiscard]] std::vector<std::uint32_t> encode(std::string_view, std::uint32_t) const {
    return {};
  }
  [[nodiscard]] std::string decode(std::span<const std::uint32_t>, std::uint32_t) const {
    return {};
  }
};

/// `use`: the name of the tokenizer in the plan.
template <typename plugin>
inferbench::options::plugin_choice choice(const std::string& use) {
  inferbench::options::plugin_choice out;
  out.library.plugin = &ifb::tokenizer<plugin>::descriptor;
  out.use = use;
  return out;
}

}  // namespace fake
