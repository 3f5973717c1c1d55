#include "run/traffic.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include "base/cpu.hpp"
#include "base/error.hpp"
#include "base/limits.hpp"

namespace inferbench::run {

namespace {

constexpr std::size_t most_workers = 1024;  // the limit of --workers

/// The number of connections for which one descriptor table has room.
std::size_t room_for(const expected_load& of) noexcept {
  // Files and plugins need descriptors, too, and each event loop needs three.
  const std::size_t others = 125 + 3 * of.workers;
  return of.descriptors > others ? of.descriptors - others : 0;
}

/// The number of connections for which all descriptor tables together have room.
std::size_t all_room_for(const expected_load& of) noexcept {
  return room_for(of) * (need_own_tables(of) ? of.workers : 1);
}

/// The part of `sum` for the worker `index` of `workers`.
std::size_t share_of(std::size_t sum, std::size_t index, std::size_t workers) noexcept {
  return sum / workers + (index < sum % workers ? 1 : 0);
}

std::uint64_t asked_for(const expected_load& of) noexcept {
  return std::min(of.asked.value_or(0), of.planned);
}

/// The largest number of requests that may be in flight at the same time.
std::uint64_t most_in_flight(const expected_load& of) noexcept {
  return of.max_concurrency ? std::min(of.planned, static_cast<std::uint64_t>(*of.max_concurrency))
                            : of.planned;
}

}  // namespace

std::optional<std::int64_t> permits(const client::backend& shared,
                                    const traffic_settings& settings) {
  const bool blocks = shared.engine && shared.engine->ops.blocks();
  if (settings.max_concurrency || !blocks) return settings.max_concurrency;
  return std::max<std::int64_t>(most_blocking, static_cast<std::int64_t>(settings.workers));
}

std::vector<std::size_t> shares(std::size_t workers, std::optional<std::int64_t> max_concurrency) {
  workers = std::max<std::size_t>(workers, 1);
  if (!max_concurrency) return std::vector<std::size_t>(workers, SIZE_MAX);
  const auto permits = static_cast<std::size_t>(*max_concurrency);
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < std::min(workers, permits); ++i)
    out.push_back(permits / workers + (i < permits % workers ? 1 : 0));
  return out;
}

bool need_own_tables(const expected_load& of) noexcept {
  const std::size_t room = room_for(of);
  // Idle connections to one server stay open while requests go to another server, so each server
  // may need a connection for every request in flight.
  const bool fits = most_in_flight(of) <= room / of.servers || of.planned <= room;
  return of.workers > 1 && (!fits || asked_for(of) > room);
}

std::size_t connections_ahead(const expected_load& of) noexcept {
  const std::size_t room = all_room_for(of);
  if (of.asked) return std::min<std::uint64_t>(asked_for(of), room);
  std::size_t wanted = std::min<std::uint64_t>(most_in_flight(of), room);
  if (std::isfinite(of.request_rate)) {
    constexpr double first_moments_s = 0.2;
    const double due = std::max(1.0, std::ceil(of.request_rate * first_moments_s));
    if (due < static_cast<double>(wanted)) wanted = static_cast<std::size_t>(due);
  }
  return wanted;
}

std::string too_many_connections(const expected_load& of) {
  const std::uint64_t at_once = std::isinf(of.request_rate) ? most_in_flight(of) : 0;
  const std::uint64_t certain = std::max(at_once, asked_for(of));
  if (certain <= all_room_for(of)) return {};
  std::string remedy;
  for (expected_load more = of; remedy.empty() && ++more.workers <= most_workers;)
    if (certain <= all_room_for(more)) remedy = fmt::format("use --workers {}, ", more.workers);
  return fmt::format(
      "{} connections at once need more than the limit of {} open files{}: {}raise it (ulimit -n), "
      "or lower --max-concurrency",
      certain, of.descriptors, of.workers > 1 ? " for each worker" : "", remedy);
}

traffic::traffic(const base::clock& clock, const client::backend& shared, client::source& jobs,
                 const traffic_settings& settings)
    : clock_(clock),
      shared_(shared),
      jobs_(jobs),
      settings_(settings),
      shares_(shares(settings.workers, permits(shared, settings))) {}

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
        std::min(shares_[i], share_of(settings_.connections_ahead, i, shares_.size()));
    settings.ahead =
        std::max(settings.ahead, share_of(settings_.requests_ahead, i, shares_.size()));
    settings.bytes_ahead = settings_.bytes_ahead / shares_.size();
    settings.first_bytes_ahead = settings_.first_bytes_ahead / shares_.size();
    settings.stamping = settings_.stamping;
    settings.warn = settings_.warn;
    workers_.push_back(std::make_unique<client::worker>(
        clock_, shared_, settings, jobs_,
        [i, on_record](client::record&& r) { on_record(i, std::move(r)); }));
  }
  ids_.resize(workers_.size());
  threads_.reserve(workers_.size());
  // Start the threads after all workers exist: stop() and counts() read the list without a lock.
  for (std::size_t i = 0; i < workers_.size(); ++i)
    threads_.emplace_back([this, i, on_end] { work(i, on_end); });
}

void traffic::work(std::size_t index, const end_sink& on_end) {
  ids_[index] = ::gettid();
  base::take_short_turns();
  // An engine's submit shares the descriptor table of its create (R8 in abi.h).
  if (settings_.own_tables && !shared_.engine) take_table();
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

// Barrier: all workers unshare their descriptor table before any of them opens a socket. A worker
// that fails to unshare still uses the main thread's table. If another worker copied that table
// later, the copy would keep the first worker's sockets open.
void traffic::take_table() {
  const bool refused = !base::own_descriptor_table();
  const int why = errno;
  if (refused && settings_.warn)
    settings_.warn(std::string("a worker has no table of open files of its own: ") +
                   std::strerror(why) + "; raise the limit (ulimit -n)");
  std::unique_lock lock(gate_mutex_);
  ++asked_for_tables_;
  gate_.notify_all();
  gate_.wait(lock, [this] { return begun_ || asked_for_tables_ == shares_.size(); });
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
    // Read `finished` before `started`, so that the difference, the requests in flight, is never
    // negative.
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
