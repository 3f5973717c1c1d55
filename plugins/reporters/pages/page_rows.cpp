#include "page_rows.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "page_text.hpp"
#include "varint.hpp"

namespace reporters {
namespace {

constexpr std::uint64_t ns_per_us = 1000;
constexpr double ns_per_ms = 1e6;
// The page keeps counts in 32 bits with a sign.
constexpr std::uint64_t most_count = std::numeric_limits<std::int32_t>::max() - 1;
constexpr std::size_t most_text = std::size_t{16} << 10U;
constexpr std::size_t most_error = 2048;
// The attributes of a record that name the class of its request; the first one that it has counts.
// The host sets "lora" for --lora-modules.
constexpr std::array<std::string_view, 3> class_attributes{"lora", "class", "tenant"};

/// Rounds to the nearest us, so that a difference has an error of at most half a us.
std::uint64_t us_between(std::uint64_t from, std::uint64_t to) {
  return to > from ? (to - from + ns_per_us / 2) / ns_per_us : 0;
}
std::uint64_t optional_stamp(std::uint64_t start, std::uint64_t stamp) {
  return stamp == 0 ? 0 : us_between(start, stamp) + 1;
}
std::uint64_t optional_count(std::int64_t count) {
  return count < 0 ? 0 : std::min(static_cast<std::uint64_t>(count), most_count) + 1;
}

/// Returns the time until the last event, or, without events, until the end.
std::uint64_t latency_of(const ifb_record& r) {
  return us_between(r.start_ns, r.last_token_ns != 0 ? r.last_token_ns : r.end_ns);
}

constexpr string_table::limits session_limits{
    .texts = 100'000, .long_texts = 0, .long_bytes = 0, .bytes = 64, .rest = "other sessions"};
constexpr string_table::limits error_limits{.texts = 10'000,
                                            .long_texts = 100,
                                            .long_bytes = most_error,
                                            .bytes = 160,
                                            .rest = "other errors"};
constexpr string_table::limits reason_limits{
    .texts = 1'000, .long_texts = 0, .long_bytes = 0, .bytes = 160, .rest = "other reasons"};
constexpr string_table::limits class_limits{
    .texts = 1'000, .long_texts = 0, .long_bytes = 0, .bytes = 160, .rest = "other classes"};

}  // namespace

page_rows::page_rows(const settings& chosen, std::uint64_t started_ns)
    : chosen_(chosen),
      started_ns_(started_ns),
      gaps_(chosen.gaps),
      texts_({.slowest = (chosen.texts + 1) / 2,
              .drawn = chosen.texts / 2,
              .size = std::numeric_limits<std::uint64_t>::max() / 8}),
      sessions_(session_limits),
      errors_(error_limits),
      finish_reasons_(reason_limits),
      classes_(class_limits) {}

std::uint32_t page_rows::class_of(const ifb_record& record) {
  for (const std::string_view name : class_attributes)
    for (const ifb_field& each : ifb::attributes_of(record))
      if (ifb::view(each.name) == name) return classes_.number_of(ifb::view(each.value));
  return 0;
}

void page_rows::add(const ifb_record& r) {
  ++total_;
  const std::uint64_t latency = latency_of(r);
  if (lot_of(r.sequence) > highest_lot_ && latency <= least_latency_) {
    request_row unused;
    return add_gaps(r, latency, unused);
  }
  request_row row;
  row[column::sequence] = r.sequence;
  // A request may begin before the time at which the traffic was said to begin.
  row[column::start] = r.start_ns >= started_ns_ ? us_between(started_ns_, r.start_ns)
                                                 : 0 - us_between(r.start_ns, started_ns_);
  row[column::due] = us_between(r.due_ns, r.start_ns);
  row[column::sent] = optional_stamp(r.start_ns, r.sent_ns);
  row[column::first_byte] = optional_stamp(r.start_ns, r.first_byte_ns);
  row[column::first] = optional_stamp(r.start_ns, r.first_token_ns);
  row[column::first_text] = optional_stamp(r.start_ns, r.first_text_ns);
  row[column::last] = optional_stamp(r.start_ns, r.last_token_ns);
  row[column::end] = optional_stamp(r.start_ns, r.end_ns);
  row[column::input] = optional_count(r.prompt_tokens);
  row[column::output] = optional_count(r.output_tokens);
  row[column::cached] = optional_count(r.cached_tokens);
  row[column::reasoning] = optional_count(r.reasoning_tokens);
  row[column::events] = std::min<std::uint64_t>(r.token_count, most_count);
  row[column::status] = r.status > 0 ? 0 : static_cast<std::uint64_t>(-std::int64_t{r.status});
  row[column::http] = r.http_status;
  row[column::turn] = r.turn;
  row[column::session] = sessions_.number_of(ifb::view(r.session));
  row[column::server] = std::uint64_t{r.server} + 1;
  row[column::class_name] = class_of(r);
  row[column::finish_reason] = finish_reasons_.number_of(ifb::view(r.finish_reason));
  std::string error;
  if (r.status != IFB_OK) {
    error = without_passwords(ifb::cut_utf8(ifb::view(r.error), 2 * most_error));
    if (error.empty()) error = "failed without a reason";
    row[column::error] = errors_.number_of(error);
  }
  add_gaps(r, latency, row);
  columns_.add(row);
  if (chosen_.texts > 0)
    texts_.add(r.sequence, latency, 1, [&] {
      return answer_text{std::string(ifb::cut_utf8(ifb::view(r.text), most_text)),
                         std::string(ifb::cut_utf8(error, most_error))};
    });
  if (chosen_.most_rows > 0 && columns_.size() > chosen_.most_rows) thin();
}

// Sums of the gaps are the times of the events relative to the start of the request, to half a us,
// however long the answer is. A gap may only differ from that by what keeps it in its class: the
// class is that of the exact gap.
void page_rows::add_gaps(const ifb_record& r, std::uint64_t latency_us, request_row& row) {
  const auto stamps = ifb::stamps_of(r);
  if (stamps.size() < 2) return;
  encoded_.clear();
  std::array<std::uint64_t, 3> counts{};
  std::uint64_t longest = 0;
  std::uint64_t at = us_between(r.start_ns, stamps.front());
  for (std::size_t i = 1; i < stamps.size(); ++i) {
    const std::uint64_t exact = stamps[i] > stamps[i - 1] ? stamps[i] - stamps[i - 1] : 0;
    const std::size_t kind = gap_class(static_cast<double>(exact) / ns_per_ms, chosen_.limits);
    const std::uint64_t to = us_between(r.start_ns, stamps[i]);
    std::uint64_t us = to > at ? to - at : 0;
    const auto fits = [&](std::uint64_t length) {
      return gap_class(static_cast<double>(length) / 1e3, chosen_.limits) == kind;
    };
    if (!fits(us)) us = exact / ns_per_us + (fits(exact / ns_per_us) ? 0 : 1);
    at += us;
    ++counts[kind];
    longest = std::max(longest, us);
    histogram_.add(us);
    append_varint(encoded_, us);
  }
  row[column::longest_gap] = longest;
  row[column::gaps_low] = counts[0];
  row[column::gaps_mid] = counts[1];
  row[column::gaps_high] = counts[2];
  gaps_.add(r.sequence, latency_us, stamps.size() - 1, encoded_);
}

/// Halves the number of rows. The rows that stay have the lowest lots, or are among the slowest. In
/// whatever order the requests come, they are the same rows, except among equally slow requests.
void page_rows::thin() {
  const auto sequences = columns_.values(column::sequence);
  const auto last = columns_.values(column::last);
  const auto end = columns_.values(column::end);
  const std::size_t half = chosen_.most_rows / 2;
  const std::size_t slow = std::min<std::size_t>(chosen_.gaps.slowest, half / 2);
  std::vector<std::uint64_t> lots;
  std::vector<std::uint64_t> latencies;
  for (std::size_t i = 0; i < sequences.size(); ++i) {
    lots.push_back(lot_of(sequences[i]));
    const std::uint64_t coded = last[i] != 0 ? last[i] : end[i];
    latencies.push_back(coded == 0 ? 0 : coded - 1);
  }
  const auto ranked = [](std::vector<std::uint64_t> values, std::size_t rank) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(rank);
    std::ranges::nth_element(values, at);
    return *at;
  };
  highest_lot_ = ranked(lots, half - slow);
  least_latency_ = slow == 0 ? UINT64_MAX : ranked(latencies, latencies.size() - slow);
  const auto above = static_cast<std::size_t>(
      std::ranges::count_if(latencies, [&](auto each) { return each > least_latency_; }));
  std::size_t equal = slow - above;  // many requests may be exactly as slow
  std::vector<bool> wanted(sequences.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    wanted[i] = lots[i] <= highest_lot_ || latencies[i] > least_latency_;
    if (wanted[i] || latencies[i] < least_latency_ || equal == 0) continue;
    wanted[i] = true;
    --equal;
  }
  columns_.keep_only(wanted);
}

void page_rows::finish() {
  const std::vector<std::uint64_t> arrived = columns_.values(column::sequence);
  order_.resize(arrived.size());
  std::iota(order_.begin(), order_.end(), 0U);
  std::ranges::stable_sort(order_, {}, [&](std::uint32_t row) { return arrived[row]; });
  sequences_.clear();
  for (const std::uint32_t row : order_)
    sequences_.push_back(arrived[row]);
  kept_gaps_ = gaps_.take();
  gap_rows_ = match(kept_gaps_);
  kept_texts_ = texts_.take();
  text_rows_ = match(kept_texts_);
}

template <typename list>
std::vector<std::size_t> page_rows::match(list& entries) const {
  std::vector<std::size_t> rows;
  std::size_t row = 0;
  std::erase_if(entries, [&](const auto& each) {
    while (row < sequences_.size() && sequences_[row] < each.sequence)
      ++row;
    if (row == sequences_.size() || sequences_[row] != each.sequence) return true;
    rows.push_back(row++);
    return false;
  });
  return rows;
}

}  // namespace reporters
