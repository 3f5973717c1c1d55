#include "metrics/scores.hpp"

#include <algorithm>
#include <cmath>

#include <inferbench/draft/scorer.h>
#include <inferbench/json_writer.hpp>

#include "base/text.hpp"
#include "confidence/binomial.hpp"

namespace inferbench::metrics {

namespace {

// A scorer may put a part of the answer into its reasons, which then are all different.
constexpr std::size_t most_reasons = 100;

const std::string* attribute_of(const client::record& record, std::string_view name) {
  const auto found =
      std::ranges::find(record.attributes, name, [](const auto& each) { return each.first; });
  return found == record.attributes.end() ? nullptr : &found->second;
}

/// The further digits differ between versions of Boost.Math.
double rounded(double share) { return std::round(share * 1e6) / 1e6; }

}  // namespace

void scores::add(const client::record& of) {
  if (!of.ok()) return;
  const std::string* text = attribute_of(of, IFB_SCORE_ATTRIBUTE);
  const std::optional<double> value = text == nullptr ? std::nullopt : base::parse_float(*text);
  if (!value || !(*value >= 0 && *value <= 1)) {
    ++unscored_;
    return;
  }
  ++scored_;
  if (*value > 0 && *value < 1) ++partly_;
  sum_ += *value;
  squares_ += *value * *value;
  const std::string* reason = attribute_of(of, IFB_SCORE_REASON_ATTRIBUTE);
  if (reason == nullptr) return;
  if (reasons_.size() < most_reasons || reasons_.contains(*reason))
    ++reasons_[*reason];
  else
    ++other_reasons_;
}

std::optional<double> scores::mean() const noexcept {
  if (scored_ == 0) return std::nullopt;
  return sum_ / static_cast<double>(scored_);
}

scores::bounds scores::interval() const noexcept {
  const auto n = static_cast<double>(scored_);
  if (partly_ == 0) {
    const confidence::share_interval found = confidence::interval_of_share(n, sum_);
    return {found.low, found.high};
  }
  if (scored_ < 2) return {};
  const double middle = sum_ / n;
  const double variance = std::max(0.0, (squares_ - n * middle * middle) / (n - 1));
  const double half =
      confidence::student((1 + confidence::level) / 2, n - 1) * std::sqrt(variance / n);
  return {std::max(0.0, middle - half), std::min(1.0, middle + half)};
}

std::string scores::to_json(std::string_view scorer) const {
  ifb::json_writer out;
  out.begin_object();
  out.key(scorer);
  out.begin_object();
  out.member("scored", scored_);
  out.member("unscored", unscored_);
  if (scored_ != 0) {
    const bounds found = interval();
    out.member("mean", *mean());
    out.member("low", rounded(found.low));
    out.member("high", rounded(found.high));
    out.member("confidence", confidence::level);
  }
  out.key("reasons");
  out.begin_object();
  for (const auto& [reason, count] : reasons_)
    out.member(reason, count);
  if (other_reasons_ != 0) out.member("other reasons", other_reasons_);
  out.end_object();
  out.end_object();
  out.end_object();
  return out.take();
}

}  // namespace inferbench::metrics
