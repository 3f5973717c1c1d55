#include "run/traffic.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

#include <unistd.h>

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

std::size_t connections_ahead(const expected_load& of) noexcept {
  // Files, plugins and event loops need some, too.
  constexpr std::size_t others = 128;
  const std::size_t room = of.descriptors > others ? of.descriptors - others : 0;
  std::size_t wanted = std::min<std::uint64_t>(of.planned, room);
  if (of.asked) return std::min<std::uint64_t>(*of.asked, wanted);
  if (of.max_concurrency) wanted = std::min(wanted, static_cast<std::size_t>(*of.max_concurrency));
  if (std::isfinite(of.request_rate)) {
    constexpr double first_moments_s = 0.2;
    const double due = std::max(1.0, std::ceil(of.request_rate * first_moments_s));
    if (due < static_cast<double>(wanted)) wanted = static_cast<std::size_t>(due);
  }
  return wanted;
}

traffic::traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
                 const traffic_settings& settings)
    : clock_(clock),
      shared_(shared),
      jobs_(jobs),
      settings_(settings),
      shares_(shares(settings.workers, settings.max_concurrency)) {}

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
    settings.connections_ahead =
        std::min(shares_[i], settings_.connections_ahead / shares_.size() +
                                 (i < settings_.connections_ahead % shares_.size() ? 1 : 0));
    settings.stamping = settings_.stamping;
    settings.warn = settings_.warn;
    workers_.push_back(std::make_unique<client::worker>(
        clock_, shared_, settings, jobs_,
        [i, on_record](client::record&& r) { on_record(i, std::move(r)); }));
  }
  ids_.resize(workers_.size());
  threads_.reserve(workers_.size());
  // After all are made: stop() and counts() read the list without a lock.
  for (std::size_t i = 0; i < workers_.size(); ++i)
    threads_.emplace_back([this, i, on_end] { work(i, on_end); });
}

void traffic::work(std::size_t index, const end_sink& on_end) {
  ids_[index] = ::gettid();
  workers_[index]->open();
  opened_.fetch_add(1);
  {
    std::unique_lock lock(gate_mutex_);
    gate_.wait(lock, [this] { return begun_; });
  }
  workers_[index]->run();
  on_end(index);
  running_.fetch_sub(1);
}

void traffic::begin() {
  {
    const std::lock_guard lock(gate_mutex_);
    begun_ = true;
  }
  gate_.notify_all();
}

void traffic::stop() {
  for (const auto& worker : workers_)
    worker->stop();
  begin();
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

std::vector<client::worker_health> traffic::health() const {
  std::vector<client::worker_health> out;
  for (const auto& worker : workers_)
    out.push_back(worker->health());
  return out;
}

}  // namespace inferbench::run
