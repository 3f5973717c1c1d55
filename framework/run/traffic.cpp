#include "run/traffic.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include <sys/resource.h>

#include "base/error.hpp"

namespace inferbench::run {

std::vector<std::size_t> shares(std::size_t workers, std::optional<std::int64_t> max_concurrency) {
  workers = std::max<std::size_t>(workers, 1);
  if (!max_concurrency) return std::vector<std::size_t>(workers, SIZE_MAX);
  const auto permits = static_cast<std::size_t>(*max_concurrency);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(workers, permits); ++i)
    out.push_back(permits / workers + (i < permits % workers ? 1 : 0));
  return out;
}

void raise_descriptor_limit() noexcept {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur == limit.rlim_max) return;
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_NOFILE, &limit);
}

traffic::traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
                 std::size_t workers, std::optional<std::int64_t> max_concurrency)
    : clock_(clock), shared_(shared), jobs_(jobs), shares_(shares(workers, max_concurrency)) {}

traffic::~traffic() {
  stop();
  join();
}

void traffic::start(const record_sink& on_record, const end_sink& on_end) {
  running_ = shares_.size();
  const auto give_up = [&] {
    stop();
    join();
    for (std::size_t i = threads_.size(); i < shares_.size(); ++i)
      on_end(i);
    running_ = 0;
  };
  try {
    launch(on_record, on_end);
  } catch (const std::system_error& e) {
    give_up();
    throw base::error(std::string("cannot start a client thread: ") + e.what(),
                      "use fewer with --workers");
  } catch (...) {
    give_up();
    throw;
  }
}

void traffic::launch(const record_sink& on_record, const end_sink& on_end) {
  for (std::size_t i = 0; i < shares_.size(); ++i) {
    client::worker_settings settings;
    settings.max_in_flight = shares_[i];
    workers_.push_back(std::make_unique<client::worker>(
        clock_, shared_, settings, jobs_,
        [i, on_record](client::record&& r) { on_record(i, std::move(r)); }));
  }
  threads_.reserve(workers_.size());
  // After all are made: stop() and counts() read the list without a lock.
  for (std::size_t i = 0; i < workers_.size(); ++i)
    threads_.emplace_back([this, i, on_end] {
      workers_[i]->run();
      on_end(i);
      running_.fetch_sub(1);
    });
}

void traffic::stop() noexcept {
  for (const auto& worker : workers_)
    worker->stop();
}

void traffic::join() {
  for (std::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

traffic_counts traffic::counts() const noexcept {
  traffic_counts sum;
  for (const auto& worker : workers_) {
    // Finished first: what is in flight is then never negative.
    sum.finished += worker->counters().finished.load(std::memory_order_acquire);
    sum.failed += worker->counters().failed.load(std::memory_order_relaxed);
    sum.started += worker->counters().started.load(std::memory_order_relaxed);
  }
  return sum;
}

transport::connection_counters traffic::connections() const noexcept {
  transport::connection_counters sum;
  for (const auto& worker : workers_) {
    sum.connects += worker->connections().connects;
    sum.reuses += worker->connections().reuses;
    sum.closed_idle += worker->connections().closed_idle;
    sum.not_reusable += worker->connections().not_reusable;
  }
  return sum;
}

}  // namespace inferbench::run
