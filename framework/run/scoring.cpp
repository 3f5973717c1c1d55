#include "run/scoring.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/cpu.hpp"
#include "base/text.hpp"
#include "report/batch.hpp"

namespace inferbench::run {

scoring::scoring(const plugin::instance& by, base::log& log)
    : by_(by), operations_(plugin::scorer_of(by)), log_(log), thread_([this] {
        base::give_way();
        work();
      }) {}

scoring::~scoring() { static_cast<void>(finish()); }

void scoring::push(std::vector<client::record> batch) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [this] { return waiting_.size() < most_waiting; });
  std::ranges::move(batch, std::back_inserter(waiting_));
  changed_.notify_all();
}

std::vector<client::record> scoring::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(scored_, {});
}

std::vector<client::record> scoring::finish() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  return take();
}

void scoring::work() {
  // A few records at a time, so that neither the lock nor the waiting list is held for long.
  constexpr std::size_t at_once = 64;
  std::vector<client::record> batch;
  for (;;) {
    {
      std::unique_lock lock(mutex_);
      std::ranges::move(batch, std::back_inserter(scored_));
      batch.clear();
      changed_.wait(lock, [this] { return over_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      while (!waiting_.empty() && batch.size() < at_once) {
        batch.push_back(std::move(waiting_.front()));
        waiting_.pop_front();
      }
    }
    changed_.notify_all();
    for (client::record& each : batch)
      if (each.ok() && !failed_) score(each);
  }
}

void scoring::score(client::record& of) {
  ifb_record view{};
  report::describe(of, view);
  attributes_.clear();
  for (const auto& [key, value] : of.attributes)
    attributes_.push_back({plugin::str(key), plugin::str(value)});
  view.attributes = attributes_.data();
  memory_.reset();
  ifb_score found{};
  found.struct_size = sizeof found;
  ifb_error error = plugin::empty_error();
  const ifb_status status = operations_.score(by_.get(), &view, &memory_, &found, &error);
  if (status == IFB_SKIP) return;
  if (status != IFB_OK) return give_up(plugin::text_of(error, status));
  if (!(found.value >= 0 && found.value <= 1))
    return give_up(fmt::format("the score {} is not between 0 and 1", found.value));
  const std::string reason = base::one_line(plugin::view(found.reason));
  of.attributes.emplace_back(IFB_SCORE_ATTRIBUTE, fmt::format("{}", found.value));
  if (!reason.empty()) of.attributes.emplace_back(IFB_SCORE_REASON_ATTRIBUTE, reason);
}

void scoring::give_up(const std::string& reason) {
  failed_ = true;
  log_.warning(fmt::format("scorer {} was given up, so later answers have no score: {}",
                           by_.library().id(), reason));
}

}  // namespace inferbench::run
