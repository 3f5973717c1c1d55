// The run's tokenizer, with the data that synthetic datasets need.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/host.hpp>

namespace synthetic {

/// Returns the run's tokenizer. Throws ifb::failure (IFB_E_CONFIG) if the run does not have a
/// tokenizer.
[[nodiscard]] ifb::service::tokenizer tokenizer_of(ifb::host host);

struct vocabulary {
  std::int64_t size = 0;                   // all ids are less than this; the base vocabulary
  std::int64_t total = 0;                  // the size with added tokens
  std::int64_t special = 0;                // number of tokens that the model adds to each text
  std::vector<std::uint32_t> special_ids;  // the special ids in the configuration, ascending
  std::vector<std::uint32_t> marked_ids;   // all ids that are marked as special, ascending
  std::string digest;                      // digest of the tokenizer; empty: not known

  /// Returns the ids 0 to end-1 without the special ids. Throws ifb::failure if no id is left.
  [[nodiscard]] std::vector<std::uint32_t> allowed(std::int64_t end) const;
  /// Like allowed(), also without all ids that the tokenizer marks as special, such as the
  /// placeholders of images.
  [[nodiscard]] std::vector<std::uint32_t> unmarked(std::int64_t end) const;

  std::string tokenizer;  // name of the tokenizer, for messages

 private:
  [[nodiscard]] std::vector<std::uint32_t> ids_without(std::span<const std::uint32_t> left_out,
                                                       std::int64_t end) const;
};

/// Throws ifb::failure (IFB_E_CONFIG) if the tokenizer does not have a vocabulary to draw from.
[[nodiscard]] vocabulary vocabulary_of(const ifb::service::tokenizer& tokenizer);

}  // namespace synthetic
