// The plugin llama-cpp: llama.cpp in the process of the client, through a libllama that is loaded
// while the program runs (library.hpp).
//
// It offers two interfaces. inferbench.batch-engine is for benchmarks without a server: one call
// has all samples. inferbench.engine/1 is for traffic that follows a schedule. `inferbench serve`
// calls load of the first interface before the first request; without this call the first request
// loads the model.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/engine.hpp>

#include "batch_run.hpp"
#include "decode_loop.hpp"
#include "model.hpp"
#include "options.hpp"
#include "single_requests.hpp"

namespace llama_cpp {

class llama_plugin {
 public:
  static constexpr const char* id = "llama-cpp";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary =
      "Runs GGUF models with llama.cpp's library in this process, with continuous batching.";
  static constexpr const char* license = "Apache-2.0";
  using options = engine_options;

  /// A batch is always queued as a whole before its first step, and every sample is a request of
  /// its own: the flags ASYNC and PREQUEUE need nothing more.
  static constexpr std::uint32_t abilities =
      IFB_BATCH_ENGINE_CHAT | IFB_BATCH_ENGINE_ASYNC | IFB_BATCH_ENGINE_PREQUEUE;

  /// One request of inferbench.engine/1.
  class call {
   public:
    call(single_requests& all, generation wanted, ifb::engine_output out)
        : all_(all), wanted_(std::move(wanted)), out_(out), number_(all.reserve()) {}
    // After submit() the request may end at any time, and the call with it.
    void run() { all_.submit(number_, std::move(wanted_), out_); }
    void cancel() noexcept { all_.cancel(number_); }

   private:
    single_requests& all_;
    generation wanted_;
    ifb::engine_output out_;
    std::uint64_t number_;
  };

  /// Takes the options; loads nothing.
  llama_plugin(ifb::host host, const options& given) : host_(host), options_(given) {}

  // inferbench.batch-engine. All of these throw failure.
  void configure(const ifb_engine_setup& setup);
  [[nodiscard]] ifb_loaded_engine load();
  [[nodiscard]] ifb_batch_report run(const ifb_batch& batch, ifb::arena memory);
  void cancel() noexcept;

  // inferbench.engine/1
  [[nodiscard]] call open(const ifb_sample& sample, ifb::arena memory,
                          ifb::engine_output out) const;

 private:
  /// Loads the model if this has not been done. A failure is final.
  model& loaded_model() const;
  single_requests& requests() const;
  [[nodiscard]] std::uint64_t run_seed() const;

  ifb::host host_;
  engine_options options_;
  // open() is const, and several threads call it at the same time.
  mutable std::mutex loading_;
  mutable std::optional<ifb::failure> refused_;
  mutable std::uint64_t requests_opened_ = 0;
  mutable std::unique_ptr<model> model_;
  mutable std::unique_ptr<single_requests> requests_;
  std::unique_ptr<decode_loop> loop_;  // of batches
  std::unique_ptr<batch_run> batch_;   // borrowed by the host
};

}  // namespace llama_cpp
