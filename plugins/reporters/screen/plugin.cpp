// The reporter `screen` shows a run that is in progress on the whole terminal: progress, rates,
// running percentiles, the client's health, the server's series, errors and the log. It is also an
// example of a reporter with IFB_REPORTER_LIVE: it uses only what every plugin gets.
#include <cstdint>
#include <optional>

#include <inferbench/plugin.hpp>

#include "layout.hpp"
#include "live_model.hpp"
#include "terminal.hpp"

namespace {

class screen {
 public:
  static constexpr const char* id = "screen";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Shows progress, rates, running percentiles, errors and series on the terminal.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags =
      std::uint32_t{IFB_REPORTER_LIVE} | IFB_REPORTER_STAMPS_IF_DETAILED;

  explicit screen(ifb::host host) : host_(host) {}

  void begin(const ifb_run& run) {
    if ((run.flags & IFB_RUN_REPLAYED) != 0) return;  // nothing happens that could be watched
    if (!reporters::terminal::exists()) {
      host_.log(ifb::log_level::warn,
                "reporter screen shows nothing: standard error is not a terminal");
      return;
    }
    model_.emplace(run);
  }

  // The terminal is opened here and not in begin(), because other reporters and the host still
  // print lines after begin().
  void snapshot(const ifb_snapshot& live) {
    if (!model_) return;
    try {
      terminal_.open();
      const reporters::screen_size size = terminal_.size();
      terminal_.draw(reporters::lay_out(model_->update(live), size), size);
    } catch (...) {
      // The host calls a reporter that failed no more.
      terminal_.close();
      throw;
    }
  }

  void end(const ifb_summary&) { terminal_.close(); }

 private:
  ifb::host host_;
  std::optional<reporters::live_model> model_;
  reporters::terminal terminal_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<screen>);
