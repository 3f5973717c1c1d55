#include "link_header.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <inferbench/text.hpp>

namespace hub {

namespace {

/// The part of a header that is not read yet.
class header_rest {
 public:
  explicit header_rest(std::string_view text) : text_(text) {}

  /// Skips white space, and then `wanted`. Returns false if another character comes next.
  bool skip(char wanted) {
    skip_blanks();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// Reads up to one of the characters in `ends`, or up to the end.
  std::string_view until(std::string_view ends) {
    const std::string_view out = text_.substr(0, text_.find_first_of(ends));
    text_.remove_prefix(out.size());
    return out;
  }

  /// Skips white space, and then reads like until().
  std::string_view word(std::string_view ends) {
    skip_blanks();
    return until(ends);
  }

  /// Reads the value of a parameter, with or without quotes.
  std::string value() {
    if (!skip('"')) return std::string(until(" \t;,"));
    std::string out;
    for (; !text_.empty() && text_.front() != '"'; text_.remove_prefix(1)) {
      if (text_.front() == '\\' && text_.size() > 1) text_.remove_prefix(1);
      out += text_.front();
    }
    skip('"');
    return out;
  }

 private:
  void skip_blanks() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size()));
  }

  std::string_view text_;
};

/// Returns whether a list of relation types, which blanks separate, contains "next".
bool has_next(const std::string& relations) {
  header_rest rest(relations);
  for (;;) {
    const std::string_view type = rest.word(" \t");
    if (type.empty()) return false;
    if (ifb::same_without_case(type, "next")) return true;
  }
}

}  // namespace

std::string next_page(std::string_view header) {
  header_rest rest(header);
  do {
    if (!rest.skip('<')) {  // an empty element, or no link
      rest.until(",");
      continue;
    }
    const std::string_view url = rest.until(">");
    if (!rest.skip('>')) return {};
    std::optional<std::string> relations;
    while (rest.skip(';')) {
      const std::string_view name = rest.word(" \t=;,");
      std::string value = rest.skip('=') ? rest.value() : std::string();
      // Only the first parameter `rel` of a link counts.
      if (!relations && ifb::same_without_case(name, "rel")) relations = std::move(value);
    }
    if (relations && has_next(*relations)) return std::string(url);
    rest.until(",");
  } while (rest.skip(','));
  return {};
}

}  // namespace hub
