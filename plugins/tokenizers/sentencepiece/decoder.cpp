#include "decoder.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace tokenizers::spm {

namespace {

struct token {
  std::string text;
  bool special = false;
};

class joiner {
 public:
  explicit joiner(const vocabulary& from) : from_(from) {}

  void put(std::uint32_t id, bool skip_special) {
    const bool special = from_.special.contains(id);
    if (special && skip_special) return;
    const known_token* const known = from_.known.find(id);
    if (known == nullptr && id >= from_.model.size()) return;
    std::string text = known != nullptr ? known->token.content : from_.model.piece(id);
    if (from_.apart.contains(id)) {
      finish_run();
      add(std::move(text));
    } else {
      run_.push_back({std::move(text), special});
    }
  }
  [[nodiscard]] std::string text() && {
    finish_run();
    return std::move(out_);
  }

 private:
  void add(std::string_view text) {
    if (!std::exchange(first_, false)) out_ += ' ';
    out_ += text;
  }

  void finish_run() {
    if (run_.empty()) return;
    const std::string text = joined();
    run_.clear();
    if (!text.empty()) add(text);
  }

  [[nodiscard]] std::string joined() {
    const rules& how = from_.how;
    if (how.add_prefix_space && run_[0].text.starts_with(space_sign))
      run_[0].text.erase(0, space_sign.size());
    std::string out;
    std::vector<std::string> plain;
    bool after_special = false;
    for (std::size_t i = 0; i < run_.size(); ++i) {
      const token& each = run_[i];
      if (each.special) {
        const bool spaced =
            how.as == family::t5 || (how.as == family::llama && how.legacy && i > 0);
        if (spaced && !after_special) out += ' ';
        out += from_.model.decode(plain);
        out += each.text;
        plain.clear();
      } else {
        if (how.as == family::llama && after_special && i == 1 && how.add_prefix_space &&
            !each.text.starts_with(space_sign))
          out += ' ';
        plain.push_back(each.text);
      }
      after_special = each.special;
    }
    out += from_.model.decode(plain);
    return how.as == family::t5 ? std::string(stripped(out)) : out;
  }

  static std::string_view stripped(std::string_view text) {
    const auto begin = text.find_first_not_of(" \t\n\v\f\r\x1c\x1d\x1e\x1f");
    if (begin == text.npos) return {};
    const auto end = text.find_last_not_of(" \t\n\v\f\r\x1c\x1d\x1e\x1f");
    return text.substr(begin, end - begin + 1);
  }

  const vocabulary& from_;
  std::vector<token> run_;
  std::string out_;
  bool first_ = true;
};

}  // namespace

std::string decode(const vocabulary& from, std::span<const std::uint32_t> ids, bool skip_special) {
  joiner out(from);
  for (const std::uint32_t id : ids)
    out.put(id, skip_special);
  return std::move(out).text();
}

}  // namespace tokenizers::spm
