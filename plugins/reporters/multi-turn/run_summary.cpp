#include "run_summary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <unordered_map>
#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace multi_turn {

namespace {

template <typename member>
quantity quantity_of(const char* name, std::span<const turn_request> requests, member value) {
  quantity out{name, {}};
  out.values.reserve(requests.size());
  for (const turn_request& each : requests)
    out.values.push_back(static_cast<double>(each.*value));
  return out;
}

quantity turn_times_of(std::span<const turn_request> requests) {
  quantity out{"time_between_user_turns_sec", {}};
  std::unordered_map<std::string_view, double> before;
  for (const turn_request& each : requests) {
    const auto [at, first] = before.emplace(each.conversation_id, each.start_time_ms);
    out.values.push_back(first ? std::numeric_limits<double>::quiet_NaN()
                               : (each.start_time_ms - at->second) / 1000);
    at->second = each.start_time_ms;
  }
  return out;
}

std::string line_of(const char* name, double value) {
  std::array<char, 400> text{};
  const int size = std::snprintf(text.data(), text.size(), "%s = %.3f\n", name, value);
  return {text.data(), static_cast<std::size_t>(size)};
}

warmup_share share_of(const std::string& text, std::string_view option) {
  const std::string_view number = ifb::trim(text);
  double percent = 0;
  if (number.ends_with('%')) {
    const char* const end = number.data() + number.size() - 1;
    const auto [stop, problem] = std::from_chars(number.data(), end, percent);
    if (problem == std::errc() && stop == end && percent >= 0 && percent < 100)
      return {std::string(number), percent / 100};
  }
  throw ifb::failure(IFB_E_CONFIG, "\"" + text + "\" is not a percentage from 0% to below 100%",
                     std::string(option));
}

}  // namespace

std::vector<turn_request> by_start(std::vector<turn_request> requests) {
  std::ranges::stable_sort(requests, {}, &turn_request::start_time_ms);
  return requests;
}

std::vector<warmup_share> warmup_shares(const std::vector<std::string>& texts,
                                        std::string_view option) {
  std::vector<warmup_share> out;
  for (const std::string& each : texts)
    out.push_back(share_of(each, option));
  std::ranges::stable_sort(out, {}, &warmup_share::share);
  return out;
}

run_summary summarise(std::span<const turn_request> requests, double share, bool turn_times) {
  const auto left_out = static_cast<std::size_t>(static_cast<double>(requests.size()) * share);
  const auto kept = requests.subspan(left_out);
  std::vector<quantity> quantities{
      quantity_of("ttft_ms", kept, &turn_request::ttft_ms),
      quantity_of("tpot_ms", kept, &turn_request::tpot_ms),
      quantity_of("latency_ms", kept, &turn_request::latency_ms),
      quantity_of("input_num_turns", kept, &turn_request::input_num_turns),
      quantity_of("input_num_tokens", kept, &turn_request::input_num_tokens),
      quantity_of("output_num_tokens", kept, &turn_request::output_num_tokens),
      quantity_of("output_num_chunks", kept, &turn_request::output_num_chunks)};
  if (turn_times) quantities.push_back(turn_times_of(kept));
  run_summary out;
  if (!kept.empty()) {
    const turn_request& last = kept.back();
    out.runtime_s = (last.start_time_ms + last.latency_ms - kept.front().start_time_ms) / 1000;
    if (out.runtime_s > 0) out.requests_per_s = static_cast<double>(kept.size()) / out.runtime_s;
  }
  out.table = describe(quantities, kept.size());
  return out;
}

std::string rule() { return std::string(100, '-') + "\n"; }

std::string parameters_text(std::string_view title, const std::vector<std::string>& lines) {
  std::string out = rule() + std::string(title) + ":\n";
  for (const std::string& each : lines)
    out += each + "\n";
  return out;
}

std::string summary_text(const run_summary& of, std::string_view share) {
  std::string out = rule() + "Statistics summary";
  if (!share.empty()) out += " (without the first " + std::string(share) + " of the requests)";
  out += ":\n" + line_of("runtime_sec", of.runtime_s) +
         line_of("requests_per_sec", of.requests_per_s) + rule();
  return out + table_text(of.table);
}

}  // namespace multi_turn
