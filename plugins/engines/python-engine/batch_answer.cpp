#include "batch_answer.hpp"

#include <algorithm>

namespace python_engine {

namespace {

constexpr std::size_t tokens_header = 12;
constexpr std::size_t event_size = 8;
constexpr std::uint64_t most_events = 1'048'576;

void check_size(const frame& in, std::size_t size) {
  if (in.payload.size() != size)
    throw violation(in, std::to_string(in.payload.size()) + " bytes of payload instead of " +
                            std::to_string(size));
}

}  // namespace

batch_answer::batch_answer(const ifb_batch& batch, std::uint64_t number, const clock_tie& clock,
                           ifb::arena memory)
    : number_(number),
      outputs_(std::max<std::uint32_t>(
          batch.mode == IFB_BATCH_BEAM_SEARCH ? batch.sampling->beam_width : batch.sampling->n, 1)),
      beams_(batch.mode == IFB_BATCH_BEAM_SEARCH),
      stamps_((batch.flags & IFB_BATCH_STAMPS) != 0),
      clock_(clock),
      memory_(memory),
      results_(batch.item_count) {}

const char* batch_answer::awaited() const noexcept {
  return stage_ == stage::prepares ? "began" : stage_ == stage::runs ? "ended" : "done";
}

bool batch_answer::take(const frame& in) {
  switch (in.kind) {
    case frame_kind::began: take_began(in); break;
    case frame_kind::tokens: take_tokens(in); break;
    case frame_kind::ended: take_ended(in); break;
    case frame_kind::results: take_results(in); break;
    case frame_kind::done: take_done(in); return true;
    default:
      throw violation(in, std::string("it is not allowed here; the host waits for ") + awaited());
  }
  return false;
}

void batch_answer::take_began(const frame& in) {
  if (stage_ != stage::prepares) throw violation(in, "the batch has already begun");
  check_size(in, 8);
  began_ = read_number(in.payload, 0, 8);
  if (began_ == 0) throw violation(in, "the clock is 0");
  last_stamp_ = began_;
  stage_ = stage::runs;
}

void batch_answer::take_tokens(const frame& in) {
  if (stage_ != stage::runs) throw violation(in, "it is not between began and ended");
  if (in.payload.size() < tokens_header) throw violation(in, "the payload has less than 12 bytes");
  const std::uint64_t stamp = read_number(in.payload, 0, 8);
  const std::uint64_t count = read_number(in.payload, 8, 4);
  if (stamp < last_stamp_) throw violation(in, "time stamp: before the stamp of an earlier frame");
  if (count == 0 || count > most_events)
    throw violation(in, "number of events: " + std::to_string(count) + ", not 1 to 1048576");
  check_size(in, tokens_header + event_size * count);
  if (first_stamp_ == 0) first_stamp_ = stamp;
  last_stamp_ = stamp;
  if (counted_.empty()) counted_.resize(results_.size() * outputs_);
  if (stamps_ && at_.empty()) at_.resize(results_.size());
  const std::uint64_t time = clock_.to_host(stamp);
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::size_t at = tokens_header + event_size * i;
    const auto refuse = [&](const char* field, std::uint64_t value, const std::string& what) {
      throw violation(
          in, "events[" + std::to_string(i) + "]." + field + ": " + std::to_string(value) + what);
    };
    const std::uint64_t item = read_number(in.payload, at, 4);
    const std::uint64_t output = read_number(in.payload, at + 4, 2);
    const std::uint64_t tokens = read_number(in.payload, at + 6, 2);
    if (item >= results_.size())
      refuse("item", item, ", and the batch has " + std::to_string(results_.size()) + " items");
    if (output >= outputs_)
      refuse("output", output, ", and an item has " + std::to_string(outputs_) + " outputs");
    if (tokens == 0) refuse("tokens", tokens, " tokens are no event");
    counted_[item * outputs_ + output] += static_cast<std::uint32_t>(tokens);
    ifb_batch_result& result = results_[item];
    if (result.first_token_ns == 0) result.first_token_ns = time;
    result.last_token_ns = time;
    if (stamps_) at_[item].push_back(time);
  }
}

void batch_answer::take_ended(const frame& in) {
  if (stage_ != stage::runs) throw violation(in, "it does not follow began");
  check_size(in, 16);
  const std::uint64_t begin = read_number(in.payload, 0, 8);
  const std::uint64_t end = read_number(in.payload, 8, 8);
  if (begin < began_) throw violation(in, "beginning: before the time of began");
  if (end < begin) throw violation(in, "end: before the beginning");
  if (first_stamp_ != 0 && first_stamp_ < begin)
    throw violation(in, "beginning: after the first event with tokens");
  if (end < last_stamp_) throw violation(in, "end: before the last event with tokens");
  report_.began_ns = clock_.to_host(begin);
  report_.elapsed_ns = end - begin;
  stage_ = stage::reports;
}

void batch_answer::take_results(const frame& in) {
  if (stage_ != stage::reports) throw violation(in, "it does not follow ended");
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const json_place first = root.member("first");
  if (const std::int64_t number = first.integer(0); static_cast<std::size_t>(number) != arrived_)
    throw first.refusal(std::to_string(number) + " instead of " + std::to_string(arrived_));
  const json_place list = root.member("results");
  const std::size_t count = list.size();
  if (count == 0) throw list.refusal(list.is_set() ? "an empty list" : "missing");
  if (count > results_.size() - arrived_)
    throw list.refusal("results beyond the " + std::to_string(results_.size()) + " items");
  for (std::size_t i = 0; i < count; ++i)
    add_result(list.element(i));
}

void batch_answer::add_result(const json_place& from) {
  const result_message result = read_result(from);
  const std::size_t item = arrived_++;
  ifb_batch_result& out = results_[item];
  out.struct_size = sizeof out;
  out.prompt_tokens = result.prompt_tokens;
  out.arrived_ns = clock_.to_host(result.arrived_ns);
  if (result.first_token_ns != 0) out.first_token_ns = clock_.to_host(result.first_token_ns);
  if (result.last_token_ns != 0) out.last_token_ns = clock_.to_host(result.last_token_ns);
  out.measures = kept(result.measures);
  if (!at_.empty()) {
    out.token_ns = at_[item].data();
    out.token_count = at_[item].size();
  }
  if (!result.error.empty()) {
    out.status = IFB_E_REMOTE;
    out.error = kept(result.error);
    return;
  }
  check_counts(from, item, result);
  const std::size_t count = result.outputs.size();
  const auto outputs = memory_.array<ifb_batch_output>(count);
  for (std::size_t i = 0; i < count; ++i) {
    const output_message& each = result.outputs[i];
    outputs[i] = {sizeof(ifb_batch_output), each.finished ? std::uint32_t{IFB_BATCH_FINISHED} : 0U,
                  each.tokens, kept(each.text), kept(each.finish_reason)};
  }
  out.outputs = outputs.data();
  out.output_count = static_cast<std::uint32_t>(count);
  out.output_stride = sizeof(ifb_batch_output);
  // A beam search may end with fewer beams.
  if (count == outputs_ || (beams_ && count > 0)) return;
  out.status = IFB_E_REMOTE;
  out.error = kept("the engine returned " + std::to_string(count) + " of " +
                   std::to_string(outputs_) + " outputs");
}

void batch_answer::check_counts(const json_place& from, std::size_t item,
                                const result_message& result) {
  const json_place outputs = from.member("outputs");
  if (result.outputs.size() > outputs_)
    throw outputs.refusal(std::to_string(result.outputs.size()) + " outputs instead of " +
                          std::to_string(outputs_));
  if (counted_.empty()) return;
  for (std::size_t i = 0; i < result.outputs.size(); ++i) {
    const std::int64_t events = counted_[item * outputs_ + i];
    const std::int64_t tokens = result.outputs[i].tokens;
    if (tokens < 0 || events == 0) continue;
    if (events > tokens)
      throw outputs.element(i).member("tokens").refusal(
          std::to_string(tokens) + ", and the frames tokens have " + std::to_string(events));
    if (events < tokens) ++uncounted_;
  }
}

void batch_answer::take_done(const frame& in) {
  if (stage_ != stage::reports) throw violation(in, "it does not follow ended");
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const json_place run = root.member("run");
  if (const std::int64_t number = run.integer(0); static_cast<std::uint64_t>(number) != number_)
    throw run.refusal(std::to_string(number) + " instead of " + std::to_string(number_));
  const json_place sent = root.member("results");
  if (const std::int64_t count = sent.integer(0); static_cast<std::size_t>(count) != arrived_)
    throw sent.refusal(std::to_string(count) + ", and " + std::to_string(arrived_) +
                       " results have arrived");
  if (arrived_ < results_.size())
    throw ifb::failure{IFB_E_REMOTE,
                       "the engine returned " + std::to_string(arrived_) + " results for " +
                           std::to_string(results_.size()) +
                           " prompts; the adapter must return one for each, in order"};
  const json_place measures = root.member("measures");
  report_.struct_size = sizeof report_;
  report_.results = results_.data();
  report_.result_count = static_cast<std::uint32_t>(results_.size());
  report_.result_stride = sizeof(ifb_batch_result);
  report_.measures = kept(read_measures(measures));
  if (uncounted_ > 0)
    warning_ = std::to_string(uncounted_) +
               " outputs have more tokens than the engine reported while it ran; the times of "
               "their tokens are incomplete";
}

ifb_measure_list batch_answer::kept(const std::vector<measure_message>& measures) const {
  const auto out = memory_.array<ifb_measure>(measures.size());
  for (std::size_t i = 0; i < measures.size(); ++i)
    out[i] = {sizeof(ifb_measure),
              0,
              kept(measures[i].name),
              kept(measures[i].unit),
              measures[i].value,
              clock_.to_host(measures[i].began_ns),
              clock_.to_host(measures[i].ended_ns)};
  return {out.data(), static_cast<std::uint32_t>(out.size()), sizeof(ifb_measure)};
}

ifb_str batch_answer::kept(std::string_view text) const { return ifb::str(memory_.copy(text)); }

}  // namespace python_engine
