// A body of type multipart/form-data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>

#include "backends/bodies/body.hpp"
#include "sound.hpp"

namespace openai {

/// The members of a layout as fields, behind the file. A value is spelled as Python's str()
/// spells it (True, 0.5), lists and objects as JSON; null leaves a field out. Read-only once
/// made.
class form {
 public:
  /// `boundary` must occur in no field.
  form(const bodies::body_layout& layout, std::string boundary);

  /// `model`: for samples without one of their own. The texts of `what` outlive the request.
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

/// A value of JSON as Python's str() has it; `json` is compact.
[[nodiscard]] std::string python_text(std::string_view json);

}  // namespace openai
