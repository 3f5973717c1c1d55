#include "simulator/sample_pattern.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "simulator/pattern_tree.hpp"

namespace inferbench::simulator {

namespace {

constexpr std::size_t longest_sample = 4096;

/// Makes the text that matches.
class sample_maker {
 public:
  bool add(const pattern_node& node) {
    using kind = pattern_node::kind;
    switch (node.type) {
      case kind::nothing: return true;
      case kind::text: return append(node.text);
      case kind::set: return append_sign(node, 0);
      case kind::begin: return out_.empty();
      case kind::end: ended_ = true; return true;
      case kind::choice: return add(node.inside.front());
      case kind::sequence:
        return std::ranges::all_of(node.inside,
                                   [&](const pattern_node& each) { return add(each); });
      case kind::repeat: return repeat(node);
    }
    return false;
  }
  std::string take() { return std::move(out_); }

 private:
  bool append(std::string_view text) {
    if (ended_ && !text.empty()) return false;
    out_ += text;
    return out_.size() <= longest_sample;
  }

  // The sign number `index` of a word of signs that the set has.
  bool append_sign(const pattern_node& node, std::size_t index) {
    constexpr std::string_view liked = "tideTIDE1234 _-.";
    std::string from;
    for (const char c : liked)
      if (node.set.test(static_cast<std::size_t>(c))) from += c;
    for (std::size_t c = 0; from.empty() && c < node.set.size(); ++c)
      if (node.set.test(c)) from += static_cast<char>(c);
    if (from.empty()) return false;
    return append(from.substr(index % from.size(), 1));
  }

  bool repeat(const pattern_node& node) {
    constexpr std::uint32_t liked = 4;
    const pattern_node& part = node.inside.front();
    const bool of_set = part.type == pattern_node::kind::set && node.least > 0;
    const std::uint32_t times = of_set ? std::clamp(liked, node.least, node.most) : node.least;
    for (std::uint32_t i = 0; i < times; ++i) {
      // An empty part could be repeated for ever without an effect on the length.
      const std::size_t before = out_.size();
      if (!(of_set ? append_sign(part, i) : add(part))) return false;
      if (!of_set && out_.size() == before) break;
    }
    return true;
  }

  std::string out_;
  bool ended_ = false;
};

/// The characters with which a match of a part can begin, and whether it can be empty.
struct first_signs {
  ascii_set set;
  bool empty = false;
};

first_signs first_signs_of(const pattern_node& node) {
  using kind = pattern_node::kind;
  first_signs out;
  switch (node.type) {
    case kind::nothing:
    case kind::begin:
    case kind::end: out.empty = true; break;
    case kind::text:
      // A text that begins with another character is compared with ASCII signs only.
      if ((static_cast<unsigned char>(node.text[0]) & 0x80U) == 0)
        out.set.set(static_cast<std::size_t>(node.text[0]));
      break;
    case kind::set: out.set = node.set; break;
    case kind::repeat:
      out = first_signs_of(node.inside.front());
      out.empty |= node.least == 0;
      break;
    case kind::choice:
      for (const pattern_node& each : node.inside) {
        const first_signs one = first_signs_of(each);
        out.set |= one.set;
        out.empty |= one.empty;
      }
      break;
    case kind::sequence:
      out.empty = true;
      for (const pattern_node& each : node.inside) {
        if (!out.empty) break;
        const first_signs one = first_signs_of(each);
        out.set |= one.set;
        out.empty = one.empty;
      }
      break;
  }
  return out;
}

// The text begins with a sign with which no match can begin.
std::optional<std::string> other_text(const pattern_node& whole) {
  constexpr std::string_view signs = " !~#?*0aZ";
  const first_signs first = first_signs_of(whole);
  if (first.empty) return std::nullopt;
  for (const char sign : signs)
    if (!first.set.test(static_cast<std::size_t>(sign))) return sign + std::string("low tide");
  return std::nullopt;
}

}  // namespace

std::optional<pattern_samples> samples_of(std::string_view pattern) {
  const std::optional<pattern_node> whole = read_pattern_tree(pattern);
  sample_maker maker;
  if (!whole || !maker.add(*whole)) return std::nullopt;
  return pattern_samples{maker.take(), other_text(*whole)};
}

}  // namespace inferbench::simulator
