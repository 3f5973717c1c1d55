#include "observe/probes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "metrics/statistics.hpp"
#include "plugin/instance.hpp"

namespace inferbench::observe {

namespace {

using transport::timer_queue;

constexpr double longest_pause_ns = 1e17;  // three years

const ifb_part question{sizeof(ifb_part), IFB_PART_TEXT, nullptr, {"Hi", 2}, {}, {}};

}  // namespace

ifb_sample probe_sample(const ifb_sample& like) noexcept {
  ifb_sample out{};
  out.struct_size = sizeof out;
  out.shape = IFB_PROMPT_TEXT;
  out.prompt = {&question, 1, sizeof question};
  out.arrival_ns = -1;
  out.input_tokens = 1;
  out.output_tokens = 1;
  out.overrides = like.overrides;
  return out;
}

void add_probe_figures(probe_results found, metrics::context& into) {
  if (found.latencies_ms.empty()) return;
  constexpr std::array p99 = {99.0};
  const auto count = static_cast<double>(found.latencies_ms.size());
  const metrics::statistics of = metrics::describe(found.latencies_ms, p99);
  using metrics::metric;
  into.beside.emplace_back(metric::probe_completed, count);
  into.beside.emplace_back(metric::probe_failed, static_cast<double>(found.failed));
  into.beside.emplace_back(metric::probe_median_e2el, of.median);
  into.beside.emplace_back(metric::probe_p99_e2el, of.quantiles.front());
  into.beside.emplace_back(metric::probe_max_e2el, of.maximum);
}

probes::probes(const base::clock& clock, const client::backend& shared, const ifb_sample& like,
               double per_second, base::stamping stamping)
    : shared_(shared),
      sample_(probe_sample(like)),
      pause_ns_(static_cast<std::uint64_t>(std::min(1e9 / per_second, longest_pause_ns))),
      loop_(clock, {.stamping = stamping}),
      fleet_(shared, loop_, *this),
      flight_(fleet_.make()),
      next_(transport::timer::action::to<&probes::send>(*this)) {
  loop_.on_wake(transport::callback<void()>::to<&probes::on_wake>(*this));
}

probes::~probes() {
  cancel();
  if (thread_.joinable()) thread_.join();
}

void probes::start(std::uint64_t start_ns) {
  loop_.arm(next_, start_ns);
  over_ = false;
  try {
    thread_ = std::thread([this] { run(); });
  } catch (const std::system_error& e) {
    over_ = true;
    throw base::error(std::string("cannot start a thread for the probes: ") + e.what(),
                      "leave out --probe-request-rate");
  }
}

void probes::finish() noexcept {
  finish_.store(true);
  loop_.wake();
}

void probes::cancel() noexcept {
  cancel_.store(true);
  finish();
}

probe_results probes::results() {
  if (thread_.joinable()) thread_.join();
  return std::move(found_);
}

void probes::run() {
  while (in_flight_ || !finish_.load())
    loop_.run_once(true);
  loop_.cancel(next_);
  over_.store(true);
}

void probes::on_wake() {
  fleet_.collect();
  if (in_flight_ && cancel_.load()) flight_->cancel("cancelled", loop_.clock().now());
}

void probes::send(std::uint64_t now) {
  if (finish_.load()) return;
  in_flight_ = true;
  flight_->what.sample = &sample_;
  flight_->what.sequence = sent_++;
  flight_->what.due_ns = now;
  if (flight_->prepare() == client::flight::readiness::ready) {
    flight_->launch(loop_.clock().now());
    return;
  }
  flight_->refuse(now);
  on_landed(*flight_);
}

void probes::on_landed(client::flight& which) {
  in_flight_ = false;
  note(which.land());
  loop_.arm(next_, timer_queue::after(loop_.clock().now(), std::max<std::uint64_t>(pause_ns_, 1)));
}

void probes::note(const client::record& done) {
  if (done.status == IFB_E_CANCELLED) return;
  if (!done.ok()) {
    if (found_.failed++ == 0) found_.first_error = done.error;
    return;
  }
  const bool pooling = (shared_.codec.flags & IFB_CODEC_POOLING) != 0;
  const std::uint64_t last = pooling || done.tokens.empty() ? done.end_ns : done.tokens.back();
  found_.latencies_ms.push_back(static_cast<double>(last - done.start_ns) / 1e6);
}

}  // namespace inferbench::observe
