// The series of one metrics page: chooses the samples with a ready name and the samples that the
// user wants, and numbers their series. One thread at a time; no I/O.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "observe/prometheus_text.hpp"
#include "observe/ready_names.hpp"
#include "records/observation.hpp"

namespace inferbench::observe {

/// Whether `text` has the form of `pattern`, in which * stands for any text and ? for one byte.
[[nodiscard]] bool matches(std::string_view pattern, std::string_view text) noexcept;

class source_series {
 public:
  /// The most series of a source beside those with a ready name.
  static constexpr std::size_t most_wanted = 256;

  /// `patterns`: the names of the metrics to keep beside the ready names; each of their label sets
  /// is a series.
  explicit source_series(std::vector<std::string> patterns);

  /// Reads one page. Adds the values to `out`, and the definitions of the series that are new.
  ///
  /// A ready value is made of all label sets. Sets that differ only in the rank of a process within
  /// one engine (tp_rank, pp_rank, moe_ep_rank) count the same requests, so the largest of them
  /// counts. If the label sets of a counter are not those of the page before, its value is `fresh`.
  page_summary read(std::string_view page, records::observation& out);

  /// The definitions of all series so far, in the order of their numbers.
  [[nodiscard]] const std::vector<records::observed_series>& all() const noexcept { return all_; }
  /// The server of the first ready name that was found; empty if none was found so far.
  [[nodiscard]] const std::string& server() const noexcept { return server_; }
  /// The most wanted series of a page that were beyond the limit.
  [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

 private:
  struct gathered {
    std::map<std::size_t, double> groups;  // values by the hash of their labels without ranks
    bool first = false;                    // the first metric of the row is on the page
    bool plus = false;
  };

  void gather(const metric_sample& one);
  void add_ready(records::observation& out);
  void keep_wanted(const metric_sample& one, records::observation& out);
  std::uint32_t add(records::observed_series what, records::observation& out);

  std::vector<std::string> patterns_;
  std::unordered_multimap<std::string_view, std::size_t> rows_;  // rows by the names of metrics
  std::vector<gathered> found_;                                  // by row, for the current page
  std::vector<records::observed_series> all_;
  std::map<std::string, std::uint32_t, std::less<>> ready_;   // series by name
  std::map<std::string, std::uint32_t, std::less<>> wanted_;  // series by their text on the page
  std::vector<std::size_t> sets_;  // by series: the label sets of the page before, as one hash
  std::vector<bool> seen_;         // by series: it has a value on the current page
  std::size_t beyond_ = 0;         // wanted series of the current page that are beyond the limit
  std::size_t left_out_ = 0;
  std::string server_;
};

}  // namespace inferbench::observe
