// The options of `inferbench latency`, `startup` and `mm-processor`, checked. Errors are those of
// offline_values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "offline/dataset_options.hpp"
#include "offline/engine_options.hpp"
#include "offline/offline_line.hpp"
#include "offline/throughput_options.hpp"

namespace inferbench::offline {

struct latency_options {
  std::string engine, model;
  [[nodiscard]] upstream::engine_family family() const {
    return upstream::engine_family_of(engine);
  }
  std::int64_t input_len = 32, output_len = 128, batch_size = 8;
  std::int64_t n = 1;  // outputs of each prompt, or the width of the beam
  bool beam_search = false;
  std::int64_t warmups = 10, iterations = 30;
  bool profile = false;  // one profiled iteration after the warm-up, and no result
  bool detokenize = true;
  std::optional<std::string> output_json;
  engine_options passed_on;  // prefix caching is off unless it was asked for
};

/// A server whose starts are measured instead of those of an engine.
struct started_server {
  std::string command;                      // one line, in which a shell's quotation marks count
  std::optional<std::string> url{};         // nullopt: the command's
  std::optional<std::string> ready_path{};  // nullopt: the usual paths
  bool first_token = true;                  // ask for a token when the server is ready
  double timeout_s = 1800;                  // for one start
};

struct startup_options {
  std::string engine;  // not used if there is a server
  std::string model;
  std::int64_t cold = 3, warmups = 1, warm = 3;
  std::vector<std::string> cold_environment;  // variables, besides the usual ones
  std::optional<started_server> server;
  std::optional<std::string> output_json;
  engine_options passed_on;
};

struct mm_processor_options {
  std::string engine, model;
  dataset_options data;
  std::vector<double> percentiles;
  bool show_progress = true;
  std::optional<std::string> output_json;
  engine_options passed_on;  // statistics of stages are on unless they were switched off
};

[[nodiscard]] latency_options latency_options_of(const offline_line& line,
                                                 const installed_names& installed = {});
/// Throws options::usage_error also for options of a server without --server-cmd, and for options
/// of an engine, except --model, with it.
[[nodiscard]] startup_options startup_options_of(const offline_line& line,
                                                 const installed_names& installed = {});
[[nodiscard]] mm_processor_options mm_processor_options_of(const offline_line& line,
                                                           const installed_names& installed = {});

/// The numbers of --metric-percentiles: "50,99". Throws base::error for an item that is no number
/// from 0 to 100, like upstream, which reads them after its parser.
[[nodiscard]] std::vector<double> percentiles_in(const std::string& text);

/// Throws base::error unless prompt and output fit into the engine. `max_model_len` < 0: not known.
void require_room(std::int64_t input_len, std::int64_t output_len, std::int64_t max_model_len);

}  // namespace inferbench::offline
