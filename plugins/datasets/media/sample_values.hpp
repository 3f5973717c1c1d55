// Sound that a row has as numbers.
#pragma once

#include <cstdint>
#include <vector>

#include <inferbench/json_reader.hpp>

namespace row_media {

struct sample_values {
  std::uint32_t rate = 0;  // frames a second
  std::uint32_t channels = 0;
  std::vector<double> samples;  // interleaved
};

/// Returns the samples of `array`, a list of numbers, or a list of frames that each have a number
/// for each channel. Throws unusable if a value has the wrong type, if there is no sample, or if
/// the frames differ in their number of channels.
[[nodiscard]] sample_values read_samples(const ifb::json_value& array, const ifb::json_value& rate);

}  // namespace row_media
