// The file of a template, with the names of common/toml.
#pragma once

#include "common/toml/document.hpp"

namespace template_backend {

using toml_file::document;
using toml_file::value;

/// Reads a template. Throws ifb::failure, IFB_E_CONFIG, that names the option "file", if the file
/// cannot be read or is not TOML.
[[nodiscard]] inline document read_document(const std::string& file) {
  return document::read(file, "a template", "file");
}

}  // namespace template_backend
