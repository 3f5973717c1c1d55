#include "worker_link.hpp"

#include <algorithm>
#include <utility>

#include "orders.hpp"

namespace python_engine {

namespace {

using std::chrono::nanoseconds;

constexpr std::size_t shown_lines = 8;
// Time for the process to end by itself after it has closed its socket.
constexpr auto end_patience = std::chrono::seconds(2);

ifb::log_level level_of_output(const worker_settings& settings) noexcept {
  return settings.shows_output ? ifb::log_level::info : ifb::log_level::debug;
}

std::unique_ptr<worker_process> start_process(ifb::host host, const worker_settings& settings) {
  const ifb::log_level level = level_of_output(settings);
  worker_command command{settings.command, settings.environment,
                         [host, level](std::string_view line) {
                           if (host.listens(level)) host.log(level, "worker: " + std::string(line));
                         }};
  try {
    return std::make_unique<worker_process>(std::move(command));
  } catch (const ifb::failure& e) {
    if (e.code() != IFB_E_CONFIG) throw;
    throw ifb::failure{IFB_E_CONFIG,
                       e.message() + "; --python names the Python in which the engine is installed",
                       "python"};
  }
}

}  // namespace

worker_link::worker_link(ifb::host host, const worker_settings& settings, connection::hooks what)
    : host_(host),
      settings_(settings),
      process_(start_process(host, settings)),
      connection_(process_->take_socket(), std::move(what)) {}

worker_link::~worker_link() { stop(); }

void worker_link::enter_traffic() noexcept {
  phase before = phase::idle;
  phase_.compare_exchange_strong(before, phase::traffic);
}

worker_facts worker_link::facts() const {
  return {settings_.command.front(), at(), process_->last_lines(shown_lines),
          process_->last_exception()};
}

void worker_link::require_alive() const {
  if (dead_) throw ifb::failure{*dead_};
}

void worker_link::fail(const ifb::failure& why) {
  dead_ = why;
  {
    const std::lock_guard lock(ending_);
    process_->kill();
  }
  throw ifb::failure{why};
}

void worker_link::fail_lost() {
  dead_ = end_reason();
  throw ifb::failure{*dead_};
}

std::optional<int> worker_link::wait(nanoseconds limit) const noexcept {
  const std::lock_guard lock(ending_);
  return process_->wait_until(steady::now() + std::chrono::duration_cast<steady::duration>(limit));
}

ifb::failure worker_link::end_reason() const {
  using fault_cause = connection::reading_fault::cause;
  const std::optional<connection::reading_fault> fault = connection_.fault();
  const bool cut = fault && fault->from == fault_cause::cut_frame;
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
  return fault->why.code() == IFB_E_PROTOCOL ? about_violation(fault->why, known) : fault->why;
}

/// The first fatal error frame in the queue; during traffic nobody else takes frames from it.
std::optional<error_message> worker_link::error_of_traffic() const {
  if (phase_ != phase::traffic) return std::nullopt;
  while (const std::optional<frame> in = connection_.next(steady::now())) {
    if (in->kind != frame_kind::error) continue;
    if (error_message error = read_error(*in); error.fatal) return error;
  }
  return std::nullopt;
}

void worker_link::log_trace(const error_message& error) const {
  const ifb::log_level level = level_of_output(settings_);
  if (!host_.listens(level)) return;
  for (std::string_view rest = error.trace; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    host_.log(level, "worker: " + clean_line(line, 4096));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
  }
}

void worker_link::fail_by(const frame& in, bool may_go_on) {
  error_message error;
  try {
    error = read_error(in);
  } catch (const ifb::failure& e) {
    fail(about_violation(e, facts()));
  }
  log_trace(error);
  if (!error.fatal && may_go_on) {
    phase_ = phase::idle;
    throw about_error(error, facts());
  }
  // The worker ends by itself; its last lines come until then.
  wait(end_patience);
  fail(about_error(error, facts()));
}

void worker_link::stop() noexcept {
  try {
    if (!dead_ && !connection_.has_ended()) {
      phase_ = phase::stopping;
      // A worker in the middle of a batch that nobody waits for is killed.
      const auto sent = connection_.send(simple_frame(frame_kind::bye), [] { return true; });
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
  connection_.close();
}

}  // namespace python_engine
