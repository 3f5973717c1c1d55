// Records for tests. Times are in milliseconds from an origin above 0 on the host clock.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "client/record.hpp"

namespace inferbench::metrics::testing_ {

inline constexpr std::uint64_t origin = 5'000'000'000'000;

inline std::uint64_t at_ms(double ms) { return origin + static_cast<std::uint64_t>(ms * 1e6); }

struct shape {
  std::uint64_t sequence = 0;
  double due = 0;
  double start = 0;
  std::vector<double> tokens = {};  // times of stream events
  double end = 0;                   // 0: the time of the last token
  std::int64_t prompt = 0;
  std::int64_t output = 0;
};

inline client::record success(const shape& s) {
  client::record r;
  r.sequence = s.sequence;
  r.due_ns = at_ms(s.due);
  r.start_ns = at_ms(s.start);
  r.sent_ns = r.start_ns;
  r.tokens = client::stamps(r.start_ns);
  for (const double t : s.tokens)
    r.tokens.push(at_ms(t));
  if (!s.tokens.empty()) r.first_text_ns = at_ms(s.tokens.front());
  r.end_ns = s.end > 0 ? at_ms(s.end) : r.tokens.back();
  r.prompt_tokens = s.prompt;
  r.output_tokens = s.output;
  r.status = IFB_OK;
  r.http_status = 200;
  return r;
}

inline client::record failure(const shape& s, ifb_status status, std::uint32_t http,
                              std::string error) {
  client::record r = success(s);
  r.status = status;
  r.http_status = http;
  r.error = std::move(error);
  r.output_tokens = -1;
  return r;
}

/// client::lateness in ms. `events`: pairs of the number of an event and its lateness.
struct lates {
  double launch = 0;
  double sending = 0;
  double end = 0;
  std::vector<std::pair<std::uint32_t, double>> events = {};
};

inline client::record late(client::record r, const lates& how) {
  const auto ns = [](double ms) { return static_cast<std::uint64_t>(ms * 1e6); };
  r.late.launch_ns = ns(how.launch);
  r.late.sending_ns = ns(how.sending);
  r.late.end_ns = ns(how.end);
  for (const auto& [event, ms] : how.events)
    r.late.events.push_back({event, static_cast<std::uint32_t>(ns(ms))});
  return r;
}

}  // namespace inferbench::metrics::testing_
