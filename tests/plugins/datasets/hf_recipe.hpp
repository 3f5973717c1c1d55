// Recipes for the tests of the dataset hf, from TOML text.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "datasets/hf/recipe.hpp"

namespace support {

inline hf::recipe recipe_of(const std::string& text) {
  return hf::read_recipe(toml_file::document("my.toml", text, "hf-recipe"));
}

/// The message with which the text is refused; empty if it is a recipe.
inline std::string refusal_of_recipe(const std::string& text) {
  try {
    static_cast<void>(recipe_of(text));
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "hf-recipe");
    return e.message();
  }
  return {};
}

}  // namespace support
