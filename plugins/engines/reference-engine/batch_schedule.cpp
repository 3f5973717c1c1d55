#include "batch_schedule.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/random.hpp>

namespace reference_engine {

namespace {

std::uint64_t nanoseconds_of(std::chrono::nanoseconds time) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(time.count(), 0));
}

std::uint64_t within_limit(ifb::uint128 time) {
  if (time > longest_time_ns)
    throw ifb::failure{IFB_E_CONFIG,
                       "the computed times of the requests are longer than 366 days; choose "
                       "shorter durations or fewer tokens"};
  return static_cast<std::uint64_t>(time);
}

std::uint64_t many_times(std::uint64_t time, std::uint64_t count) {
  return within_limit(ifb::uint128{time} * count);
}

}  // namespace

std::array<mm_stage, 5> mm_stages(const reference_options& given) {
  return {{{"get_mm_hashes_secs", nanoseconds_of(given.get_mm_hashes)},
           {"get_cache_missing_items_secs", nanoseconds_of(given.get_cache_missing_items)},
           {"apply_hf_processor_secs", nanoseconds_of(given.apply_hf_processor)},
           {"merge_mm_kwargs_secs", nanoseconds_of(given.merge_mm_kwargs)},
           {"apply_prompt_updates_secs", nanoseconds_of(given.apply_prompt_updates)}}};
}

std::uint64_t time_to_first(const reference_options& given, const request_facts& facts) {
  ifb::uint128 out = nanoseconds_of(given.ttft);
  out += many_times(nanoseconds_of(given.encoder_time), facts.media);
  for (const mm_stage& each : mm_stages(given))
    out += many_times(each.each_ns, facts.media);
  return within_limit(out);
}

batch_schedule::batch_schedule(const reference_options& given, std::uint64_t requests,
                               bool prequeue)
    : given_(&given), enqueue_each_(nanoseconds_of(given.enqueue_time)) {
  const std::uint64_t all = many_times(enqueue_each_, requests);
  if (prequeue) scheduler_begin_ = all;
}

std::uint64_t batch_schedule::enqueue() {
  const std::uint64_t at = many_times(enqueue_each_, ++enqueued_);
  length_ = std::max(length_, at);
  return at;
}

request_times batch_schedule::add(const request_facts& facts, bool fails) {
  request_times out;
  out.arrived = enqueue();
  out.start = std::max(out.arrived, scheduler_begin_);
  if (running_.size() < static_cast<std::uint64_t>(given_->max_batch)) {
    out.slot = static_cast<std::uint32_t>(running_.size());
  } else {
    out.start = std::max(out.start, running_.top().first);
    out.slot = running_.top().second;
    running_.pop();
  }
  out.first = within_limit(ifb::uint128{out.start} + time_to_first(*given_, facts));
  const std::uint64_t decoding =
      many_times(nanoseconds_of(given_->itl), static_cast<std::uint64_t>(facts.output_tokens - 1));
  out.last = fails ? out.first : within_limit(ifb::uint128{out.first} + decoding);
  running_.emplace(out.last, out.slot);
  length_ = std::max(length_, out.last);
  return out;
}

}  // namespace reference_engine
