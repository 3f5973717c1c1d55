// The message of a refused TOML text.
#pragma once

#include <string>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "common/toml/document.hpp"

namespace toml_file {

/// The message of the ifb::failure that `read` throws for the text; empty if it throws none.
template <typename reading>
std::string refusal_of(const std::string& text, reading&& read) {
  try {
    const document file("a.toml", text, "file");
    read(file);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "file");
    return e.message();
  }
  return {};
}

inline std::string refusal_of(const std::string& text) {
  return refusal_of(text, [](const document&) {});
}

}  // namespace toml_file
