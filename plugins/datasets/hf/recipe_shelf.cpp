#include "recipe_shelf.hpp"

#include <algorithm>
#include <system_error>

#include <inferbench/guard.hpp>

#include "recipe_texts.hpp"

namespace hf {

namespace {

namespace fs = std::filesystem;

const fs::path below_prefix = "share/inferbench/recipes";

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code stop;
  for (fs::directory_iterator at(folder, stop), none; !stop && at != none; at.increment(stop))
    if (at->path().extension() == ".toml") out.push_back(at->path());
  std::ranges::sort(out);
  return out;
}

}  // namespace

std::vector<fs::path> recipe_folders(const environment_lookup& lookup, const std::string& library) {
  std::vector<fs::path> out;
  const auto add = [&](const fs::path& folder) {
    if (folder.is_absolute()) out.push_back(folder.lexically_normal());
  };
  const auto value = [&](const char* name) {
    const char* const found = lookup(name);
    return std::string(found == nullptr ? "" : found);
  };
  const std::string path = value("INFERBENCH_RECIPE_PATH");
  for (std::size_t at = 0; at < path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    add(path.substr(at, end - at));
    at = end + 1;
  }
  fs::path data = value("XDG_DATA_HOME");
  if (!data.is_absolute()) data = fs::path(value("HOME")) / ".local/share";
  add(data / "inferbench/recipes");
  fs::path above = fs::path(library).parent_path();
  std::error_code ignored;
  while (above.has_relative_path() && !fs::is_directory(above / below_prefix, ignored))
    above = above.parent_path();
  if (above.has_relative_path()) add(above / below_prefix);
  return out;
}

recipe_shelf::recipe_shelf(ifb::host host, const std::vector<fs::path>& folders) {
  for (const fs::path& folder : folders) {
    for (const fs::path& file : files_in(folder)) {
      try {
        recipes_.push_back(
            read_recipe(toml_file::document::read(file.string(), "a recipe", "hf-recipe")));
      } catch (const ifb::failure& e) {
        host.warn("a recipe is left out: " + e.message());
      }
    }
  }
  for (const recipe_text& own : recipe_texts)
    recipes_.push_back(
        read_recipe(toml_file::document(std::string(own.name), std::string(own.text), "")));
}

const recipe* recipe_shelf::of(std::string_view id) const {
  const auto found = std::ranges::find_if(recipes_, [&](const recipe& each) {
    return std::ranges::find(each.ids, id) != each.ids.end();
  });
  return found == recipes_.end() ? nullptr : &*found;
}

std::vector<std::string> recipe_shelf::ids() const {
  std::vector<std::string> out;
  for (const recipe& each : recipes_)
    for (const std::string& id : each.ids)
      if (id != "*" && std::ranges::find(out, id) == out.end()) out.push_back(id);
  return out;
}

}  // namespace hf
