// The plugin reference-engine: an engine without a model, whose times are computed from its
// options. The same command gives the same figures on every machine, so it serves tests, and
// authors of engines and reporters who want to know a figure beforehand. batch_schedule.hpp has the
// model.
//
// THE CLOCK. All times that the engine reports are computed, and are those of a clock of its own,
// which runs ahead of the host's clock. A batch begins at the host's time, or at the end of the
// batch before it if that is later, and takes its computed time, also if run() returns after a
// millisecond; so sections never overlap, and times ascend. The clock is not tied to the host's,
// and clock_bound_ns says so: 366 days, beyond which run() refuses to go. The other ways are worse:
// a section that ends with the call of run() begins before the program has started; a measured
// section is not deterministic. With the option real-time the engine sleeps until its computed
// times have come. Then the two clocks are the same, the bound is 0, and each section lies in the
// call of run(); its length is the computed one all the same.
//
// Single requests (inferbench.engine/1) follow the schedule of the host and are always in real
// time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/engine.hpp>

#include "engine_patience.hpp"
#include "engine_profile.hpp"
#include "reference_answer.hpp"
#include "reference_options.hpp"
#include "single_stage.hpp"
#include "word_text.hpp"

namespace reference_engine {

class reference_plugin {
 public:
  static constexpr const char* id = "reference-engine";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "An engine without a model: all times are computed from options, for tests and authors.";
  static constexpr const char* license = "Apache-2.0";
  using options = reference_options;
  static constexpr std::uint32_t abilities = IFB_BATCH_ENGINE_CHAT | IFB_BATCH_ENGINE_BEAM_SEARCH |
                                             IFB_BATCH_ENGINE_ASYNC | IFB_BATCH_ENGINE_PREQUEUE |
                                             IFB_BATCH_ENGINE_ADAPTERS;

  /// One request of inferbench.engine/1.
  class call {
   public:
    call(single_stage& where, single_stage::actor request) : stage_(where), request_(request) {}
    void run() { stage_.enter(request_); }
    void cancel() noexcept { stage_.dismiss(request_); }

   private:
    single_stage& stage_;
    single_stage::actor request_;
  };

  reference_plugin(ifb::host host, const options& given);

  // inferbench.batch-engine. All of these throw failure.
  void configure(const ifb_engine_setup& setup);
  [[nodiscard]] ifb_loaded_engine load();
  [[nodiscard]] ifb_batch_report run(const ifb_batch& batch, ifb::arena memory);
  void cancel() noexcept { patience_.cancel(); }
  void start_profile() { profile_.start(); }
  void stop_profile() { profile_.stop(); }

  // inferbench.engine/1
  [[nodiscard]] call open(const ifb_sample& sample, ifb::arena memory,
                          ifb::engine_output out) const;

 private:
  /// The times from `length_ns` on are computed: the begin of something that lasts so long. Throws
  /// failure if its end is more than longest_time_ns ahead of the host's clock.
  [[nodiscard]] std::uint64_t take_time(std::uint64_t length_ns);
  void add_start_phase(const char* name, std::uint64_t begin_ns, std::uint64_t length_ns);
  [[nodiscard]] std::uint64_t seed() const;
  [[nodiscard]] single_stage& stage() const;

  ifb::host host_;
  options given_;
  bool has_cache_folder_ = false;  // of this start's own
  engine_patience patience_;
  engine_profile profile_;
  std::uint64_t computed_until_ns_ = 0;
  std::vector<ifb_measure> start_phases_;
  std::optional<word_text> text_;
  std::unique_ptr<reference_answer> answer_;  // borrowed by the host
  // open() is const, and several threads call it at the same time.
  mutable std::mutex staging_;
  mutable std::unique_ptr<single_stage> stage_;
};

}  // namespace reference_engine
