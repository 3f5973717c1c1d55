// Small requests that run beside the traffic (--probe-request-rate), one after the other with a
// pause between them: they show how long a user with a short question would wait. They have their
// own thread and connections and take no permit. Records, journals and the metrics of the traffic
// do not contain them; they have separate metrics.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <inferbench/abi.h>

#include "base/clock.hpp"
#include "client/backend.hpp"
#include "client/fleet.hpp"
#include "client/flight.hpp"
#include "metrics/context.hpp"
#include "transport/event_loop.hpp"

namespace inferbench::observe {

struct probe_results {
  // Latencies of the successful probes: from start to the last token, or to the end if there is no
  // token.
  std::vector<double> latencies_ms;
  std::uint64_t failed = 0;
  std::string first_error;
};

/// The sample of a probe: the prompt "Hi", one output token, and the overrides of `like`. Nothing
/// else is taken from `like`. The views of the sample are valid as long as the views of `like`.
[[nodiscard]] ifb_sample probe_sample(const ifb_sample& like) noexcept;

/// Adds the metrics of the probes to `into.beside`. Adds nothing if no probe succeeded.
void add_probe_figures(probe_results found, metrics::context& into);

/// Owned by the main thread. Everything that the constructor takes by reference must outlive the
/// object.
class probes final : private client::flight_owner {
 public:
  /// `like`: sample 0 of the run. `per_second` must be above 0: the pause after each probe is 1 /
  /// per_second seconds.
  probes(const base::clock& clock, const client::backend& shared, const ifb_sample& like,
         double per_second, base::stamping stamping);
  probes(const probes&) = delete;
  probes& operator=(const probes&) = delete;
  /// Cancels the probe in flight and joins the thread.
  ~probes();

  /// Sends the first probe at `start_ns`. Throws base::error if no thread can be started.
  void start(std::uint64_t start_ns);
  /// [any thread] No further probe is sent after the probe in flight.
  void finish() noexcept;
  /// [any thread] Cancels the probe in flight; this probe is not counted.
  void cancel() noexcept;
  [[nodiscard]] bool over() const noexcept { return over_.load(); }
  /// Joins the thread. Call this once, after finish() or cancel().
  [[nodiscard]] probe_results results();

 private:
  // The prompt of a probe is short, so no other thread serialises it.
  void on_prepared(client::flight&, bool) override {}
  void on_landed(client::flight& which) override;
  void on_stalled(const client::flight&, const client::silence&) override {}
  void on_heard(std::size_t, std::uint64_t) noexcept override {}
  void on_shortage() noexcept override {}
  bool tell(const std::string&) override { return false; }

  void run();
  void send(std::uint64_t now);
  void on_wake();
  void note(const client::record& done);

  const client::backend& shared_;
  ifb_sample sample_;
  std::uint64_t pause_ns_;
  transport::event_loop loop_;
  client::fleet fleet_;
  std::unique_ptr<client::flight> flight_;
  transport::timer next_;
  bool in_flight_ = false;
  std::uint64_t sent_ = 0;
  probe_results found_;  // only the probes' thread uses it until that thread is joined
  std::atomic<bool> finish_ = false;
  std::atomic<bool> cancel_ = false;
  std::atomic<bool> over_ = true;
  std::thread thread_;
};

}  // namespace inferbench::observe
