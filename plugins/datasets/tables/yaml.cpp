#include "yaml.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "yaml_scalar.hpp"

namespace tables {

namespace {

/// A line without its comment: its indentation, and the rest without spaces at its end.
struct yaml_line {
  std::size_t number;
  std::size_t indent;
  std::string_view text;
};

std::vector<yaml_line> lines_of(std::string_view text) {
  std::vector<yaml_line> out;
  std::size_t number = 0;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t end = std::min(text.find('\n', from), text.size());
    const std::string_view line = without_comment(text.substr(from, end - from));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    out.push_back({++number, indent, ifb::trim(line)});
    from = end + 1;
  }
  return out;
}

bool is_item(const yaml_line& line) { return line.text == "-" || line.text.starts_with("- "); }

/// Recursive descent over the lines of one key. Deeper blocks are more indented; an item of a
/// sequence may have the indentation of its key.
class block_reader {
 public:
  block_reader(std::vector<yaml_line> lines, std::size_t from, std::size_t to)
      : lines_(std::move(lines)), at_(from), end_(to) {}

  yaml_value value(std::size_t least_indent, int depth) {
    skip_blanks();
    if (depth > deepest) refuse("nested too deeply");
    if (at_ == end_ || here().indent < least_indent) return {};
    if (is_item(here())) return sequence(here().indent, depth);
    if (colon_of_key(here().text) != here().text.npos) return mapping(here().indent, depth);
    return scalar(least_indent);
  }

 private:
  static constexpr int deepest = 32;

  yaml_line& here() { return lines_[at_]; }
  void skip_blanks() {
    while (at_ < end_ && here().text.empty())
      ++at_;
  }
  [[noreturn]] void refuse(const std::string& what) {
    const std::size_t number = at_ < lines_.size() ? here().number : lines_.size();
    throw ifb::failure(IFB_E_DATA, "line " + std::to_string(number) + ": " + what);
  }

  yaml_value sequence(std::size_t indent, int depth) {
    yaml_value out{.is = yaml_value::kind::sequence};
    for (; skip_blanks(), at_ < end_ && here().indent == indent && is_item(here());) {
      // The rest of the line is a block of its own, which begins after the hyphen.
      const std::string_view rest = ifb::trim(here().text.substr(1));
      if (rest.empty()) {
        ++at_;
      } else {
        here().indent += static_cast<std::size_t>(rest.data() - here().text.data());
        here().text = rest;
      }
      out.items.push_back(value(indent + 1, depth + 1));
    }
    return out;
  }

  yaml_value mapping(std::size_t indent, int depth) {
    yaml_value out{.is = yaml_value::kind::mapping};
    while (skip_blanks(), at_ < end_ && here().indent == indent && !is_item(here())) {
      const std::size_t colon = colon_of_key(here().text);
      if (colon == here().text.npos) refuse("a key and a colon are needed here");
      std::string key = scalar_text(ifb::trim(here().text.substr(0, colon)), here().number);
      const std::string_view rest = ifb::trim(here().text.substr(colon + 1));
      if (rest.empty()) {
        ++at_;
        skip_blanks();
        // "key:" and, on the next line with the same indentation, "- item"
        const bool beside = at_ < end_ && here().indent == indent && is_item(here());
        out.members.emplace_back(std::move(key), value(beside ? indent : indent + 1, depth + 1));
      } else if (rest[0] == '|' || rest[0] == '>') {
        out.members.emplace_back(std::move(key), block_scalar(indent));
      } else {
        here().text = rest;
        out.members.emplace_back(std::move(key), scalar(indent + 1));
      }
    }
    if (at_ < end_ && here().indent > indent) refuse("this line is indented too far");
    return out;
  }

  /// A scalar or a value in brackets, which may go on in the next, more indented lines.
  yaml_value scalar(std::size_t least_indent) {
    const std::size_t number = here().number;
    std::string text(here().text);
    const bool in_brackets = text.starts_with('[') || text.starts_with('{');
    auto open = in_brackets ? opened_in(text) : 0;
    ++at_;
    // The end of a value in brackets need not be indented.
    while (at_ < end_ && (here().text.empty() || here().indent >= least_indent || open > 0)) {
      if (!here().text.empty()) text.append(" ").append(here().text);
      if (in_brackets) open += opened_in(here().text);
      ++at_;
    }
    return flow_value(text, number);
  }

  /// Returns how many more brackets `text` opens than it closes. Brackets in quoted texts count,
  /// which matters only for the lines after the value.
  static std::ptrdiff_t opened_in(std::string_view text) {
    const auto count = [&](char c) { return std::ranges::count(text, c); };
    return count('[') + count('{') - count(']') - count('}');
  }

  /// The text itself is not needed by any reader.
  yaml_value block_scalar(std::size_t indent) {
    for (++at_; at_ < end_ && (here().text.empty() || here().indent > indent);)
      ++at_;
    return {.is = yaml_value::kind::scalar};
  }

  std::vector<yaml_line> lines_;
  std::size_t at_;
  std::size_t end_;
};

}  // namespace

const yaml_value* yaml_value::find(std::string_view name) const {
  const auto at = std::ranges::find(members, name, &std::pair<std::string, yaml_value>::first);
  return at == members.end() ? nullptr : &at->second;
}

std::string_view front_matter(std::string_view document) {
  if (document.starts_with("\xEF\xBB\xBF")) document.remove_prefix(3);
  if (!document.starts_with("---")) return {};
  const auto begin = document.find('\n');
  if (begin == document.npos || ifb::trim(document.substr(0, begin)) != "---") return {};
  for (std::size_t from = begin + 1; from < document.size();) {
    const std::size_t end = std::min(document.find('\n', from), document.size());
    if (ifb::trim(document.substr(from, end - from)) == "---")
      return document.substr(begin + 1, from - begin - 1);
    from = end + 1;
  }
  return {};
}

yaml_value read_yaml(std::string_view text, std::string_view name) {
  std::vector<yaml_line> lines = lines_of(text);
  const auto is_key = [](const yaml_line& line) {
    return line.indent == 0 && !is_item(line) && colon_of_key(line.text) != line.text.npos;
  };
  const auto begins = [&](const yaml_line& line) {
    return is_key(line) && line.text.starts_with(name) &&
           ifb::trim(line.text.substr(name.size())).starts_with(':');
  };
  const auto first = std::ranges::find_if(lines, begins);
  if (first == lines.end()) return {};
  const auto last = std::find_if(first + 1, lines.end(), is_key);
  const auto from = static_cast<std::size_t>(first - lines.begin());
  const auto to = static_cast<std::size_t>(last - lines.begin());
  yaml_value top = block_reader(std::move(lines), from, to).value(0, 0);
  return top.members.empty() ? yaml_value{} : std::move(top.members[0].second);
}

}  // namespace tables
