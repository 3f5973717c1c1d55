// All recipes that a run can use: those of the searched folders and those of the plugin itself.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

#include "recipe.hpp"

namespace hf {

/// Returns the value of an environment variable, or null.
using environment_lookup = std::function<const char*(const char*)>;

/// Returns the folders that are searched for recipes, in order: those of $INFERBENCH_RECIPE_PATH,
/// separated by colons; $XDG_DATA_HOME/inferbench/recipes, or the same below ~/.local/share; and
/// share/inferbench/recipes in the nearest folder above `library` that has it. Relative paths are
/// left out.
[[nodiscard]] std::vector<std::filesystem::path> recipe_folders(const environment_lookup& lookup,
                                                                const std::string& library);

/// Immutable after construction; any thread.
class recipe_shelf {
 public:
  /// Reads the files NAME.toml of the folders. A file that is no recipe is left out with a warning.
  recipe_shelf(ifb::host host, const std::vector<std::filesystem::path>& folders);

  /// Returns the first recipe with this id; nullptr if there is none. Recipes of folders come
  /// before the plugin's own. Valid as long as this object.
  [[nodiscard]] const recipe* of(std::string_view id) const;
  /// Returns the recipe for data sets without a recipe of their own.
  [[nodiscard]] const recipe& of_any() const { return *of("*"); }

  /// Returns the ids of all recipes, in the order of the recipes.
  [[nodiscard]] std::vector<std::string> ids() const;

 private:
  std::vector<recipe> recipes_;
};

}  // namespace hf
