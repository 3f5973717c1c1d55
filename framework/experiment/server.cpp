#include "experiment/server.hpp"

#include <string_view>

#include "base/error.hpp"
#include "experiment/cache_reset.hpp"
#include "experiment/server_process.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::experiment {

struct server::state {
  explicit state(const server_setup& setup)
      : about(setup),
        process(free_address(about.command, about.with.stop),
                {.words = about.command,
                 .extra_environment = {"VLLM_SERVER_DEV_MODE=1"},
                 .on_text =
                     [this](supervise::stream from, std::string_view text) {
                       if (from == supervise::stream::error || about.with.show_stdout)
                         about.with.console.pass_on(from, text);
                     }},
                about.with.stop) {
    process.await_health({.limit_s = about.ready_timeout_s,
                          .setting = "--server-ready-timeout (in TOML: ready-timeout)",
                          .when = " before it was ready",
                          .poll_interval = about.poll_interval,
                          .meanwhile = about.with.meanwhile});
  }

  server_setup about;
  server_process process;  // last: its thread uses `about`
};

server::server(const server_setup& setup) : state_(std::make_unique<state>(setup)) {}

server::~server() = default;

std::string server::address() const { return state_->process.address(); }

void server::require_alive(std::chrono::milliseconds grace) {
  if (state_->process.has_ended(grace)) throw base::error(state_->process.end_text());
}

void server::reset_caches() {
  experiment::reset_caches(state_->about.command, state_->process.where(), state_->about.with);
}

}  // namespace inferbench::experiment
