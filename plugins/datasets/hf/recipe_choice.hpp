// Decides which data set is read, and by which recipe.
#pragma once

#include <string>

#include "recipe.hpp"
#include "recipe_shelf.hpp"

namespace hf {

/// The values of the plugin's options; empty: not given.
struct recipe_request {
  std::string path{};    // a file, a folder or an id of the hub
  std::string name{};    // the id whose recipe is used
  std::string file{};    // a file with a recipe
  std::string column{};  // the column of the prompts
};

struct recipe_choice {
  std::string path;  // the data set to read
  recipe of;
  bool guessed = false;  // no recipe is known: the columns are recognised by their names
};

/// Throws ifb::failure (IFB_E_CONFIG) if `file` and `column` are both given, or if nothing names a
/// data set; the message then lists the ids that have a recipe.
[[nodiscard]] recipe_choice choose_recipe(const recipe_request& asked, const recipe_shelf& shelf);

}  // namespace hf
