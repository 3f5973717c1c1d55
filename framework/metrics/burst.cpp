#include "metrics/burst.hpp"

#include <algorithm>

#include <inferbench/json_writer.hpp>

namespace inferbench::metrics {
namespace {

std::uint64_t places_of(const context& run) {
  if (run.paced()) return 0;
  // The length of a schedule that ends at a time is not known before the run.
  const std::uint64_t planned =
      run.planned > 0 ? static_cast<std::uint64_t>(run.planned) : UINT64_MAX;
  const std::int64_t cap = run.max_concurrency.value_or(INT64_MAX);
  return std::min(planned, static_cast<std::uint64_t>(std::max<std::int64_t>(cap, 0)));
}

}  // namespace

burst::burst(const context& run) : places_(places_of(run)) {}

void burst::add(const client::record& record) noexcept {
  if (record.sequence >= places_ || record.sent_ns == 0 || !record.session.empty()) return;
  ++left_;
  first_ns_ = std::min(first_ns_, record.sent_ns);
  last_ns_ = std::max(last_ns_, record.sent_ns);
}

void burst::write(ifb::json_writer& out) const {
  if (left_ < 2) return;
  constexpr double ns_per_s = 1e9;
  out.key("burst");
  out.begin_object();
  out.member("requests", left_);
  out.member("seconds", static_cast<double>(last_ns_ - first_ns_) / ns_per_s);
  out.end_object();
}

}  // namespace inferbench::metrics
