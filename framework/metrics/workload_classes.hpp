// Figures of the requests of each class of a workload. A dataset names the class of a sample in its
// metadata, "workload_class", which become an attribute of the record, so that a journal gives the
// same figures as the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "client/record.hpp"

namespace inferbench::metrics {

/// Not thread-safe. Keeps 16 bytes for each request that has a class.
class workload_classes {
 public:
  /// The name of the metadata and of the attribute.
  static constexpr std::string_view attribute = "workload_class";
  /// More classes than this count together, as the class "(others)".
  static constexpr std::size_t most_classes = 100;

  /// Adds a request that was sent. A request without a class is not counted.
  void add(const client::record& of, bool pooling);

  [[nodiscard]] bool empty() const noexcept { return classes_.empty(); }

  /// The fact "workload_classes": a member for each class, in alphabetical order. `requests` is the
  /// sum of `completed` and `failed`; `total_input_tokens` and `total_output_tokens` are those of
  /// the successful requests. `ttft_ms` and `e2el_ms` are there if a request has succeeded: `mean`,
  /// `median` and the `percentiles` (0 to 100), such as `p99`, by upstream's definitions; a pooling
  /// run has no `ttft_ms`.
  [[nodiscard]] std::string to_json(std::span<const double> percentiles) const;

 private:
  struct one_class {
    std::uint64_t completed = 0;
    std::uint64_t failed = 0;
    std::int64_t input_tokens = 0;
    std::int64_t output_tokens = 0;
    std::vector<double> ttft_ms;
    std::vector<double> e2el_ms;
  };

  std::map<std::string, one_class, std::less<>> classes_;
};

}  // namespace inferbench::metrics
