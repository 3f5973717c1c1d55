#include "metrics/resolve.hpp"

#include <algorithm>

namespace inferbench::metrics {
namespace {

constexpr const char* source_key = "output_tokens_from";

}  // namespace

token_source resolve(client::record& record, bool pooling, const token_counter& counter) {
  if (pooling) {
    // Upstream takes a pooling prompt for empty unless the server counted it.
    if (record.prompt_tokens < 0 || !record.ok()) record.prompt_tokens = 0;
    return token_source::server;
  }
  if (record.prompt_tokens < 0)
    record.prompt_tokens = std::max<std::int64_t>(record.sample_tokens, 0);
  if (!record.ok()) return token_source::server;
  for (const auto& [key, value] : record.attributes)
    if (key == source_key) return value == "text" ? token_source::text : token_source::assumed;
  if (record.output_tokens > 0) return token_source::server;
  const auto count = counter ? counter(record.text) : std::nullopt;
  record.output_tokens = count ? static_cast<std::int64_t>(*count) : 1;
  record.attributes.emplace_back(source_key, count ? "text" : "assumed");
  return count ? token_source::text : token_source::assumed;
}

}  // namespace inferbench::metrics
