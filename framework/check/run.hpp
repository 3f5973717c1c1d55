// A run as reporters see it, with made-up instead of measured contents.
#pragma once

#include <cstddef>
#include <cstdint>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

/// Elements of a growing struct in lent memory, `stride` bytes apart.
template <typename element>
class lent_array {
 public:
  lent_array(element* first, std::size_t count) : first_(first), count_(count) {}
  [[nodiscard]] const element* data() const noexcept { return first_; }
  [[nodiscard]] std::size_t size() const noexcept { return count_; }

 private:
  element* first_;
  std::size_t count_;
};

/// `flags`: values of ifb_run_flag, combined with OR.
[[nodiscard]] ifb_run* lend_run(lent_memory& memory, std::uint32_t flags = 0);
/// Records; every second record failed. If `stamps` is false, the records contain the number of
/// token stamps but not the stamps.
[[nodiscard]] lent_array<ifb_record> lend_records(lent_memory& memory, std::size_t count,
                                                  bool stamps = true);
/// The metrics of a run, some of them with quantiles. `unknown`: adds metrics that no host has yet.
[[nodiscard]] lent_array<ifb_metric> lend_metrics(lent_memory& memory, bool unknown);
/// The same metrics as live figures.
[[nodiscard]] ifb_snapshot* lend_snapshot(lent_memory& memory, bool unknown);
/// `flags`: values of ifb_summary_flag, combined with OR.
[[nodiscard]] ifb_summary* lend_summary(lent_memory& memory, bool unknown, std::uint32_t flags = 0);

}  // namespace inferbench::check
