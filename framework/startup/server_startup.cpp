#include "startup/server_startup.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "startup/caches.hpp"

namespace inferbench::startup {

namespace {

offline::startup_times times_of(const std::vector<start_sample>& samples) {
  offline::startup_times out;
  const bool compiled = std::ranges::any_of(
      samples, [](const start_sample& each) { return each.compilation_s.has_value(); });
  for (const start_sample& each : samples) {
    out.startup.push_back(each.startup_s);
    if (compiled) out.compilation.push_back(each.compilation_s.value_or(0));
    out.encoder.push_back(each.encoder_s.value_or(0));
  }
  return out;
}

class startup_flow {
 public:
  startup_flow(const offline::startup_options& options, repeatable_start& what,
               const startup_console& console)
      : options_(options), what_(what), console_(console) {
    out_.variables = cold_variables(options.cold_environment);
  }

  startup_outcome run() {
    say("Measuring cold starts...\n");
    repeat("Cold starts", "cold start", options_.cold, [this] { out_.cold.push_back(cold()); });
    if (out_.used.empty())
      console_.log.warning(fmt::format(
          "the cold starts have written nothing into their cache folders ({}), so they may have "
          "used other caches; name the variables of these caches by --cold-env",
          fmt::join(out_.variables, ", ")));
    if (options_.warmups > 0) say("Filling the caches for warm starts...\n");
    repeat("Warm-up starts", "warm-up start", options_.warmups,
           [this] { static_cast<void>(one({})); });
    say("Measuring warm starts...\n");
    repeat("Warm starts", "warm start", options_.warm, [this] { out_.warm.push_back(one({})); });
    out_.result = {times_of(out_.cold), times_of(out_.warm)};
    return std::move(out_);
  }

 private:
  void say(std::string_view text) {
    console_.out.write(text);
    console_.out.flush();
  }

  template <typename function>
  void repeat(const char* label, const char* noun, std::int64_t count, function&& once) {
    const auto all = static_cast<std::size_t>(std::max<std::int64_t>(count, 0));
    if (all == 0) return;
    console_.progress(label, 0, all);
    for (std::size_t i = 1; i <= all; ++i) {
      console_.end_if_stopped();
      try {
        once();
      } catch (const base::error& e) {
        console_.end_if_stopped();
        throw base::error(std::string(noun) + " " + std::to_string(i) + " of " +
                              std::to_string(all) + ": " + e.message(),
                          e.remedy(), e.where());
      }
      console_.progress(label, i, all);
    }
    console_.end_if_stopped();
  }

  start_sample cold() {
    cold_caches caches(out_.variables);
    start_sample out = one(caches.environment());
    for (std::string& each : caches.used())
      if (std::ranges::find(out_.used, each) == out_.used.end())
        out_.used.push_back(std::move(each));
    if (const std::string why = caches.remove(); !why.empty()) console_.log.warning(why);
    return out;
  }

  start_sample one(const std::vector<std::string>& environment) {
    start_sample out = what_.start(environment);
    for (const std::string& each : out.remarks)
      if (remarks_.insert(each).second) console_.log.warning(each);
    return out;
  }

  const offline::startup_options& options_;
  repeatable_start& what_;
  const startup_console& console_;
  startup_outcome out_;
  std::set<std::string> remarks_;
};

}  // namespace

std::optional<double> whole_time(const start_sample& of) {
  if (of.phases.empty() ||
      std::ranges::any_of(of.phases, [](const start_phase& each) { return each.missing; }))
    return std::nullopt;
  return static_cast<double>(of.phases.back().end_ns - of.phases.front().start_ns) / 1e9;
}

startup_outcome measure_startup(const offline::startup_options& options, repeatable_start& what,
                                const startup_console& console) {
  return startup_flow(options, what, console).run();
}

}  // namespace inferbench::startup
