#include "recipe_choice.hpp"

#include <inferbench/guard.hpp>

namespace hf {

namespace {

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const std::string& each : names)
    out += (out.empty() ? "" : ", ") + each;
  return out;
}

recipe known_or_any(const recipe_request& asked, const recipe_shelf& shelf, bool& guessed) {
  for (const std::string& id : {asked.name, asked.path})
    if (const recipe* found = id.empty() || id == "*" ? nullptr : shelf.of(id)) return *found;
  guessed = true;
  return shelf.of_any();
}

}  // namespace

recipe_choice choose_recipe(const recipe_request& asked, const recipe_shelf& shelf) {
  recipe_choice out{asked.path, {}, false};
  if (!asked.file.empty() && !asked.column.empty())
    throw ifb::failure(IFB_E_CONFIG, "a recipe names its columns itself; give --hf-recipe alone",
                       "hf-text-column");
  if (!asked.file.empty())
    out.of = read_recipe(toml_file::document::read(asked.file, "a recipe", "hf-recipe"));
  else if (!asked.column.empty())
    out.of = with_prompt_column(shelf.of_any(), asked.column);
  else if (!asked.path.empty() || !asked.name.empty())
    out.of = known_or_any(asked, shelf, out.guessed);

  // The id of a recipe is also a data set.
  if (out.path.empty()) out.path = asked.name;
  if (out.path.empty() && !out.of.ids.empty() && out.of.ids.front() != "*")
    out.path = out.of.ids.front();
  if (out.path.empty())
    throw ifb::failure(IFB_E_CONFIG,
                       "--dataset-path is not given; it is a file, a folder or an id of the hub. "
                       "There are recipes for " +
                           joined(shelf.ids()) +
                           ", and gorilla-llm/Berkeley-Function-Calling-Leaderboard (bfcl); "
                           "other data sets are read if a column has a usual name, such as "
                           "prompt or conversations, or by --hf-text-column or --hf-recipe",
                       "path");
  return out;
}

}  // namespace hf
