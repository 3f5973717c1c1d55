// The run's tokenizer, as synthetic datasets need it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

namespace synthetic {

/// The run's tokenizer. Throws ifb::failure (IFB_E_CONFIG) if there is none.
[[nodiscard]] ifb::service::tokenizer tokenizer_of(ifb::host host);

struct vocabulary {
  std::int64_t size = 0;                   // ids below this; the base vocabulary
  std::int64_t total = 0;                  // with added tokens
  std::int64_t special = 0;                // tokens that the model adds to a text by itself
  std::vector<std::uint32_t> special_ids;  // the ones that the configuration names, ascending
  std::string digest;                      // of the tokenizer; empty: not known

  /// 0 .. end-1 without the special ids. Throws ifb::failure where none is left.
  [[nodiscard]] std::vector<std::uint32_t> allowed(std::int64_t end) const;

  std::string tokenizer;  // its name, for messages
};

/// Throws ifb::failure (IFB_E_CONFIG) when the tokenizer has no vocabulary to draw from.
[[nodiscard]] vocabulary vocabulary_of(const ifb::service::tokenizer& tokenizer);

/// Throws ifb::failure (IFB_E_CONFIG) unless `wanted` is positive: synthetic data have no end.
void refuse_endless(std::int64_t wanted);

}  // namespace synthetic
