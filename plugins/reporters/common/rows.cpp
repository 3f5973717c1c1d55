#include "rows.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <limits>
#include <string_view>
#include <system_error>

#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

namespace reporters {
namespace {

std::int64_t difference(std::uint64_t from, std::uint64_t to) {
  return static_cast<std::int64_t>(to - from);
}

/// Returns the time between two stamps; 0 if `to` did not happen.
std::uint64_t since(std::uint64_t from, std::uint64_t to) { return to > from ? to - from : 0; }

/// Returns whether upstream keeps text and latency of this failed request. The backend has marked
/// the record.
bool keeps_partial_answer(const ifb_record& r) {
  return std::ranges::any_of(ifb::attributes_of(r), [](const ifb_field& each) {
    return ifb::view(each.name) == "partial_answer" && ifb::view(each.value) == "kept";
  });
}

/// Returns an attribute of the record as a number; NaN if it is missing or not a number.
double number_of(const ifb_record& r, std::string_view name) {
  for (const ifb_field& each : ifb::attributes_of(r)) {
    if (ifb::view(each.name) != name) continue;
    const std::string_view text = ifb::view(each.value);
    double out = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (failed == std::errc() && end == text.data() + text.size() && std::isfinite(out)) return out;
  }
  return std::numeric_limits<double>::quiet_NaN();
}

std::unique_ptr<detail> detail_of(const ifb_record& r, bool pooling, std::uint64_t started_ns) {
  auto out = std::make_unique<detail>();
  const bool ok = r.status == IFB_OK;
  out->input = std::max<std::int64_t>(r.prompt_tokens, 0);
  if (!ok) {
    out->error = ifb::view(r.error);
    // An empty error text would mean success.
    if (out->error.empty()) out->error = "failed without a reason";
  }
  if (pooling) return out;
  out->session = ifb::view(r.session);
  out->turn = r.turn;
  out->server_queue_s = number_of(r, "server_queue_time");
  out->server_ttft_s = number_of(r, "server_ttft");
  out->output = ok ? std::max<std::int64_t>(r.output_tokens, 0) : 0;
  out->start_ns = difference(started_ns, r.start_ns);
  out->ttft_ns = since(r.start_ns, r.first_token_ns);
  if (ok || keeps_partial_answer(r)) out->text = ifb::view(r.text);
  const auto stamps = ifb::stamps_of(r);
  out->itl.reserve(stamps.size());
  for (std::size_t i = 1; i < stamps.size(); ++i)
    out->itl.push(since(stamps[i - 1], stamps[i]));
  return out;
}

}  // namespace

row row_of(const ifb_record& r, bool pooling, bool detailed, std::uint64_t started_ns) {
  row out;
  out.sequence = r.sequence;
  out.queue_ns = difference(r.due_ns, r.start_ns);
  if (r.status == IFB_OK || keeps_partial_answer(r))
    out.latency_ns = since(r.start_ns, pooling ? r.end_ns : r.last_token_ns);
  if (detailed) out.more = detail_of(r, pooling, started_ns);
  return out;
}

// A decimal number of at most 15 digits is the shortest text of the nearest double. Python would
// therefore print exactly the digits of the integer.
void append_seconds(std::string& out, std::uint64_t ns) {
  constexpr std::uint64_t longest = 1'000'000'000'000'000;
  constexpr std::uint64_t per_s = 1'000'000'000;
  if (ns >= longest) return ifb::append_python_float(out, static_cast<double>(ns) / 1e9);
  if (ns == 0) {
    out += "0.0";
    return;
  }
  char text[32];
  if (ns < per_s / 10'000) {
    char* end = std::to_chars(text, std::end(text), ns).ptr;
    const auto exponent = 10 - (end - text);  // from 1e-5 down to 1e-9
    while (end[-1] == '0')
      --end;
    out += text[0];
    if (end > text + 1) {
      out += '.';
      out.append(text + 1, static_cast<std::size_t>(end - text) - 1);
    }
    out.append("e-0") += static_cast<char>('0' + exponent);
    return;
  }
  char* const point = std::to_chars(text, std::end(text), ns / per_s).ptr;
  *point = '.';
  std::uint64_t rest = ns % per_s;
  for (int digit = 9; digit > 0; --digit, rest /= 10)
    point[digit] = static_cast<char>('0' + rest % 10);
  char* end = point + 10;
  while (end[-1] == '0' && end > point + 2)
    --end;
  out.append(text, static_cast<std::size_t>(end - text));
}

void append_seconds(std::string& out, std::int64_t ns) {
  if (ns < 0) out += '-';
  const auto size = static_cast<std::uint64_t>(ns);
  append_seconds(out, ns < 0 ? 0 - size : size);
}

rows_in_order in_schedule(const std::deque<row>& rows) {
  std::uint64_t last = 0;
  for (const row& r : rows)
    last = std::max(last, r.sequence);
  rows_in_order out;
  if (last < 2 * rows.size()) {
    // Nearly every place of the schedule has a request: each row is put into its place.
    out.resize(last + 1);
    for (const row& r : rows)
      out[r.sequence] = &r;
    std::erase(out, nullptr);
  }
  if (out.size() == rows.size()) return out;
  // A damaged journal: there are large gaps between places, or two requests have the same place.
  out.clear();
  for (const row& r : rows)
    out.push_back(&r);
  std::ranges::sort(out, {}, &row::sequence);
  return out;
}

}  // namespace reporters
