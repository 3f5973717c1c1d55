// The data of each request that the result file needs, in little memory: 32 bytes per request. With
// save-detailed they also include the content of the arrays, with 4 bytes for each gap between
// events.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include <inferbench/abi.h>

namespace reporters {

/// Times between events, in ns.
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
  std::int64_t output = 0;    // 0 if the request failed
  std::int64_t start_ns = 0;  // relative to the start of the run
  std::uint64_t ttft_ns = 0;
  gaps itl;
  // The server's own times in seconds; NaN: not reported.
  double server_queue_s = std::numeric_limits<double>::quiet_NaN();
  double server_ttft_s = std::numeric_limits<double>::quiet_NaN();
  std::string text;        // set if the request succeeded, or upstream keeps the incomplete answer
  std::string error;       // "" if and only if the request succeeded
  std::string session;     // of a conversation; else empty
  std::uint32_t turn = 0;  // 0-based number of the request in its session
};

struct row {
  std::uint64_t sequence = 0;
  // 0 if the request failed, unless upstream keeps the incomplete answer
  std::uint64_t latency_ns = 0;
  std::int64_t queue_ns = 0;
  std::unique_ptr<detail> more;  // set only with save-detailed
};

/// Converts a record. All times are differences of stamps in whole ns, so that latency - ttft is
/// exactly the sum of the gaps. `started_ns` is ifb_run.started_ns, the origin of start_ns.
[[nodiscard]] row row_of(const ifb_record& record, bool pooling, bool detailed,
                         std::uint64_t started_ns);

/// Appends a time in seconds, in the form in which Python prints the quotient ns / 1e9.
void append_seconds(std::string& out, std::uint64_t ns);
void append_seconds(std::string& out, std::int64_t ns);

using rows_in_order = std::vector<const row*>;
/// Returns pointers to all rows, in the order of the schedule. The rows must outlive the result.
[[nodiscard]] rows_in_order in_schedule(const std::deque<row>& rows);

}  // namespace reporters
