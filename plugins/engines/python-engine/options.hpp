// The options of the plugin python-engine.
#pragma once

#include <chrono>
#include <string>
#include <tuple>
#include <vector>

#include <inferbench/options.hpp>

namespace python_engine {

struct engine_options {
  std::string python;
  std::string adapter;
  std::string model;
  ifb::json_text engine;
  std::vector<std::string> environment;
  bool ignore_eos = false;
  bool show_output = false;
  std::chrono::nanoseconds start_timeout{};
  std::chrono::nanoseconds load_timeout{};
  std::chrono::nanoseconds silence_timeout{};
  std::chrono::nanoseconds cancel_timeout{};
  std::chrono::nanoseconds stop_timeout{};

  static constexpr auto schema() {
    using self = engine_options;
    constexpr double least = 1e6;
    constexpr double most = 7 * 86400e9;
    return std::tuple{
        ifb::option{"python", &self::python,
                    "Python in which the engine is installed: a path, or a name in PATH.",
                    "\"python3\""}
            .flag("python")
            .value_name("PATH"),
        ifb::option{"adapter", &self::adapter,
                    "File of the adapter, or the name of an installed one (vllm, vllm_chat, "
                    "vllm_async, hf, sglang).",
                    "\"vllm\""}
            .flag("engine-adapter")
            .value_name("FILE"),
        ifb::option{"model", &self::model, "Name of the model, or its folder."}.general(),
        ifb::option{"engine", &self::engine,
                    "Options of the engine, passed to the adapter: --engine.max-model-len 4096."}
            .flag("engine"),
        ifb::option{"environment", &self::environment,
                    "Variables for the worker's environment, as NAME=value.", nullptr,
                    IFB_OPT_ADVANCED},
        ifb::option{"ignore-eos", &self::ignore_eos,
                    "Generates the wanted number of tokens, also beyond the end of sequence.",
                    "false"}
            .general(),
        ifb::option{"show-output", &self::show_output,
                    "Shows the lines that the worker writes to its standard output and error.",
                    "false"},
        ifb::option{"start-timeout", &self::start_timeout,
                    "Limit for the start of the worker and the import of its packages.", "\"120s\"",
                    IFB_OPT_ADVANCED}
            .range(least, most),
        ifb::option{"load-timeout", &self::load_timeout, "Limit for loading the engine.",
                    "\"3600s\"", IFB_OPT_ADVANCED}
            .range(least, most),
        ifb::option{"silence-timeout", &self::silence_timeout,
                    "Longest time without a frame of the worker while a batch runs.", "\"3600s\"",
                    IFB_OPT_ADVANCED}
            .range(least, most),
        ifb::option{"cancel-timeout", &self::cancel_timeout,
                    "Limit for the end of a batch that was cancelled.", "\"5s\"", IFB_OPT_ADVANCED}
            .range(least, most),
        ifb::option{"stop-timeout", &self::stop_timeout,
                    "Limit for the end of the worker; after it the worker is killed.", "\"10s\"",
                    IFB_OPT_ADVANCED}
            .range(least, most)};
  }
};

}  // namespace python_engine
