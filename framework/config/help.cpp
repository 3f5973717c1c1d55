#include "config/help.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"

namespace inferbench::config {

namespace {

constexpr std::size_t width = 100;
constexpr std::size_t margin = 34;

bool of_plugin(const options::option& o) { return o.group.find(' ') != std::string::npos; }

// The text in lower case, with "_" replaced by "-" as in flags.
std::string plain(std::string_view text) {
  std::string out = base::lower_case(text);
  std::ranges::replace(out, '_', '-');
  return out;
}

std::string head_of(const options::option& o) {
  if (o.flag.empty()) return "  " + o.path() + " " + options::value_name_of(o);
  std::string out = "  --" + o.flag;
  switch (o.takes) {
    case options::arity::one: return out + " " + options::value_name_of(o);
    case options::arity::none: return out;
    case options::arity::any: return out + " [" + options::value_name_of(o) + " ...]";
    case options::arity::some: return out + " " + options::value_name_of(o) + " [...]";
  }
  return out;
}

std::string note_of(const options::option& o) {
  std::string out = o.help;
  if (o.required && !o.fallback) return out + " (required)";
  if (o.fallback && (o.takes != options::arity::none || o.flag.empty())) {
    std::string shown = *o.fallback;
    if (shown.size() > 2 && shown.front() == '"' && shown.back() == '"')
      shown = shown.substr(1, shown.size() - 2);
    out += " (default: " + shown + ")";
  }
  return out;
}

// Breaks `text` into lines at blanks and indents each line except the first.
std::string wrapped(const std::string& text) {
  std::string out;
  std::size_t column = margin;
  for (const std::string_view word : base::split(text, ' ')) {
    if (column != margin && column + 1 + word.size() > width) {
      out += "\n" + std::string(margin, ' ');
      column = margin;
    }
    if (column != margin) {
      out += ' ';
      ++column;
    }
    out += word;
    column += word.size();
  }
  return out;
}

std::string line_of(const options::option& o) {
  std::string out = head_of(o);
  if (out.size() + 2 > margin)
    out += "\n" + std::string(margin, ' ');
  else
    out.resize(margin, ' ');
  return out + wrapped(note_of(o)) + "\n";
}

}  // namespace

std::string help_text(std::string_view usage, std::span<const options::option> options,
                      std::string_view topic) {
  const std::string wanted = plain(topic);
  const bool group = std::ranges::any_of(
      options, [&](const options::option& o) { return plain(o.group) == wanted; });
  const auto chosen = [&](const options::option& o) {
    if (wanted.empty()) return !of_plugin(o) && !o.advanced;
    if (wanted == "all") return true;
    if (group) return plain(o.group) == wanted;
    return plain(o.flag.empty() ? o.path() : "--" + o.flag).find(wanted) != std::string::npos ||
           plain(o.help).find(wanted) != std::string::npos;
  };
  std::string out = "usage: " + std::string(usage) + "\n";
  std::string title;
  bool any = false;
  for (const options::option& o : options) {
    if (!chosen(o)) continue;
    if (o.group != title) out += "\n" + o.group + ":\n";
    title = o.group;
    out += line_of(o);
    any = true;
  }
  if (!any) out += "\nNothing matches \"" + std::string(topic) + "\".\n";
  if (!wanted.empty()) return out;
  std::vector<std::string> groups;
  for (const options::option& o : options)
    if (of_plugin(o) && std::ranges::find(groups, o.group) == groups.end())
      groups.push_back(o.group);
  out +=
      "\n--help=all shows everything, --help=GROUP one group, --help=TEXT the entries that contain "
      "TEXT.\n";
  if (groups.empty()) return out;
  out += "Plugins add the groups\n";
  for (const std::string& name : groups)
    out += "  " + name + "\n";
  return out;
}

}  // namespace inferbench::config
