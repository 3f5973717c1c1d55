// What reporters are lent if there is no traffic: the log, a clock, standard output, and requests
// to other servers through the proxies of the environment.
#pragma once

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "config/plan.hpp"
#include "plugin/host.hpp"
#include "services/console.hpp"
#include "services/http_service.hpp"
#include "services/target.hpp"

namespace inferbench::run {

/// Owned by main; must outlive the reporters. `log` and `printed` must outlive it.
class report_services {
 public:
  report_services(const config::server& server, base::log& log, base::output& printed)
      : console_(printed), servers_(server, clock_, &log) {
    lent_.log = &log;
    lent_.clock = &clock_;
    lent_.console = &services::console::service();
    lent_.console_state = &console_;
    lent_.http = &services::http_service();
    lent_.http_state = &servers_;
  }
  report_services(const report_services&) = delete;
  report_services& operator=(const report_services&) = delete;

  [[nodiscard]] const plugin::services& lent() const noexcept { return lent_; }
  [[nodiscard]] services::console& console() noexcept { return console_; }

 private:
  base::monotonic_clock clock_;
  services::console console_;
  services::target servers_;
  plugin::services lent_;
};

}  // namespace inferbench::run
