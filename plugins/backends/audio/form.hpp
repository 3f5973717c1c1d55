// A body of type multipart/form-data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "backends/bodies/body.hpp"
#include "sound.hpp"

namespace openai {

/// Writes the members of a body layout as form fields, after the field of the file. A string,
/// boolean or number is written as Python's str() writes it (True, 0.5), and a list or an object as
/// JSON. A member with the value null is left out. Immutable after construction.
class form {
 public:
  /// `boundary` must not occur in any field.
  form(const bodies::body_layout& layout, std::string boundary);

  /// `model` is the model's name for samples that do not name a model. The texts of `what` must
  /// outlive the request.
  void put(bodies::gather_list& out, const sound& what, std::string_view model,
           const ifb_sample& sample) const;

 private:
  struct field {
    std::string head;
    std::string value;
    bodies::slot kind;
  };
  std::string boundary_;
  std::vector<field> fields_;
};

/// Returns a JSON value as Python's str() writes it. `json` must be compact JSON text.
[[nodiscard]] std::string python_text(std::string_view json);

}  // namespace openai
