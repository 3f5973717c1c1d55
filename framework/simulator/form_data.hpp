// Reads a body of type multipart/form-data (RFC 7578), without any copy of its contents. The
// functions have no state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace inferbench::simulator {

/// One part of a form. The views point into the body.
struct form_field {
  std::string name;
  std::optional<std::string> file_name;  // nullopt: the part is not a file
  std::string_view type;                 // the media type of the part; empty: not said
  std::string_view value;
};

/// The boundary in the value of the field Content-Type. Empty if the type is not
/// multipart/form-data or has no valid boundary.
[[nodiscard]] std::string boundary_of(std::string_view content_type);

/// The parts of `body` in their order. Returns nullopt and sets `fault` to a sentence if the body
/// is not a form with this boundary, or does not end with its closing boundary.
[[nodiscard]] std::optional<std::vector<form_field>> read_form(std::string_view body,
                                                               std::string_view boundary,
                                                               std::string& fault);

}  // namespace inferbench::simulator
