#include "sample_values.hpp"

#include <cmath>
#include <limits>
#include <string>

#include "unusable.hpp"

namespace row_media {

namespace {

constexpr std::uint32_t most_channels = 1024;  // libsndfile's limit

std::uint32_t rate_of(const ifb::json_value& value) {
  const double rate = value.IsNumber() ? value.GetDouble() : 0;
  if (rate < 1 || rate > std::numeric_limits<std::int32_t>::max() || rate != std::floor(rate))
    throw unusable("the sampling rate of the sound is not a positive whole number");
  return static_cast<std::uint32_t>(rate);
}

double sample_of(const ifb::json_value& value) {
  if (!value.IsNumber() || !std::isfinite(value.GetDouble()))
    throw unusable("a sample of the sound is not a number");
  return value.GetDouble();
}

}  // namespace

sample_values read_samples(const ifb::json_value& array, const ifb::json_value& rate) {
  sample_values out;
  out.rate = rate_of(rate);
  if (!array.IsArray() || array.Empty()) throw unusable("the sound has no list of samples");
  const bool frames = array[0].IsArray();
  out.channels = frames ? array[0].Size() : 1;
  if (out.channels == 0 || out.channels > most_channels)
    throw unusable("the sound has " + std::to_string(out.channels) + " channels");
  out.samples.reserve(std::size_t{array.Size()} * out.channels);
  for (const ifb::json_value& each : array.GetArray()) {
    if (!frames) {
      out.samples.push_back(sample_of(each));
      continue;
    }
    if (!each.IsArray() || each.Size() != out.channels)
      throw unusable("the frames of the sound differ in their number of channels");
    for (const ifb::json_value& sample : each.GetArray())
      out.samples.push_back(sample_of(sample));
  }
  return out;
}

}  // namespace row_media
