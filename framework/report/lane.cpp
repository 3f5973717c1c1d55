#include "report/lane.hpp"

#include <string_view>
#include <utility>

#include "base/clock.hpp"
#include "base/cpu.hpp"
#include "base/error.hpp"
#include "plugin/instance.hpp"

namespace inferbench::report {

namespace {

constexpr const char* begin_call = "begin";
constexpr std::string_view end_call = "end";  // a table calls its end of a run otherwise

// Time between two snapshots: of a reporter with IFB_REPORTER_LIVE, and of all others.
constexpr std::uint64_t live_interval_ns = 250 * base::ns_per_ms;
constexpr std::uint64_t interval_ns = base::ns_per_s;

}  // namespace

fanout::lane::lane(target reporter, base::log& log)
    : target_(std::move(reporter)), log_(log), thread_([this] {
        base::give_way();
        work();
      }) {}

void fanout::lane::stop() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    queue_.clear();
    newest_ = {};
  }
  changed_.notify_all();
  thread_.join();
}

void fanout::lane::begin(const ifb_run& run) {
  next_ns_ = run.started_ns + (live() ? live_interval_ns : interval_ns);
  push({begin_call, 0,
        [this, &run](ifb_error* error) { return target_.calls.begin(target_.self, &run, error); }});
}

void fanout::lane::end(const ifb_summary& summary) {
  {
    const std::lock_guard lock(mutex_);
    newest_ = {};
  }
  push({target_.last_call, 0, [this, &summary](ifb_error* error) {
          return target_.calls.end(target_.self, &summary, error);
        }});
}

void fanout::lane::records(std::shared_ptr<const batch> records, std::size_t limit, bool wait) {
  if (!target_.calls.takes_records || records->views().empty()) return;
  const std::size_t bytes = records->bytes();
  {
    std::unique_lock lock(mutex_);
    const auto fits = [&] {
      return failed_ || waiting_bytes_ == 0 || waiting_bytes_ + bytes <= limit;
    };
    if (!fits()) {
      if (wait) {
        changed_.wait(lock, fits);
      } else {
        drop("it fell behind: " + std::to_string(waiting_bytes_ >> 20U) +
             " MiB of records were waiting for it");
      }
    }
    if (failed_) return;
  }
  push({"records", bytes, [this, records = std::move(records)](ifb_error* error) {
          const auto views = records->views();
          return target_.calls.records(target_.self, views.data(), views.size(), sizeof(ifb_record),
                                       error);
        }});
}

bool fanout::lane::wants_snapshot(std::uint64_t at_ns) const {
  return target_.calls.takes_snapshots && at_ns >= next_ns_ && !failed();
}

void fanout::lane::snapshot(std::shared_ptr<const metrics::report> figures, std::uint64_t at_ns) {
  if (!wants_snapshot(at_ns)) return;
  // The times are multiples of the interval, so that a late snapshot does not delay the next.
  const std::uint64_t interval = live() ? live_interval_ns : interval_ns;
  next_ns_ += (1 + (at_ns - next_ns_) / interval) * interval;
  {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    newest_ = {std::move(figures), at_ns};
  }
  changed_.notify_all();
}

bool fanout::lane::wait_idle(std::chrono::milliseconds at_most) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, at_most, [&] { return busy_with_ == nullptr && queue_.empty(); });
}

void fanout::lane::wait_idle() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return busy_with_ == nullptr && queue_.empty(); });
}

plugin::refused fanout::lane::refusal() const {
  const std::lock_guard lock(mutex_);
  const plugin::refused bare({}, refused_option_, refused_status_);
  const plugin::refused why(base::error("reporter " + target_.name + ": " + refusal_,
                                        "correct its options, or leave it out"),
                            bare);
  return target_.explain ? target_.explain(why) : why;
}

bool fanout::lane::failed() const {
  const std::lock_guard lock(mutex_);
  return failed_;
}

const char* fanout::lane::busy_with() const {
  const std::lock_guard lock(mutex_);
  if (busy_with_ != nullptr) return busy_with_;
  return queue_.empty() ? "nothing" : queue_.front().call;
}

ifb_status fanout::lane::pass(const live_figures& figures, ifb_error* error) const {
  const auto metrics = figures.report->metrics();
  ifb_snapshot view{};
  view.struct_size = sizeof view;
  view.at_ns = figures.at_ns;
  view.metrics = metrics.data();
  view.metric_count = static_cast<std::uint32_t>(metrics.size());
  view.metric_stride = sizeof(ifb_metric);
  const std::string_view facts = figures.report->facts_json();
  view.facts_json = {facts.data(), facts.size()};
  return target_.calls.snapshot(target_.self, &view, error);
}

void fanout::lane::push(task next) {
  {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    waiting_bytes_ += next.bytes;
    queue_.push_back(std::move(next));
  }
  changed_.notify_all();
}

void fanout::lane::work() {
  bool begun = false;
  std::unique_lock lock(mutex_);
  for (;;) {
    // A snapshot is delivered before waiting records; otherwise a busy reporter would never get a
    // snapshot. It is not delivered before begin.
    changed_.wait(lock, [&] { return closed_ || !queue_.empty() || (begun && newest_.report); });
    task next;
    if (begun && newest_.report) {
      next = {"snapshot", 0, [this, figures = std::exchange(newest_, {})](ifb_error* error) {
                return pass(figures, error);
              }};
    } else if (!queue_.empty()) {
      next = std::move(queue_.front());
      queue_.pop_front();
    } else {
      return;
    }
    begun = true;
    busy_with_ = next.call;
    lock.unlock();
    perform(next);
    next.run = nullptr;  // frees the batch of the task without holding the lock
    lock.lock();
    busy_with_ = nullptr;
    waiting_bytes_ = failed_ ? 0 : waiting_bytes_ - next.bytes;
    changed_.notify_all();
  }
}

void fanout::lane::perform(task& next) {
  ifb_error error = plugin::empty_error();
  const ifb_status status = next.run(&error);
  if (status == IFB_OK) return;
  const std::string reason = plugin::text_of(error, status);
  const std::lock_guard lock(mutex_);
  if (std::string_view(next.call) == end_call) {
    // Nothing follows that the reporter could miss, so it is not dropped.
    if (!failed_) log_.warning("reporter " + target_.name + " failed at the end: " + reason);
    return forget();
  }
  if (next.call != begin_call) return drop(reason);
  refusal_ = reason;
  refused_option_ = error.option;
  refused_status_ = status;
  forget();
}

void fanout::lane::drop(const std::string& reason) {
  if (failed_) return;
  forget();
  log_.warning("reporter " + target_.name + " is dropped: " + reason);
}

void fanout::lane::forget() {
  failed_ = true;
  queue_.clear();
  newest_ = {};
  waiting_bytes_ = 0;
  changed_.notify_all();
}

}  // namespace inferbench::report
