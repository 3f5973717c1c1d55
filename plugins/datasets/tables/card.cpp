#include "card.hpp"

#include <inferbench/guard.hpp>

#include "yaml.hpp"

namespace tables {

namespace {

using kind = yaml_value::kind;

[[noreturn]] void refuse(const std::string& what) {
  throw ifb::failure(IFB_E_DATA, "README.md: " + what);
}

/// A path, or a list of paths.
std::vector<std::string> patterns_of(const yaml_value& value) {
  std::vector<std::string> out;
  if (value.is == kind::scalar) out.push_back(value.text);
  for (const yaml_value& item : value.items)
    if (item.is == kind::scalar) out.push_back(item.text);
  if (out.empty()) refuse("data_files has no path");
  return out;
}

/// `data_files` is a path, a list of paths, a mapping of splits to paths, or a list of mappings
/// with the members split and path.
std::vector<card_split> splits_of(const yaml_value& files) {
  std::vector<card_split> out;
  for (const auto& [split, paths] : files.members)
    out.push_back({split, patterns_of(paths)});
  if (files.is == kind::sequence && !files.items.empty() && files.items[0].is == kind::mapping) {
    for (const yaml_value& item : files.items) {
      const yaml_value* const split = item.find("split");
      const yaml_value* const path = item.find("path");
      if (split == nullptr || path == nullptr) refuse("an entry of data_files has split and path");
      out.push_back({split->text, patterns_of(*path)});
    }
    return out;
  }
  if (files.is != kind::mapping) out.push_back({"train", patterns_of(files)});
  return out;
}

bool says_true(const yaml_value* value) {
  return value != nullptr && (value->text == "true" || value->text == "True");
}

card_config config_of(const yaml_value& value) {
  card_config out;
  const yaml_value* const name = value.find("config_name");
  if (name == nullptr || name->text.empty()) refuse("an entry of configs has a config_name");
  out.name = name->text;
  out.is_default = out.name == "default" || says_true(value.find("default"));
  if (const auto* folder = value.find("data_dir")) out.folder = folder->text;
  if (const auto* files = value.find("data_files"); files != nullptr && files->is != kind::nothing)
    out.splits = splits_of(*files);
  return out;
}

}  // namespace

std::vector<card_config> read_card(std::string_view readme) {
  std::vector<card_config> out;
  yaml_value configs;
  try {
    configs = read_yaml(front_matter(readme), "configs");
  } catch (const ifb::failure& why) {
    refuse(why.message());
  }
  for (const yaml_value& each : configs.items)
    out.push_back(config_of(each));
  if (out.size() == 1) out[0].is_default = true;
  return out;
}

}  // namespace tables
