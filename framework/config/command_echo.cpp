#include "config/command_echo.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <inferbench/text.hpp>

#include "base/text.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view cut_off = "(cut)";

// This key is treated separately, because the URL of a proxy may lack its scheme.
constexpr std::string_view proxy_path = "server.proxy";

// "KEY=(cut)" for KEY=VALUE, otherwise "(cut)".
std::string without_value(const std::string& text) {
  const auto equals = text.find('=');
  return (equals == std::string::npos ? std::string{} : text.substr(0, equals + 1)) +
         std::string(cut_off);
}

// The value of a flag with secrets and passwords replaced by "(cut)". `known`: the declaration of
// the flag, or nullptr.
std::string redacted(const given_flag& given, const options::option* known,
                     const std::string& value, std::span<const options::option> options) {
  if (given.name == "set") return set_without_secret(value, options);
  if (known == nullptr) return ifb::without_password(value);
  if (!known->secret) return without_password(*known, value);
  return known->shape == options::form::pairs ? without_value(value) : std::string(cut_off);
}

}  // namespace

// The text TABLE.KEY=VALUE of a --set, with secrets and passwords replaced by "(cut)".
std::string set_without_secret(const std::string& text, std::span<const options::option> options) {
  const auto equals = text.find('=');
  const std::string path(
      base::trim(std::string_view(text).substr(0, equals)));  // trimmed as in setting_of_text()
  const auto secret = [&](const options::option& o) {
    return o.secret && !o.table.empty() && (path == o.path() || path.starts_with(o.path() + "."));
  };
  if (std::ranges::any_of(options, secret)) return without_value(text);
  if (path == proxy_path && equals != std::string::npos)
    return text.substr(0, equals + 1) +
           ifb::without_proxy_password(std::string_view(text).substr(equals + 1));
  return ifb::without_password(text);
}

std::string without_password(const options::option& declared, std::string_view text) {
  return !declared.table.empty() && declared.path() == proxy_path
             ? ifb::without_proxy_password(text)
             : ifb::without_password(text);
}

std::vector<std::string> command_words(const command_line& line,
                                       std::span<const options::option> options, secrets how) {
  std::vector<std::string> out = line.positional;
  for (const given_flag& g : line.flags) {
    const auto found = std::ranges::find(options, g.name, &options::option::flag);
    const bool secret = found != options.end() && found->secret;
    if (found != options.end() && found->takes == options::arity::none) {
      out.push_back("--" + g.name + (g.values.front() == "true" ? "" : "=" + g.values.front()));
      continue;
    }
    if (g.dotted) {
      out.push_back("--" + g.name);
      out.push_back(secret && how == secrets::cut ? std::string(cut_off)
                                                  : options::to_json(*g.dotted));
      continue;
    }
    // The name of a list flag is printed once. If a flag with a single value was given several
    // times, its name is printed before each value.
    const bool list = found != options.end() && found->takes != options::arity::one;
    if (list) out.push_back("--" + g.name);
    for (const std::string& value : g.values) {
      const std::string shown =
          how == secrets::kept
              ? value
              : redacted(g, found == options.end() ? nullptr : &*found, value, options);
      const bool flag_like = shown.starts_with('-');
      if (!list && !flag_like) out.push_back("--" + g.name);
      out.push_back(!list && flag_like ? "--" + g.name + "=" + shown : shown);
    }
  }
  return out;
}

std::string command_echo(const command_line& line, std::span<const options::option> options) {
  const std::vector<std::string> words = command_words(line, options, secrets::cut);
  return fmt::format("{}", fmt::join(words | std::views::transform(base::shell_word), " "));
}

}  // namespace inferbench::config
