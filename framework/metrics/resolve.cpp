#include "metrics/resolve.hpp"

#include <algorithm>
#include <string>
#include <string_view>

namespace inferbench::metrics {
namespace {

constexpr std::string_view source_key = "output_tokens_from";
constexpr std::string_view mark_key = "end_mark";
constexpr std::string_view short_key = "short_answer";

const std::string* find(const client::record& record, std::string_view key) noexcept {
  for (const auto& [name, value] : record.attributes)
    if (name == key) return &value;
  return nullptr;
}

token_source count_output(client::record& record, const token_counter& counter) {
  if (const std::string* known = find(record, source_key))
    return *known == "text" ? token_source::text : token_source::assumed;
  if (record.output_tokens > 0) return token_source::server;
  const auto count = counter ? counter(record.text) : std::nullopt;
  record.output_tokens = count ? static_cast<std::int64_t>(*count) : 1;
  record.attributes.emplace_back(source_key, count ? "text" : "assumed");
  return count ? token_source::text : token_source::assumed;
}

/// Marks an answer that is shorter than promised. Only the server's count is used: a count of the
/// text may differ from it by a few tokens and proves nothing.
void look_at_length(client::record& record, token_source source) {
  if (source != token_source::server || record.wanted_tokens <= record.output_tokens ||
      find(record, short_key) != nullptr)
    return;
  record.attributes.emplace_back(short_key, std::to_string(record.output_tokens) + " of " +
                                                std::to_string(record.wanted_tokens));
}

void be_strict(client::record& record) {
  std::string why;
  if (const std::string* found = find(record, short_key); found != nullptr)
    why =
        "it has " + *found + " tokens, although the server was told to ignore the end of sequence";
  if (without_end_mark(record))
    why = "the stream stopped without [DONE] and without a finish reason" +
          (why.empty() ? "" : ", and " + why);
  if (why.empty()) return;
  record.status = IFB_E_PROTOCOL;
  record.error = "the answer ended early (--strict-answers): " + why;
}

}  // namespace

token_source resolve(client::record& record, bool pooling, const token_counter& counter,
                     const expectations& expected) {
  if (pooling) {
    // Upstream counts 0 tokens for a pooling prompt unless the server has counted it.
    if (record.prompt_tokens < 0 || !record.ok()) record.prompt_tokens = 0;
    return token_source::server;
  }
  if (record.prompt_tokens < 0)
    record.prompt_tokens = std::max<std::int64_t>(record.sample_tokens, 0);
  if (!record.ok()) return token_source::server;
  const token_source source = count_output(record, counter);
  if (expected.whole_length) look_at_length(record, source);
  if (expected.strict) be_strict(record);
  return source;
}

bool without_end_mark(const client::record& record) noexcept {
  const std::string* mark = find(record, mark_key);
  return mark != nullptr && *mark == "none";
}

bool shorter_than_promised(const client::record& record) noexcept {
  return find(record, short_key) != nullptr;
}

}  // namespace inferbench::metrics
