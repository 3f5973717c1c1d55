#include "cli/plugin_argument.hpp"

#include <filesystem>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

// A run takes a path without a slash for a name.
std::string with_slash(const std::string& path) {
  return path.find('/') == std::string::npos ? "./" + path : path;
}

}  // namespace

plugin::wanted plugin_of_argument(const std::string& text) {
  if (is_file(text)) return {.name = with_slash(text), .id = {}, .is_path = true};
  if (text.empty() || text.starts_with(':') || text.ends_with(':'))
    throw base::error("\"" + text + "\" names no plugin",
                      "write a name, NAME:ID, or the path of a library, with or without :ID");
  plugin::wanted out = plugin::parse_name(IFB_BACKEND, text);  // all kinds have the same form
  if (out.is_path || !is_file(out.name)) return out;
  out.name = with_slash(out.name);
  out.is_path = true;
  return out;
}

void no_such_plugin(const std::string& library, const std::string& id,
                    std::span<const plugin::described> plugins) {
  std::vector<std::string> ids;
  for (const plugin::described& d : plugins)
    ids.push_back(d.id);
  const std::string meant = base::did_you_mean(id, ids);
  throw base::error(library + " holds no plugin " + id,
                    meant.empty() ? fmt::format("it holds {}", fmt::join(ids, ", ")) : meant);
}

std::string sentence_of_later(const plugin::described& plugin) {
  return "plugin " + plugin.id + " " + plugin.trouble;
}

}  // namespace inferbench::cli
