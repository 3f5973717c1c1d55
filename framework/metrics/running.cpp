#include "metrics/running.hpp"

#include <array>
#include <variant>

#include "metrics/context.hpp"
#include "metrics/request_times.hpp"

namespace inferbench::metrics {

running::running(const context& run, definitions figures) {
  for (const definition& row : figures) {
    const auto* of = std::get_if<of_request>(&row.how);
    const bool wanted = (row.flags & IFB_METRIC_UPSTREAM) != 0 || row.own_delay;
    if (of != nullptr && wanted && row.in(run) != standing::absent)
      figures_.push_back({&row, *of, {}});
  }
}

void running::add(const request_times& one) {
  for (figure& each : figures_)
    if (const auto value = each.of(one)) each.values.add(*value);
}

void running::add_to(report& out) const {
  static constexpr std::array percentiles{50.0, 90.0, 99.0};
  for (const figure& each : figures_) {
    const statistics found = each.values.describe(percentiles);
    if (found.count != 0) out.add(*each.row, found, percentiles, false);
  }
}

std::size_t running::bytes() const noexcept {
  std::size_t out = sizeof *this;
  for (const figure& each : figures_)
    out += sizeof each + each.values.bytes();
  return out;
}

}  // namespace inferbench::metrics
