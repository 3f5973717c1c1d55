// The engine of an offline benchmark between its load and its report.
#pragma once

#include <string>

#include "batch/batch_executor.hpp"
#include "batch/http_executor.hpp"
#include "cli/commands.hpp"
#include "options/plugin_choice.hpp"
#include "run/cancel_on_signal.hpp"

namespace inferbench::cli {

/// An engine that is loaded, and what reports say about it.
struct loaded_engine {
  batch::batch_executor& engine;
  run::cancel_on_signal watched;  // begins before the engine is loaded
  batch::engine_facts facts;
  const options::plugin_choice& plugin;
  std::string model;
};

/// The exit status of a benchmark whose result is printed. `delivered`: no reporter failed.
inline int status_of(bool delivered) { return delivered ? done : incomplete; }

/// The tokenizer of the warm-up's prompts: that of the other prompts.
inline std::string tokenizer_of(const std::string& given, const batch::http_executor& server) {
  if (!given.empty()) return given;
  return server.about().tokenizer_id.value_or(server.about().model_id);
}

}  // namespace inferbench::cli
