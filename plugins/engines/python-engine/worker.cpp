#include "worker.hpp"

#include <algorithm>
#include <utility>

#include "complaint.hpp"
#include "connection.hpp"
#include "orders.hpp"

namespace python_engine {

namespace {

using std::chrono::nanoseconds;

constexpr std::uint64_t most_logged = 10'000;
constexpr auto look_interval = std::chrono::milliseconds(50);

double in_seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

worker::worker(ifb::host host, worker_settings settings, frame_listener* listener)
    : host_(host),
      settings_(std::move(settings)),
      listener_(listener),
      link_(host, settings_,
            {[host] { return host.now(); }, [this](const frame& in) { return take_at_once(in); },
             [this] {
               if (listener_ != nullptr) listener_->on_end();
             },
             [this] {
               if (listener_ != nullptr) listener_->on_wake();
             }}) {
  send_or_fail(hello_frame(host_.version()));
  const frame answer = await(frame_kind::welcome, settings_.limits.start, "start-timeout");
  try {
    welcome_ = read_welcome(answer);
  } catch (const ifb::failure& e) {
    link_.fail(about_violation(e, link_.facts()));
  }
}

const ready_message& worker::load() {
  link_.require_alive();
  if (loaded_) return ready_;
  cancelled_ = false;
  link_.enter(phase::loading);
  send_or_fail(load_frame(settings_.engine_options));
  const frame answer = await(frame_kind::ready, settings_.limits.load, "load-timeout");
  try {
    ready_ = read_ready(answer);
  } catch (const ifb::failure& e) {
    link_.fail(about_violation(e, link_.facts()));
  }
  loaded_ = true;
  tie_clock();
  link_.enter(phase::idle);
  return ready_;
}

void worker::tie_clock() {
  for (int i = 0; i < clock_tie::exchanges; ++i) {
    send_or_fail(ping_frame(host_.now()));
    const frame answer = await(frame_kind::pong, settings_.limits.start, "start-timeout");
    try {
      const pong_message pong = read_pong(answer);
      if (pong.sent_ns > answer.arrived_ns)
        throw violation(answer, "the first 8 bytes are not those of the ping");
      clock_.add(pong.sent_ns, pong.worker_ns, answer.arrived_ns);
    } catch (const ifb::failure& e) {
      link_.fail(about_violation(e, link_.facts()));
    }
  }
}

/// Log lines and the listener's frames need no order with the others. On the reading thread.
bool worker::take_at_once(const frame& in) {
  if (in.kind != frame_kind::log) {
    if (listener_ != nullptr && listener_->take(in)) return true;
    if (link_.at() == phase::traffic && in.kind != frame_kind::error)
      throw violation(in, "it is not allowed here; there are only single requests");
    return false;
  }
  const log_message line = read_log(in);
  ++logged_;
  if (logged_ == most_logged + 1)
    host_.warn("the worker has sent 10000 lines for the log; no further line is shown");
  if (logged_ <= most_logged) {
    const auto level = static_cast<ifb::log_level>(line.level);
    if (host_.listens(level)) host_.log(level, "worker: " + clean_line(line.text, 4096));
  }
  return true;
}

/// Returns the next frame; nullopt at the deadline, if the connection has ended, or if the run is
/// being stopped.
std::optional<frame> worker::next_or_cancel(steady::time_point deadline) {
  while (!is_stopped() && !link_.frames().has_ended()) {
    // Before the clock is compared: if this thread looks too late, a frame may have come in time.
    if (auto found = link_.frames().next(std::min(deadline, steady::now() + look_interval)))
      return found;
    if (steady::now() >= deadline) break;
  }
  return std::nullopt;
}

frame worker::await(frame_kind wanted, nanoseconds limit, std::string_view option) {
  const auto deadline = steady::now() + limit;
  for (;;) {
    std::optional<frame> got = next_or_cancel(deadline);
    if (!got && is_stopped())
      link_.fail({IFB_E_CANCELLED, "the run was stopped while the worker was being prepared"});
    if (!got && link_.frames().has_ended()) link_.fail_lost();
    if (!got) link_.fail(about_silence(name_of(wanted), in_seconds(limit), option, link_.facts()));
    if (got->kind == wanted) return std::move(*got);
    if (got->kind == frame_kind::error) link_.fail_by(*got, loaded_);
    try {
      if (got->kind != frame_kind::progress || link_.at() != phase::loading)
        throw violation(*got, "it is not allowed here; the host waits for " + name_of(wanted));
      const progress_message at = read_progress(*got);
      host_.progress().report("loading the engine", at.done, at.of);
    } catch (const ifb::failure& e) {
      link_.fail(about_violation(e, link_.facts()));
    }
  }
}

std::unique_ptr<batch_answer> worker::run(const ifb_batch& batch, ifb::arena memory) {
  load();
  cancelled_ = false;
  // An item that cannot be sent is found before the first frame is sent, because the worker then
  // waits for all items.
  check_items(batch, memory);
  const std::uint64_t number = batches_ + 1;
  const std::string head = run_frame(batch, number);
  auto answer = std::make_unique<batch_answer>(batch, number, clock_, memory);
  batches_ = number;
  link_.enter(phase::batch);
  auto state = connection::sending::sent;
  const auto send_frame = [&](std::string_view bytes) {
    if (state != connection::sending::sent) return;
    const auto deadline = steady::now() + settings_.limits.silence;
    state = link_.frames().send(bytes, [&] {
      return is_stopped() || link_.frames().has_ended() || steady::now() > deadline;
    });
  };
  send_frame(head);
  try {
    send_items(batch, memory, send_frame);
  } catch (const ifb::failure& e) {
    link_.fail(e);
  }
  send_frame(simple_frame(frame_kind::go));
  // A frame that was cut makes the socket useless for a cancel.
  if (state == connection::sending::stopped && is_stopped())
    link_.fail({IFB_E_CANCELLED, "the run was stopped while the batch was being sent"});
  if (state == connection::sending::stopped && !link_.frames().has_ended())
    link_.fail(about_silence(answer->awaited(), in_seconds(settings_.limits.silence),
                             "silence-timeout", link_.facts()));
  return receive(std::move(answer));
}

std::unique_ptr<batch_answer> worker::receive(std::unique_ptr<batch_answer> answer) {
  auto silent_until = steady::now() + settings_.limits.silence;
  bool asked = false;
  for (;;) {
    if (!asked && is_stopped()) {
      asked = true;
      ask_to_cancel();
      silent_until = steady::now() + settings_.limits.cancel;
    }
    std::optional<frame> got =
        asked ? link_.frames().next(silent_until) : next_or_cancel(silent_until);
    if (!got && link_.frames().has_ended()) link_.fail_lost();
    if (!got && asked)
      link_.fail({IFB_E_CANCELLED, "the batch was cancelled, and the worker killed"});
    if (!got && is_stopped()) continue;
    if (!got)
      link_.fail(about_silence(answer->awaited(), in_seconds(settings_.limits.silence),
                               "silence-timeout", link_.facts()));
    if (!asked) silent_until = steady::now() + settings_.limits.silence;
    if (got->kind == frame_kind::error) link_.fail_by(*got, loaded_);
    // A worker may have taken the first cancel as one that came before the batch.
    if (asked && got->kind == frame_kind::began) ask_to_cancel();
    if (take(*got, *answer)) return answer;
  }
}

void worker::ask_to_cancel() {
  static_cast<void>(link_.frames().send(simple_frame(frame_kind::cancel), [] { return true; }));
}

/// Returns true if the answer is complete.
bool worker::take(const frame& in, batch_answer& answer) {
  try {
    if (in.kind == frame_kind::progress) {
      const progress_message at = read_progress(in);
      host_.progress().report("running the batch", at.done, at.of);
      return false;
    }
    if (!answer.take(in)) return false;
  } catch (const ifb::failure& e) {
    if (e.code() == IFB_E_PROTOCOL) link_.fail(about_violation(e, link_.facts()));
    link_.enter(phase::idle);
    throw;
  }
  link_.enter(phase::idle);
  if (!answer.warning().empty()) host_.warn(answer.warning());
  return true;
}

void worker::send(std::string_view bytes) {
  link_.enter_traffic();
  // After a part of a frame, nothing else can be sent.
  if (link_.frames().send(bytes, [this] {
        return host_.cancelled() || link_.frames().has_ended();
      }) == connection::sending::stopped)
    link_.frames().abandon();
}

void worker::send_or_fail(std::string_view bytes) {
  // If the worker has ended, the frames before its end have the reason.
  if (link_.frames().send(bytes, [this] { return is_stopped() || link_.frames().has_ended(); }) ==
          connection::sending::stopped &&
      is_stopped())
    link_.fail({IFB_E_CANCELLED, "the run was stopped while the worker was being prepared"});
}

}  // namespace python_engine
