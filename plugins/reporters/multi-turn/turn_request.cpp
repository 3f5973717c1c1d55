#include "turn_request.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

namespace multi_turn {

namespace {

std::optional<std::string_view> text_attribute(const ifb_record& record, std::string_view name) {
  for (const ifb_field& each : ifb::attributes_of(record))
    if (ifb::view(each.name) == name) return ifb::view(each.value);
  return std::nullopt;
}

std::optional<std::int64_t> whole_attribute(const ifb_record& record, std::string_view name) {
  const auto text = text_attribute(record, name);
  std::int64_t out = 0;
  if (!text) return std::nullopt;
  const auto [end, problem] = std::from_chars(text->data(), text->data() + text->size(), out);
  if (problem != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return out;
}

double ms(std::uint64_t to, std::uint64_t from) {
  return to > from ? static_cast<double>(to - from) / 1e6 : 0.0;
}

}  // namespace

std::int64_t turn_requests::first_chunk_tokens(const ifb_record& record, std::int64_t out) const {
  const auto size = whole_attribute(record, "answer.first_bytes");
  const std::string_view text = ifb::view(record.text);
  if (!size || *size <= 0 || !count_ || static_cast<std::uint64_t>(*size) > text.size())
    return std::min<std::int64_t>(out, 1);
  if (static_cast<std::uint64_t>(*size) == text.size()) return out;
  return count_(text.substr(0, static_cast<std::size_t>(*size)));
}

void turn_requests::add(const ifb_record& record) {
  turn_request made;
  const std::int64_t out = std::max<std::int64_t>(record.output_tokens, 0);
  const std::int64_t first = first_chunk_tokens(record, out);
  made.latency_ms = ms(record.end_ns, record.start_ns);
  made.ttft_ms =
      record.first_answer_ns == 0 ? made.latency_ms : ms(record.first_answer_ns, record.start_ns);
  if (out > 1 && out > first)
    made.tpot_ms = (made.latency_ms - made.ttft_ms) / static_cast<double>(out - first);
  if (first > 1)
    made.ttft_ms = std::max(0.1, made.ttft_ms - static_cast<double>(first - 1) * made.tpot_ms);
  made.start_time_ms = static_cast<double>(record.start_ns) / 1e6;
  made.output_num_tokens = out;
  made.output_num_first_chunk_tokens = first;
  const auto events = static_cast<std::int64_t>(record.token_count);
  made.output_num_chunks =
      std::max<std::int64_t>(whole_attribute(record, "answer.chunks").value_or(events) - 1, 0);
  made.input_num_turns =
      whole_attribute(record, "messages").value_or(2 * std::int64_t{record.turn} + 1);

  history& before = sessions_[std::string(ifb::view(record.session))];
  const auto question = whole_attribute(record, "question_tokens");
  std::int64_t input = record.sample_tokens;
  if (question && before.input >= 0 && before.output >= 0)
    input = before.input + before.output + *question;
  made.input_num_tokens = std::max<std::int64_t>(input, 0);
  before = {input, record.output_tokens};
  if (input > 0 && question)
    made.approx_cached_percent =
        100.0 * static_cast<double>(input - *question) / static_cast<double>(input);
  made.conversation_id =
      std::string(text_attribute(record, "conversation_id").value_or(ifb::view(record.session)));
  made.client_id = whole_attribute(record, "client").value_or(0);
  all_.push_back(std::move(made));
}

}  // namespace multi_turn
