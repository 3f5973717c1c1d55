// The plugin python-engine: an inference engine in a worker process of the user's own Python,
// spoken to in the frames of docs/engine-protocol.md.
//
// It offers two interfaces. inferbench.batch-engine (draft/batch_engine.h gives the reasons for a
// second interface) is for benchmarks without a server: one call has all samples, and the timed
// section lies inside the worker. inferbench.engine/1 is for traffic that follows a schedule; it
// needs an adapter with the capability "submit". `inferbench serve` calls load of the first
// interface before the first request. Without this call the first request starts the worker and
// loads the engine.
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/engine.hpp>

#include "options.hpp"
#include "single_requests.hpp"
#include "worker.hpp"

namespace python_engine {

class python_plugin {
 public:
  static constexpr const char* id = "python-engine";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "Runs an inference engine of your own Python: vLLM, Hugging Face, SGLang, or any adapter.";
  static constexpr const char* license = "Apache-2.0";
  using options = engine_options;

  /// The abilities of all adapters together, because the host reads them before an adapter is
  /// known. run() refuses what the chosen adapter lacks.
  static constexpr std::uint32_t abilities = IFB_BATCH_ENGINE_CHAT | IFB_BATCH_ENGINE_BEAM_SEARCH |
                                             IFB_BATCH_ENGINE_ASYNC | IFB_BATCH_ENGINE_PREQUEUE |
                                             IFB_BATCH_ENGINE_ADAPTERS;

  /// One request of inferbench.engine/1.
  class call {
   public:
    call(const python_plugin& owner, const ifb_sample& sample, ifb::arena memory,
         ifb::engine_output out)
        : owner_(owner),
          sample_(sample),
          memory_(memory),
          out_(out),
          request_(owner.requests_.reserve()) {}
    void run() { owner_.submit(request_, sample_, memory_, out_); }
    void cancel() noexcept { owner_.abort(request_); }

   private:
    const python_plugin& owner_;
    const ifb_sample& sample_;
    ifb::arena memory_;
    ifb::engine_output out_;
    std::uint64_t request_;
  };

  /// Checks the options; starts nothing.
  python_plugin(ifb::host host, const options& given, const ifb_config& config);

  // inferbench.batch-engine. All of these throw failure.
  void configure(const ifb_engine_setup& setup);
  [[nodiscard]] ifb_loaded_engine load();
  [[nodiscard]] ifb_batch_report run(const ifb_batch& batch, ifb::arena memory);
  void cancel() noexcept;

  // inferbench.engine/1
  [[nodiscard]] call open(const ifb_sample& sample, ifb::arena memory,
                          ifb::engine_output out) const;

 private:
  /// Starts the worker and loads the engine if this has not been done. A failure is final.
  worker& loaded_worker() const;
  void submit(std::uint64_t request, const ifb_sample& sample, ifb::arena memory,
              const ifb::engine_output& out) const;
  void abort(std::uint64_t request) const noexcept;
  void send_abort(std::uint64_t request) const noexcept;
  void require_abilities(const ifb_batch& batch, const ready_message& engine) const;
  [[nodiscard]] std::string description() const;

  ifb::host host_;
  worker_settings settings_;
  std::string adapter_;
  ifb_sampling sampling_{};  // of single requests
  // open() is const, and several threads call it at the same time.
  mutable single_requests requests_;
  mutable std::mutex starting_;
  mutable std::optional<ifb::failure> refused_;
  mutable std::unique_ptr<worker> worker_;
  std::vector<ifb_measure> start_measures_;
  std::string description_;
  std::unique_ptr<batch_answer> answer_;  // borrowed by the host
};

}  // namespace python_engine
