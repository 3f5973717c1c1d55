// Records for tests of pages. Times are in us from the start of the run.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/text.hpp>

namespace inferbench::pages_test {

inline constexpr std::uint64_t run_started_ns = 5'000'000'000'000;

/// A record and the memory that it points to. Its stamps are set by view().
struct synthetic_record {
  std::uint64_t sequence = 0;
  double start = 0;            // us
  std::vector<double> events;  // us after `start`
  std::string session, error, finish_reason, text;
  std::vector<std::pair<std::string, std::string>> attributes;
  ifb_record record{};

  /// The record, with the members that are set above, and those that were set in `record`. It is
  /// valid until the next call.
  const ifb_record& view() {
    ifb_record& r = record;
    r.struct_size = sizeof r;
    r.sequence = sequence;
    r.start_ns = at(start);
    if (r.due_ns == 0) r.due_ns = r.start_ns;
    stamps_.clear();
    for (const double us : events)
      stamps_.push_back(at(start + us));
    r.token_ns = stamps_.empty() ? nullptr : stamps_.data();
    r.token_count = stamps_.size();
    r.first_token_ns = stamps_.empty() ? 0 : stamps_.front();
    r.last_token_ns = stamps_.empty() ? 0 : stamps_.back();
    r.session = ifb::str(session);
    r.error = ifb::str(error);
    r.finish_reason = ifb::str(finish_reason);
    r.text = ifb::str(text);
    fields_.clear();
    for (const auto& [name, value] : attributes)
      fields_.push_back(ifb::field(name, value));
    r.attributes = fields_.data();
    r.attribute_count = static_cast<std::uint32_t>(fields_.size());
    return r;
  }

  static std::uint64_t at(double us) {
    return run_started_ns + static_cast<std::uint64_t>(static_cast<std::int64_t>(us * 1e3));
  }

 private:
  std::vector<std::uint64_t> stamps_;
  std::vector<ifb_field> fields_;
};

inline synthetic_record request_at(std::uint64_t sequence, double start,
                                   std::vector<double> events) {
  synthetic_record out;
  out.sequence = sequence;
  out.start = start;
  out.events = std::move(events);
  out.record.prompt_tokens = out.record.output_tokens = -1;
  out.record.cached_tokens = out.record.reasoning_tokens = -1;
  out.record.http_status = 200;
  return out;
}

}  // namespace inferbench::pages_test
