#include "metrics/outcome.hpp"

#include <cmath>
#include <string_view>

#include "base/text.hpp"
#include "metrics/request_times.hpp"

namespace inferbench::metrics {
namespace {

/// The value of an attribute; empty if the record does not have it. Codecs set attributes with
/// upstream's names.
std::string_view attribute(const client::record& record, std::string_view name) {
  for (const auto& [key, value] : record.attributes)
    if (key == name) return value;
  return {};
}

}  // namespace

void totals::add(const client::record& record) {
  input += limited_count(record.prompt_tokens);
  output += limited_count(record.output_tokens);
  cached += limited_count(record.cached_tokens);
  reasoning += limited_count(record.reasoning_tokens);
  said_cached += record.cached_tokens >= 0 ? 1U : 0U;
  said_reasoning += record.reasoning_tokens >= 0 ? 1U : 0U;
  events += record.tokens.size();
  for (std::size_t i = 0; i < text_events.size(); ++i)
    text_events[i] += record.text_events[i];
  if (record.attributes.empty()) {
    ++inputs;
    return;
  }
  inputs += limited_count(base::parse_int(attribute(record, "num_input_sequences")).value_or(1));
  const double seconds = base::parse_float(attribute(record, "input_audio_duration")).value_or(0);
  if (std::isfinite(seconds)) audio_s.add(seconds);
}

}  // namespace inferbench::metrics
