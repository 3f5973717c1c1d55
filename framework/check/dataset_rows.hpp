// A prepared dataset whose rows a test reads. Used by one thread at a time.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <inferbench/abi.h>

#include "check/host.hpp"
#include "check/instance_under_test.hpp"

namespace inferbench::check {

class rows {
 public:
  struct manner {
    std::uint64_t seed = 0;
    lending memory{};
    bool strict = false;        // it is an error if prepare refuses the options that the user gave
    std::int64_t wanted = 100;  // number of requested samples; some datasets refuse fewer
  };
  /// Skips the test if prepare refuses.
  rows(subject& s, const manner& how);
  explicit rows(subject& s) : rows(s, manner{}) {}

  /// Reads a row and returns it as text. If the plugin returns no sample, returns the refusal.
  /// `beside`: the memory of the previous row stays valid in the arena.
  std::string read(std::uint64_t row, bool beside = false);

  /// The status and the error of the last read(), and its sample if the status is IFB_OK.
  [[nodiscard]] ifb_status status() const { return status_; }
  [[nodiscard]] const ifb_error& error() const { return error_; }
  [[nodiscard]] const ifb_sample& sample() const { return *sample_; }
  /// The number of rows; -1: unknown, so rows are read until IFB_END.
  [[nodiscard]] std::int64_t count() const { return count_; }
  /// The flags of the dataset's table and of prepare (ifb_dataset_flag).
  [[nodiscard]] std::uint32_t flags() const { return flags_; }
  [[nodiscard]] bool has(ifb_dataset_flag flag) const { return (flags_ & flag) != 0; }
  /// For tests that read on several threads.
  [[nodiscard]] const plugin::dataset& table() const { return ops_; }
  [[nodiscard]] ifb_instance* instance() const { return instance_.get(); }

 private:
  host on_;
  instance_under_test instance_;
  plugin::dataset ops_{};
  lent_memory memory_;
  arena arena_;
  ifb_sample* sample_ = nullptr;
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::int64_t count_ = 0;
  std::uint32_t flags_ = 0;
};

/// The name of a row in messages. Rows count from 1, as in the messages of a run: "row 1" is the
/// row with the number 0.
[[nodiscard]] std::string name_of_row(std::uint64_t row);

/// The first `most` rows in order as text, or all rows if there are fewer. The last text is the
/// refusal if a row could not be read.
[[nodiscard]] std::vector<std::string> first_rows(rows& from, std::uint64_t most);

}  // namespace inferbench::check
