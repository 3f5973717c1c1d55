// The lengths of prompts that are used.
#pragma once

#include <cstdint>
#include <string_view>

namespace sharegpt {

/// In tokens; both limits are included.
struct prompt_range {
  std::int64_t least = 0, most = 0;

  /// Reads "128:256". Throws ifb::failure with IFB_E_CONFIG and `option` for a text of another form
  /// and for limits in the wrong order.
  [[nodiscard]] static prompt_range parse(std::string_view text, const char* option);
};

}  // namespace sharegpt
