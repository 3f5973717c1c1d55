#include "worker.hpp"

#include <algorithm>
#include <utility>

#include "orders.hpp"

namespace python_engine {

namespace {

using std::chrono::nanoseconds;

constexpr std::size_t shown_lines = 8;
constexpr std::uint64_t most_logged = 10'000;
constexpr auto look_interval = std::chrono::milliseconds(50);
// Time for the process to end by itself after it has closed its socket.
constexpr auto end_patience = std::chrono::seconds(2);

double in_seconds(nanoseconds time) { return std::chrono::duration<double>(time).count(); }

}  // namespace

worker::worker(ifb::host host, worker_settings settings, frame_listener* listener)
    : host_(host), settings_(std::move(settings)), listener_(listener) {
  const ifb::log_level level =
      settings_.shows_output ? ifb::log_level::info : ifb::log_level::debug;
  worker_command command{settings_.command, settings_.environment,
                         [host, level](std::string_view line) {
                           if (host.listens(level)) host.log(level, "worker: " + std::string(line));
                         }};
  try {
    process_ = std::make_unique<worker_process>(std::move(command));
  } catch (const ifb::failure& e) {
    if (e.code() != IFB_E_CONFIG) throw;
    throw ifb::failure{IFB_E_CONFIG,
                       e.message() + "; --python names the Python in which the engine is installed",
                       "python"};
  }
  connection_ = std::make_unique<connection>(
      process_->take_socket(),
      connection::hooks{[host] { return host.now(); },
                        [this](const frame& in) { return take_at_once(in); },
                        [this] {
                          if (listener_ != nullptr) listener_->on_end();
                        },
                        [this] {
                          if (listener_ != nullptr) listener_->on_wake();
                        }});
  send_or_fail(hello_frame(host_.version()));
  const frame answer = await(frame_kind::welcome, settings_.limits.start, "start-timeout");
  try {
    welcome_ = read_welcome(answer);
  } catch (const ifb::failure& e) {
    fail(about_violation(e, facts()));
  }
}

worker::~worker() { stop(); }

const ready_message& worker::load() {
  require_alive();
  if (loaded_) return ready_;
  cancelled_ = false;
  phase_ = phase::loading;
  send_or_fail(load_frame(settings_.engine_options));
  const frame answer = await(frame_kind::ready, settings_.limits.load, "load-timeout");
  try {
    ready_ = read_ready(answer);
  } catch (const ifb::failure& e) {
    fail(about_violation(e, facts()));
  }
  loaded_ = true;
  tie_clock();
  phase_ = phase::idle;
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
      fail(about_violation(e, facts()));
    }
  }
}

/// Log lines and the listener's frames need no order with the others. On the reading thread.
bool worker::take_at_once(const frame& in) {
  if (in.kind != frame_kind::log) {
    if (listener_ != nullptr && listener_->take(in)) return true;
    if (phase_ == phase::traffic && in.kind != frame_kind::error)
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
  while (!is_stopped() && !connection_->has_ended()) {
    // Before the clock is compared: if this thread looks too late, a frame may have come in time.
    if (auto found = connection_->next(std::min(deadline, steady::now() + look_interval)))
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
      fail({IFB_E_CANCELLED, "the run was stopped while the worker was being prepared"});
    if (!got && connection_->has_ended()) fail_lost();
    if (!got) fail(about_silence(name_of(wanted), in_seconds(limit), option, facts()));
    if (got->kind == wanted) return std::move(*got);
    if (got->kind == frame_kind::error) fail_by(*got);
    try {
      if (got->kind != frame_kind::progress || phase_ != phase::loading)
        throw violation(*got, "it is not allowed here; the host waits for " + name_of(wanted));
      const progress_message at = read_progress(*got);
      host_.progress().report("loading the engine", at.done, at.of);
    } catch (const ifb::failure& e) {
      fail(about_violation(e, facts()));
    }
  }
}

std::unique_ptr<batch_answer> worker::run(const ifb_batch& batch, ifb::arena memory) {
  load();
  cancelled_ = false;
  // An item that cannot be sent is found before the first frame is sent, because the worker then
  // waits for all items.
  check_items(batch);
  const std::uint64_t number = batches_ + 1;
  const std::string head = run_frame(batch, number);
  auto answer = std::make_unique<batch_answer>(batch, number, clock_, memory);
  batches_ = number;
  phase_ = phase::batch;
  auto state = connection::sending::sent;
  const auto send_frame = [&](std::string_view bytes) {
    if (state != connection::sending::sent) return;
    const auto deadline = steady::now() + settings_.limits.silence;
    state = connection_->send(bytes, [&] {
      return is_stopped() || connection_->has_ended() || steady::now() > deadline;
    });
  };
  send_frame(head);
  try {
    send_items(batch, memory, send_frame);
  } catch (const ifb::failure& e) {
    fail(e);
  }
  send_frame(simple_frame(frame_kind::go));
  // A frame that was cut makes the socket useless for a cancel.
  if (state == connection::sending::stopped && is_stopped())
    fail({IFB_E_CANCELLED, "the run was stopped while the batch was being sent"});
  if (state == connection::sending::stopped && !connection_->has_ended())
    fail(about_silence(answer->awaited(), in_seconds(settings_.limits.silence), "silence-timeout",
                       facts()));
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
        asked ? connection_->next(silent_until) : next_or_cancel(silent_until);
    if (!got && connection_->has_ended()) fail_lost();
    if (!got && asked) fail({IFB_E_CANCELLED, "the batch was cancelled, and the worker killed"});
    if (!got && is_stopped()) continue;
    if (!got)
      fail(about_silence(answer->awaited(), in_seconds(settings_.limits.silence), "silence-timeout",
                         facts()));
    if (!asked) silent_until = steady::now() + settings_.limits.silence;
    if (got->kind == frame_kind::error) fail_by(*got);
    // A worker may have taken the first cancel as one that came before the batch.
    if (asked && got->kind == frame_kind::began) ask_to_cancel();
    if (take(*got, *answer)) return answer;
  }
}

void worker::ask_to_cancel() {
  static_cast<void>(connection_->send(simple_frame(frame_kind::cancel), [] { return true; }));
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
    if (e.code() == IFB_E_PROTOCOL) fail(about_violation(e, facts()));
    phase_ = phase::idle;
    throw;
  }
  phase_ = phase::idle;
  if (!answer.warning().empty()) host_.warn(answer.warning());
  return true;
}

void worker::send(std::string_view bytes) {
  phase before = phase::idle;
  phase_.compare_exchange_strong(before, phase::traffic);
  // After a part of a frame, nothing else can be sent.
  if (connection_->send(bytes, [this] { return host_.cancelled() || connection_->has_ended(); }) ==
      connection::sending::stopped)
    connection_->abandon();
}

void worker::send_or_fail(std::string_view bytes) {
  // If the worker has ended, the frames before its end have the reason.
  if (connection_->send(bytes, [this] { return is_stopped() || connection_->has_ended(); }) ==
          connection::sending::stopped &&
      is_stopped())
    fail({IFB_E_CANCELLED, "the run was stopped while the worker was being prepared"});
}

worker_facts worker::facts() const {
  return {settings_.command.front(), phase_, process_->last_lines(shown_lines),
          process_->last_exception()};
}

void worker::require_alive() const {
  if (dead_) throw ifb::failure{*dead_};
}

void worker::fail(const ifb::failure& why) {
  dead_ = why;
  {
    const std::lock_guard lock(ending_);
    process_->kill();
  }
  throw ifb::failure{why};
}

void worker::fail_lost() {
  dead_ = end_reason();
  throw ifb::failure{*dead_};
}

std::optional<int> worker::wait(nanoseconds limit) const noexcept {
  const std::lock_guard lock(ending_);
  return process_->wait_until(steady::now() + std::chrono::duration_cast<steady::duration>(limit));
}

ifb::failure worker::end_reason() const {
  const std::optional<ifb::failure> fault = connection_->fault();
  const bool cut = fault && fault->message().find("the socket ended") != std::string::npos;
  const std::optional<int> status = fault && !cut ? std::nullopt : wait(end_patience);
  const worker_facts known = facts();
  if (!status) {
    const std::lock_guard lock(ending_);
    process_->kill();
  }
  try {
    if (const std::optional<error_message> error = error_of_traffic()) {
      log_trace(*error);
      return about_error(*error, known);
    }
  } catch (const ifb::failure& e) {
    return about_violation(e, known);
  }
  if (status) return about_end(*status, known);
  if (!fault) return about_closed_socket(known);
  return fault->code() == IFB_E_PROTOCOL ? about_violation(*fault, known) : *fault;
}

/// The first fatal error frame in the queue; during traffic nobody else takes frames from it.
std::optional<error_message> worker::error_of_traffic() const {
  if (phase_ != phase::traffic) return std::nullopt;
  while (const std::optional<frame> in = connection_->next(steady::now())) {
    if (in->kind != frame_kind::error) continue;
    if (error_message error = read_error(*in); error.fatal) return error;
  }
  return std::nullopt;
}

void worker::log_trace(const error_message& error) const {
  for (std::string_view rest = error.trace; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    if (host_.listens(ifb::log_level::debug)) host_.debug("worker: " + clean_line(line, 4096));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
}

void worker::fail_by(const frame& in) {
  error_message error;
  try {
    error = read_error(in);
  } catch (const ifb::failure& e) {
    fail(about_violation(e, facts()));
  }
  log_trace(error);
  if (!error.fatal && loaded_) {
    phase_ = phase::idle;
    throw about_error(error, facts());
  }
  // The worker ends by itself; its last lines come until then.
  wait(end_patience);
  fail(about_error(error, facts()));
}

void worker::stop() noexcept {
  if (process_ == nullptr || connection_ == nullptr) return;
  try {
    if (!dead_ && !connection_->has_ended()) {
      phase_ = phase::stopping;
      // A worker in the middle of a batch that nobody waits for is killed.
      const auto sent = connection_->send(simple_frame(frame_kind::bye), [] { return true; });
      if (sent == connection::sending::sent)
        wait(host_.cancelled() ? std::min<nanoseconds>(settings_.limits.stop, end_patience)
                               : settings_.limits.stop);
    }
  } catch (const std::exception&) {
    // Out of memory: the worker is killed.
  }
  {
    const std::lock_guard lock(ending_);
    process_->kill();
  }
  connection_->close();
}

}  // namespace python_engine
