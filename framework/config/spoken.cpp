#include "config/spoken.hpp"

#include <algorithm>
#include <string_view>

namespace inferbench::config {

namespace {

constexpr std::string_view cut = "(cut)";

// As a word of a shell; one without need of quotes stays as it is.
std::string shell_word(std::string_view word) {
  constexpr std::string_view plain = "-_./:=,+@%()";
  const auto harmless = [&](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
           plain.find(c) != std::string_view::npos;
  };
  if (!word.empty() && std::ranges::all_of(word, harmless)) return std::string(word);
  std::string out = "'";
  for (const char c : word) {
    if (c == '\'')
      out += "'\\''";
    else
      out += c;
  }
  return out + "'";
}

// KEY=VALUE keeps its key.
std::string redacted(const std::string& text, bool secret) {
  if (!secret) return without_password(text);
  const auto equals = text.find('=');
  return (equals == std::string::npos ? std::string{} : text.substr(0, equals + 1)) +
         std::string(cut);
}

// --set TABLE.KEY=VALUE
bool sets_secret(std::string_view text, std::span<const option> options) {
  const std::string_view path = text.substr(0, text.find('='));
  return std::ranges::any_of(options, [&](const option& o) {
    return o.secret && !o.table.empty() && (path == o.path() || path.starts_with(o.path() + "."));
  });
}

}  // namespace

std::string without_password(std::string text) {
  const auto scheme = text.find("://");
  if (scheme == std::string::npos) return text;
  const auto end = text.find_first_of("/?#", scheme + 3);
  const auto at = std::string_view(text).substr(0, end).rfind('@');
  if (at != std::string::npos && at > scheme) text.replace(scheme + 3, at - scheme - 3, cut);
  return text;
}

std::string spoken(const command_line& line, std::span<const option> options) {
  std::string out;
  const auto add = [&](const std::string& word) {
    out += (out.empty() ? "" : " ") + shell_word(word);
  };
  for (const std::string& word : line.positional)
    add(word);
  for (const given_flag& g : line.flags) {
    const auto found = std::ranges::find(options, g.name, &option::flag);
    const bool secret = found != options.end() && found->secret;
    if (found != options.end() && found->takes == arity::none) {
      add("--" + g.name + (g.values.front() == "true" ? "" : "=" + g.values.front()));
      continue;
    }
    if (g.dotted) {
      add("--" + g.name);
      add(secret ? std::string(cut) : to_json(*g.dotted));
      continue;
    }
    // One that takes one value and was given several had each behind a name of its own.
    const bool list = found != options.end() && found->takes != arity::one;
    if (list) add("--" + g.name);
    for (const std::string& value : g.values) {
      const std::string shown =
          redacted(value, secret || (g.name == "set" && sets_secret(value, options)));
      const bool flag_like = shown.starts_with('-');
      if (!list && !flag_like) add("--" + g.name);
      add(!list && flag_like ? "--" + g.name + "=" + shown : shown);
    }
  }
  return out;
}

}  // namespace inferbench::config
