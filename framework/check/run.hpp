// A run as reporters are told of it: what the kit makes up instead of measuring.
#pragma once

#include <cstddef>

#include <inferbench/abi.h>

#include "check/lent_memory.hpp"

namespace inferbench::check {

/// Elements of a growing struct on lent memory, `stride` bytes apart.
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

[[nodiscard]] ifb_run* lend_run(lent_memory& memory);
/// Every second one failed. Without `stamps` those of tokens are counted only.
[[nodiscard]] lent_array<ifb_record> lend_records(lent_memory& memory, std::size_t count,
                                                  bool stamps = true);
/// Those of a run, some of them with quantiles; `unknown`: and some that no host has yet.
[[nodiscard]] lent_array<ifb_metric> lend_metrics(lent_memory& memory, bool unknown);
/// `flags`: ifb_summary_flag.
[[nodiscard]] ifb_summary* lend_summary(lent_memory& memory, bool unknown, std::uint32_t flags = 0);

}  // namespace inferbench::check
