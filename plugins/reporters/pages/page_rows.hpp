// Everything that a page shows of the single requests of a run: the rows, their gaps, and a few
// texts. A row takes about 35 bytes of memory; gaps and texts are bounded. For one thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/abi.h>
#include <inferbench/json_writer.hpp>

#include "gap_histogram.hpp"
#include "gap_store.hpp"
#include "itl_limits.hpp"
#include "notable_requests.hpp"
#include "request_columns.hpp"
#include "string_table.hpp"

namespace reporters {

class page_rows {
 public:
  struct settings {
    itl_limits limits{25, 50};
    std::size_t texts = 0;  // number of requests whose answers are kept
    gap_store::limits gaps{};
    /// If there are more rows, only those of requests drawn by lot and of the slowest requests are
    /// kept; 0: all rows are kept. A run in constant memory (--summary bounded) needs a limit.
    std::size_t most_rows = 0;
  };

  /// `started_ns` is ifb_run.started_ns.
  page_rows(const settings& chosen, std::uint64_t started_ns);

  /// `record` must be of a request that was sent (ifb::never_sent() is false).
  void add(const ifb_record& record);
  /// Returns the number of requests for which add() was called.
  [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

  /// Ends the collection; add() must not be called any more. write() and write_bytes() need it.
  void finish();

  /// Writes the value of the member `rows` of a run (docs/page-data.md). `id` names the script
  /// element with the bytes. `servers`: the base URLs.
  void write(ifb::json_writer& out, std::string_view id,
             const std::vector<std::string>& servers) const;
  /// Writes the value of the member `texts` of a run: a list.
  void write_texts(ifb::json_writer& out) const;
  /// Passes on the bytes of the element `id`, before compression.
  void write_bytes(const request_columns::sink& out) const;

 private:
  struct answer_text {
    std::string text, error;
  };
  using texts_of_requests = notable_requests<answer_text>;

  void add_gaps(const ifb_record& record, std::uint64_t latency_us, request_row& row);
  [[nodiscard]] std::uint32_t class_of(const ifb_record& record);
  void thin();
  /// Removes the entries of requests that have no row, and returns the rows of the others. The
  /// entries must be in the order of the schedule.
  template <typename list>
  [[nodiscard]] std::vector<std::size_t> match(list& entries) const;
  [[nodiscard]] bool has_all_gaps() const noexcept;

  settings chosen_;
  std::uint64_t started_ns_;
  std::uint64_t total_ = 0;
  request_columns columns_;
  std::uint64_t highest_lot_ = UINT64_MAX;  // rows with higher lots are left out, unless they
  std::uint64_t least_latency_ = 0;         // are slower than this
  gap_histogram histogram_;
  gap_store gaps_;
  texts_of_requests texts_;
  string_table sessions_, errors_, finish_reasons_, classes_;
  std::string encoded_;  // the gaps of the current request

  // set by finish()
  std::vector<std::uint32_t> order_;      // rows in the order of the schedule
  std::vector<std::uint64_t> sequences_;  // of these rows
  std::vector<gap_store::gap_list> kept_gaps_;
  std::vector<std::size_t> gap_rows_;  // the row of each element of kept_gaps_
  std::vector<texts_of_requests::entry> kept_texts_;
  std::vector<std::size_t> text_rows_;
};

}  // namespace reporters
