// The state that all runs of one benchmark share: plugins, the name of the server's model, samples
// and schedule. It also gets the server ready and warmed up. The main thread creates it once and
// owns it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "client/backend.hpp"
#include "config/plan.hpp"
#include "dataset/feed.hpp"
#include "observe/cache_watch.hpp"
#include "plugin/instance.hpp"
#include "prompts/alignment.hpp"
#include "prompts/lora.hpp"
#include "prompts/unsent_media.hpp"
#include "run/conversation_clients.hpp"
#include "run/interrupt.hpp"
#include "run/rehearsal.hpp"
#include "run/resolved.hpp"
#include "run/sources.hpp"
#include "schedule/pacer.hpp"
#include "schedule/timetable.hpp"
#include "services/lender.hpp"

namespace inferbench::run {

/// The plugin choices of the plan after the model is known. `tokenizer`: the first tokenizer of the
/// plan that found its files.
struct final_choices {
  options::plugin_choice backend;
  std::optional<options::plugin_choice> tokenizer;
  std::string model;  // the model name in requests
};

class prepared {
 public:
  /// Creates the plugins, queries the server's model if the plan does not name a model, loads the
  /// dataset and makes the schedule. Does not send requests of the benchmark. Everything that is
  /// passed by reference must outlive this object. Throws base::error if a step fails.
  prepared(config::plan plan, const base::clock& clock, base::log& log, base::output& out);
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;
  ~prepared();

  /// Loads the engine if its plugin has a call for this, performs the ready check, prepares
  /// alignment and salt of prompts, and warms up. Throws base::error if the engine cannot be
  /// loaded, the server does not become ready or the user stops the program.
  void rehearse(interrupt& signals);

  /// Sets the changes of samples between dataset and request: salt and alignment.
  /// rehearse() calls this; a dry run, which sends nothing, calls it without rehearse().
  void change_samples();

  /// The jobs of one run. The feed must have been started.
  [[nodiscard]] std::unique_ptr<run_source> jobs();

  /// Memory of the requests that are serialised before they are sent, with their samples: usually,
  /// and before the start for a burst. Bytes.
  static constexpr std::size_t bytes_ahead = std::size_t{64} << 20U;
  static constexpr std::size_t burst_bytes = std::size_t{256} << 20U;

  /// The largest number of requests with `bytes_each` bytes of sample and body that burst_bytes
  /// allows.
  [[nodiscard]] static std::size_t most_in_burst(std::size_t bytes_each) noexcept;
  /// Upper estimate of the time to serialise `requests` requests with `bytes` bytes of prompts and
  /// media in sum, ns.
  [[nodiscard]] static std::uint64_t preparation_ns(std::size_t requests,
                                                    std::uint64_t bytes) noexcept;

  /// The number of requests that are sent together at the start: they are due at the start and have
  /// a permit. They are serialised before the start, so `burst_bytes` also limits their number.
  /// 0: there is no burst.
  [[nodiscard]] std::size_t burst() const noexcept;
  /// Upper estimate of the time to serialise the requests of the burst, ns.
  [[nodiscard]] std::uint64_t burst_preparation_ns() const noexcept;
  /// The number of requests in one run, at most. If their number has no end, twice the number that
  /// the schedule has on average until the run ends; feed::no_end if that is not known either.
  [[nodiscard]] std::uint64_t most_requests() const noexcept;
  /// The number of samples that the feed should prefetch, and their memory.
  [[nodiscard]] std::size_t samples_ahead() const noexcept;
  [[nodiscard]] dataset::waiting_bytes sample_bytes_ahead() const noexcept;

  const config::plan plan;
  const base::clock& clock;
  base::log& log;
  services::lender host;
  final_choices chosen;
  ifb::run_description about;  // common to all runs; the number of the run is not set
  std::unique_ptr<plugin::instance> backend;
  std::unique_ptr<plugin::instance> data;
  std::unique_ptr<plugin::instance> scorer;  // nullptr: answers are not scored
  client::backend protocol;
  std::optional<dataset::feed> samples;
  schedule::timetable due;                          // empty: self-timed
  std::vector<schedule::rate_change> rate_changes;  // empty unless the traffic is a ramp
  std::optional<prompts::lora_modules> adapters;
  std::optional<observe::cache_watch> caches;  // set by rehearse()

 private:
  void settle();
  void make_protocol();
  void make_schedule();
  void refuse_empty_time(std::uint64_t first_ns) const;
  void try_first_sample() const;
  void tell_of_templates() const;
  void tell_of_threads() const;

  std::optional<prompts::alignment> align_;  // set if server and client count tokens differently
  std::optional<prompts::unsent_media> unsent_;  // set if the backend sends text only
  first_answers first_answers_;                  // of --conversation-warm-up
};

}  // namespace inferbench::run
