#include "config/layers.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/text.hpp"
#include "config/settings.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::config {

namespace {

constexpr std::string_view reporters = "reporter";
constexpr std::string_view extend_key = "extend";

std::string text_of_file(const std::string& path) {
  try {
    return base::read_file(path);
  } catch (const base::error& e) {
    throw base::error(e.message(), e.remedy().empty() ? "correct the path" : e.remedy(), e.where());
  }
}

/// Removes the key `extend` from every entry. Returns whether one of the entries has it, and it is
/// true.
bool take_extend(options::node& entries) {
  bool extends = false;
  for (options::node& entry : entries.items) {
    const auto name = std::ranges::find(entry.names, extend_key);
    if (name == entry.names.end()) continue;
    const auto at = std::distance(entry.names.begin(), name);
    const options::node& value = entry.items[static_cast<std::size_t>(at)];
    if (!value.is(options::node::kind::boolean))
      throw options::usage_error(
          "reporter.extend must be true or false, not " + std::string(options::noun_of(value)),
          "write extend = true to keep the reporters of the earlier files", value.where);
    extends = extends || value.boolean;
    entry.names.erase(name);
    entry.items.erase(entry.items.begin() + at);
  }
  return extends;
}

}  // namespace

options::node read_layers(std::span<const std::string> paths, const options::environment& env) {
  options::node out = options::node::table();
  for (const std::string& path : paths) {
    options::node layer = options::parse_toml(text_of_file(path), path, env);
    check_tables(layer);
    if (options::node* added = layer.find(reporters)) {
      options::node* earlier = out.find(reporters);
      if (take_extend(*added) && earlier != nullptr) {
        std::ranges::move(added->items, std::back_inserter(earlier->items));
        *added = std::move(*earlier);
      }
    }
    options::lay_over(out, std::move(layer));
  }
  return out;
}

}  // namespace inferbench::config
