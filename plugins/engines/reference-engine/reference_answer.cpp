#include "reference_answer.hpp"

#include <algorithm>

namespace reference_engine {

namespace {

constexpr std::uint32_t measures_of_media = 8;  // five stages, their sum, encoder, calls
constexpr std::uint32_t stop_interval = 1024;   // requests

std::uint32_t outputs_of(const ifb_batch& batch) {
  switch (batch.mode) {
    case IFB_BATCH_GENERATE:
    case IFB_BATCH_CHAT: return std::max<std::uint32_t>(batch.sampling->n, 1);
    case IFB_BATCH_BEAM_SEARCH: return std::max<std::uint32_t>(batch.sampling->beam_width, 1);
    default: break;
  }
  throw ifb::failure{IFB_E_UNSUPPORTED,
                     "this version of the engine has no mode " + std::to_string(batch.mode)};
}

}  // namespace

reference_answer::reference_answer(const ifb_batch& batch, const reference_options& given,
                                   std::uint64_t seed, word_text& text,
                                   const std::function<bool()>& stopped)
    : batch_(batch),
      given_(given),
      seed_(seed),
      text_(text),
      outputs_(outputs_of(batch)),
      schedule_(given, batch.item_count, (batch.flags & IFB_BATCH_PREQUEUE) != 0) {
  if (batch.item_count == 0) throw ifb::failure{IFB_E_CONFIG, "the batch has no samples"};
  if (std::uint64_t{outputs_} * batch.item_count > most_events)
    throw ifb::failure{IFB_E_UNSUPPORTED, "a batch has at most 1073741824 outputs"};
  requests_.reserve(batch.item_count);
  std::uint32_t number = 0;
  std::uint64_t longest = 0;
  for (const ifb_batch_item& item :
       ifb::strided<ifb_batch_item>(batch.items, batch.item_count, batch.item_stride)) {
    if (number % stop_interval == 0 && stopped())
      throw ifb::failure{IFB_E_CANCELLED, "the batch was cancelled"};
    add(number++, item);
    const computed_request& made = requests_.back();
    if (made.status != IFB_OK) continue;
    const auto tokens = static_cast<std::uint64_t>(made.facts.output_tokens);
    longest = std::max(longest, tokens);
    steps_ += tokens * outputs_;
    if (!has_stamps()) continue;
    std::uint64_t& most = groups_[made.times.first].most_tokens;
    most = std::max(most, tokens);
  }
  if ((batch.flags & IFB_BATCH_NO_TEXT) == 0) text_.reach(longest);
}

void reference_answer::add(std::uint32_t number, const ifb_batch_item& item) {
  computed_request& to = requests_.emplace_back();
  const auto every = static_cast<std::uint64_t>(given_.fail_every);
  const bool fails = every != 0 && (std::uint64_t{number} + 1) % every == 0;
  try {
    to.facts = checked_facts(item);
  } catch (const ifb::failure& e) {
    schedule_.add_refused();
    to.status = e.code();
    to.error = keep_error(e.message());
    return;
  }
  to.times = schedule_.add(to.facts, fails);
  if (!fails) return;
  to.status = IFB_E_REMOTE;
  to.error = keep_error(name_of(number) + " fails, as the option fail-every wants");
}

request_facts reference_answer::checked_facts(const ifb_batch_item& item) const {
  if (item.adapter != nullptr && item.adapter->number == 0)
    throw ifb::failure{IFB_E_CONFIG, "adapters have numbers from 1 on, and this one has 0"};
  return facts_of(*item.sample,
                  {.chats = batch_.mode == IFB_BATCH_CHAT,
                   .ignores_eos = (batch_.sampling->flags & IFB_SAMPLING_IGNORE_EOS) != 0,
                   .wanted = batch_.sampling->max_tokens},
                  given_);
}

/// Equal messages are kept once: a wrong option makes every request of a batch fail.
std::uint32_t reference_answer::keep_error(std::string text) {
  const auto next = static_cast<std::uint32_t>(errors_.size());
  const auto [known, is_new] = known_errors_.emplace(std::move(text), next);
  if (is_new) errors_.push_back(known->first);
  return known->second;
}

std::string reference_answer::name_of(std::uint32_t number) const {
  if ((batch_.flags & IFB_BATCH_ASYNC) == 0) return "request " + std::to_string(number);
  const std::string_view prefix = ifb::view(batch_.request_id_prefix);
  return "request " + std::string(prefix.empty() ? "async" : prefix) + std::to_string(number);
}

void reference_answer::make_stamps() {
  std::uint64_t events = 0;  // never above 2^54
  for (auto& [first, group] : groups_) {
    group.at = events;
    events += group.most_tokens * outputs_;
    if (events > most_events)
      throw ifb::failure{IFB_E_UNSUPPORTED,
                         "the tokens of a batch have at most 1073741824 different times"};
  }
  stamps_.resize(events);
  const auto itl = static_cast<std::uint64_t>(given_.itl.count());
  for (const auto& [first, group] : groups_) {
    auto at = stamps_.begin() + static_cast<std::ptrdiff_t>(group.at);
    for (std::uint64_t token = 0; token < group.most_tokens; ++token)
      at = std::fill_n(at, outputs_, began_ + first + token * itl);
  }
}

ifb_batch_report reference_answer::report(std::uint64_t began_ns) {
  began_ = began_ns;
  make_stamps();
  // All lists get their memory first, because the results point into them.
  const auto count_of = [&](auto&& counted) {
    return static_cast<std::size_t>(std::ranges::count_if(requests_, counted));
  };
  const auto is_good = [](const computed_request& each) { return each.status == IFB_OK; };
  outputs_of_all_.reserve(count_of(is_good) * outputs_);
  measures_.reserve(1 + measures_of_media * count_of([&](const computed_request& each) {
                          return is_good(each) && each.facts.media != 0;
                        }));
  results_.resize(requests_.size());
  for (std::uint32_t i = 0; i < requests_.size(); ++i) {
    const computed_request& from = requests_[i];
    ifb_batch_result& to = results_[i];
    to.struct_size = sizeof to;
    to.status = from.status;
    to.prompt_tokens = -1;
    if (from.status != IFB_OK) {
      to.error = ifb::str(errors_[from.error]);
      continue;
    }
    to.prompt_tokens = from.facts.prompt_tokens;
    to.arrived_ns = began_ + from.times.arrived;
    to.first_token_ns = began_ + from.times.first;
    to.last_token_ns = began_ + from.times.last;
    put_outputs(to, i, from);
    put_measures(to, from);
    if (!has_stamps()) continue;
    to.token_ns = stamps_.data() + groups_.at(from.times.first).at;
    to.token_count = static_cast<std::size_t>(from.facts.output_tokens) * outputs_;
  }
  measures_.push_back({sizeof(ifb_measure), 0, ifb::str("generated_tokens"), ifb::str("1"),
                       static_cast<double>(steps_), 0, 0});
  ifb_batch_report out{};
  out.struct_size = sizeof out;
  out.began_ns = began_;
  out.elapsed_ns = schedule_.length();
  out.results = results_.data();
  out.result_count = static_cast<std::uint32_t>(results_.size());
  out.result_stride = sizeof(ifb_batch_result);
  out.measures = {&measures_.back(), 1, sizeof(ifb_measure)};
  return out;
}

void reference_answer::put_outputs(ifb_batch_result& to, std::uint32_t number,
                                   const computed_request& from) {
  const auto& item =
      ifb::strided<ifb_batch_item>(batch_.items, batch_.item_count, batch_.item_stride)[number];
  const std::uint32_t adapter = item.adapter == nullptr ? 0 : item.adapter->number;
  to.outputs = outputs_of_all_.data() + outputs_of_all_.size();
  to.output_count = outputs_;
  to.output_stride = sizeof(ifb_batch_output);
  for (std::uint32_t i = 0; i < outputs_; ++i) {
    std::string_view text;
    if ((batch_.flags & IFB_BATCH_NO_TEXT) == 0)
      text = text_.part(beginning_of(seed_, number, i, adapter),
                        static_cast<std::uint64_t>(from.facts.output_tokens));
    outputs_of_all_.push_back({sizeof(ifb_batch_output), IFB_BATCH_FINISHED,
                               from.facts.output_tokens, ifb::str(text),
                               ifb::str(from.facts.stops ? "stop" : "length")});
  }
}

void reference_answer::add_measure(std::string_view name, std::uint64_t begin,
                                   std::uint64_t duration) {
  measures_.push_back({sizeof(ifb_measure), 0, ifb::str(name), ifb::str("s"),
                       static_cast<double>(duration) * 1e-9, began_ + begin,
                       began_ + begin + duration});
}

/// The stages of a request with media, one after the other from its start on.
void reference_answer::put_measures(ifb_batch_result& to, const computed_request& from) {
  if (from.facts.media == 0) return;
  to.measures = {measures_.data() + measures_.size(), measures_of_media, sizeof(ifb_measure)};
  std::uint64_t at = from.times.start;
  for (const mm_stage& each : mm_stages(given_)) {
    const std::uint64_t duration = each.each_ns * from.facts.media;
    add_measure(each.name, at, duration);
    at += duration;
  }
  add_measure("preprocessor_total_secs", from.times.start, at - from.times.start);
  add_measure("encoder_forward_secs", at,
              static_cast<std::uint64_t>(given_.encoder_time.count()) * from.facts.media);
  measures_.push_back({sizeof(ifb_measure), 0, ifb::str("num_encoder_calls"), ifb::str("1"),
                       static_cast<double>(from.facts.media), 0, 0});
}

}  // namespace reference_engine
