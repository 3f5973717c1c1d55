#include "limit/batch_trial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "confidence/binomial.hpp"

namespace inferbench::limit {
namespace {

constexpr std::size_t most_batches = 32;
constexpr std::size_t least_size = 8;

}  // namespace

batch_trial::batch_trial(part what, std::size_t index, double chance)
    : what_(std::move(what)), index_(index), chance_(chance) {
  result_.what = what_;
}

void batch_trial::plan(std::size_t requests) {
  batches_ = std::min(most_batches, requests / least_size);
  size_ = requests / batches_;
  result_.batches = batches_;
  seen_.reserve(batches_ * size_);
}

void batch_trial::add_warm_up(const observation& request) {
  if (what_.kind == part_kind::rate) before_.push_back(request);
}

void batch_trial::add(const observation& request) {
  if (complete()) return;
  seen_.push_back(request);
  if (!complete()) return;
  if (what_.kind == part_kind::rate)
    judge_rate();
  else
    judge_mean();
}

void batch_trial::judge_mean() {
  std::vector<double> means;
  for (std::size_t batch = 0; batch < batches_; ++batch) {
    double sum = 0;
    double count = 0;
    for (std::size_t i = batch * size_; i < (batch + 1) * size_; ++i) {
      if (std::isnan(seen_[i].value)) continue;
      sum += seen_[i].value;
      count += 1;
    }
    if (count > 0) means.push_back(sum / count);
  }
  // A batch without a value, as of failed requests alone, makes the sample another one than
  // planned.
  if (means.size() < batches_) return;
  const auto k = static_cast<double>(batches_);
  double mean = 0;
  for (const double each : means)
    mean += each / k;
  double squares = 0;
  for (const double each : means)
    squares += (each - mean) * (each - mean);
  judge(mean, confidence::student(1 - chance_, k - 1) * std::sqrt(squares / (k - 1) / k));
}

void batch_trial::judge_rate() {
  const double begin = seen_.front().start_s;
  const double time = seen_.back().start_s - begin;
  if (!(time > 0)) return;
  std::vector<double> amounts(batches_);
  const auto k = static_cast<double>(batches_);
  double amount = 0;
  const auto add_end = [&](const observation& each) {
    const double at = (each.end_s - begin) / time;
    if (std::isnan(each.value) || !(at > 0) || at > 1) return;
    const auto batch = static_cast<std::size_t>(std::ceil(at * k)) - 1;
    amounts[std::min(batch, batches_ - 1)] += each.value;
    amount += each.value;
  };
  std::ranges::for_each(before_, add_end);
  std::ranges::for_each(seen_, add_end);
  const double batch_time = time / k;
  const double rate = amount / time;
  double squares = 0;
  for (const double each : amounts)
    squares += (each / batch_time - rate) * (each / batch_time - rate);
  judge(rate, confidence::student(1 - chance_, k - 1) * std::sqrt(squares / (k - 1) / k));
}

void batch_trial::judge(double estimate, double half_width) {
  result_.estimate = estimate;
  result_.half_width = half_width;
  const bool below = estimate + half_width < what_.limit;
  const bool above = estimate - half_width > what_.limit;
  if (!below && !above) return;
  outcome_ = below == (what_.passes == side::below) ? verdict::passed : verdict::failed;
}

part_evidence batch_trial::evidence() const {
  part_evidence out = result_;
  out.outcome = outcome_;
  return out;
}

}  // namespace inferbench::limit
