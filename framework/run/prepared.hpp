// What the runs of one benchmark share: plugins, the server's model, samples, schedule,
// and a server that is up and warm. Made once, by main, which owns it.
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
#include "run/interrupt.hpp"
#include "run/rehearsal.hpp"
#include "run/resolved.hpp"
#include "run/sources.hpp"
#include "schedule/pacer.hpp"
#include "services/lender.hpp"

namespace inferbench::run {

/// The choices of the plan once the run knows the model, and which tokenizer finds its files.
struct settled {
  options::plugin_choice backend;
  std::optional<options::plugin_choice> tokenizer;
  std::string model;  // as requests name it
};

class prepared {
 public:
  /// Creates the plugins, asks the server for its model where the plan names none, loads
  /// the dataset and makes the schedule; sends no request of the benchmark. Throws
  /// base::error. References outlive it.
  prepared(config::plan plan, const base::clock& clock, base::log& log, base::output& out);
  prepared(const prepared&) = delete;
  prepared& operator=(const prepared&) = delete;
  ~prepared();

  /// Ready check, alignment and salt of prompts, warm-up. Throws base::error when the server does
  /// not become ready, or the user stops it.
  void rehearse(interrupt& signals);

  /// The jobs of one run; the feed has been started.
  [[nodiscard]] std::unique_ptr<run_source> jobs();

  /// How many requests leave together at the start: due at once and with a permit, as many as are
  /// worth their memory while they wait serialised. 0: none.
  [[nodiscard]] std::size_t burst() const noexcept;
  /// How long these take to be serialised, at most and as a rule less, ns.
  [[nodiscard]] std::uint64_t burst_preparation_ns() const noexcept;
  /// How many samples the feed is to have ready.
  [[nodiscard]] std::size_t samples_ahead() const noexcept;

  const config::plan plan;
  const base::clock& clock;
  base::log& log;
  services::lender host;
  settled chosen;
  ifb::run_description about;  // of all runs: without their number
  std::unique_ptr<plugin::instance> backend;
  std::unique_ptr<plugin::instance> data;
  client::backend protocol;
  std::optional<dataset::feed> samples;
  std::vector<std::uint64_t> due;  // offsets, one for each request; empty: samples have their own
  std::vector<schedule::rate_change> rate_changes;  // of a ramp
  std::optional<prompts::lora_modules> adapters;
  std::optional<observe::cache_watch> caches;  // from rehearse() on

 private:
  void settle();
  void make_protocol();
  void make_schedule();
  void try_first_sample() const;
  void tell_of_templates() const;
  void tell_of_threads() const;

  std::optional<prompts::alignment> align_;  // prompts are too long by the server's count
};

}  // namespace inferbench::run
