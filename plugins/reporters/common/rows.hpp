// The data of each request that the result file needs, kept small: 32 bytes, and with
// save-detailed the content of the arrays, 4 bytes for each gap between events.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

namespace reporters {

/// Times between events in ns.
class gaps {
 public:
  void push(std::uint64_t gap) {
    if (gap < escape) {
      words_.push_back(static_cast<std::uint32_t>(gap));
    } else {
      words_.insert(words_.end(), {escape, static_cast<std::uint32_t>(gap),
                                   static_cast<std::uint32_t>(gap >> 32U)});
    }
  }
  void reserve(std::size_t count) { words_.reserve(count); }

  template <typename visitor>
  void for_each(visitor&& visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      std::uint64_t gap = words_[i];
      if (gap == escape) {
        gap = std::uint64_t{words_[i + 1]} | std::uint64_t{words_[i + 2]} << 32U;
        i += 2;
      }
      visit(gap);
    }
  }

 private:
  static constexpr std::uint32_t escape = 0xFFFFFFFFU;
  std::vector<std::uint32_t> words_;
};

struct detail {
  std::int64_t input = 0;
  std::int64_t output = 0;    // 0 for failures
  std::int64_t start_ns = 0;  // from the start of the run
  std::uint64_t ttft_ns = 0;
  gaps itl;
  std::string text;   // of successes
  std::string error;  // "" for successes only
};

struct row {
  std::uint64_t sequence = 0;
  std::uint64_t latency_ns = 0;  // 0 for failures
  std::int64_t queue_ns = 0;
  std::unique_ptr<detail> more;  // with save-detailed
};

/// All times are differences of stamps in whole ns, so that latency - ttft is the sum
/// of the gaps to the last digit. `started_ns`: ifb_run's, the origin of start_ns.
[[nodiscard]] row row_of(const ifb_record& record, bool pooling, bool detailed,
                         std::uint64_t started_ns);

/// Appends a time in seconds as Python prints the quotient ns / 1e9.
void append_seconds(std::string& out, std::uint64_t ns);
void append_seconds(std::string& out, std::int64_t ns);

using rows_in_order = std::vector<const row*>;
/// All rows in the order of the schedule; borrowed.
[[nodiscard]] rows_in_order in_schedule(const std::deque<row>& rows);

}  // namespace reporters
