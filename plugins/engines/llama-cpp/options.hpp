// The options of the plugin llama-cpp.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/options.hpp>

namespace llama_cpp {

enum class flash_choice : std::uint8_t { automatic, on, off };
enum class cache_choice : std::uint8_t { f16, bf16, f32, q8_0, q4_0 };

struct engine_options {
  ifb::path library;
  std::string model;
  std::int64_t n_ctx = 0;
  std::int64_t n_seq_max = 0;
  std::int64_t n_batch = 0;
  std::int64_t n_ubatch = 0;
  std::int64_t n_threads = 0;
  std::int64_t n_threads_batch = 0;
  std::int64_t n_gpu_layers = 0;
  flash_choice flash_attention{};
  cache_choice cache_type{};
  std::int64_t seed = -1;
  double temperature = 1;
  double top_p = 1;
  bool ignore_eos = false;
  bool warm_up = true;

  static constexpr const char* flash_choices[] = {"auto", "on", "off"};
  static constexpr const char* cache_choices[] = {"f16", "bf16", "f32", "q8_0", "q4_0"};

  static constexpr auto schema() {
    using self = engine_options;
    constexpr double most = 2147483647;
    return std::tuple{
        ifb::option{"library", &self::library,
                    "File of libllama; default is the system's library of the right SONAME."},
        ifb::option{"model", &self::model, "File of the model, in the format GGUF."}.general(),
        ifb::option{"n-ctx", &self::n_ctx,
                    "Largest number of tokens of prompt and output together, for each sequence; 0 "
                    "is the length with which the model was trained.",
                    "4096"}
            .range(0, most),
        ifb::option{"n-seq-max", &self::n_seq_max,
                    "Number of sequences that are decoded at the same time.", "8"}
            .range(1, 1024),
        ifb::option{"n-batch", &self::n_batch,
                    "Largest number of tokens in a call of llama_decode, at least n-seq-max.",
                    "2048"}
            .range(1, most),
        ifb::option{"n-ubatch", &self::n_ubatch,
                    "Largest number of tokens that are computed at once.", "512"}
            .range(1, most),
        ifb::option{"n-threads", &self::n_threads,
                    "Threads for steps of one token a sequence; 0 is one for each core.", "0"}
            .range(0, 512),
        ifb::option{"n-threads-batch", &self::n_threads_batch,
                    "Threads for steps with prompts; 0 is as many as n-threads.", "0"}
            .range(0, 512),
        ifb::option{"n-gpu-layers", &self::n_gpu_layers,
                    "Layers of the model on the accelerator; -1 is all.", "-1"}
            .range(-1, 100000),
        ifb::option{"flash-attention", &self::flash_attention,
                    "Flash attention; auto leaves the choice to libllama.", "\"auto\""}
            .choices(flash_choices),
        ifb::option{"cache-type", &self::cache_type, "Type of the numbers in the KV cache.",
                    "\"f16\""}
            .choices(cache_choices),
        ifb::option{"seed", &self::seed, "Seed of the sampling; -1 is the seed of the run.", "-1"}
            .range(-1, 4294967295.0),
        ifb::option{"temperature", &self::temperature,
                    "Temperature of single requests; 0 is greedy.", "1.0"}
            .range(0, 100),
        ifb::option{"top-p", &self::top_p, "Nucleus of the sampling of single requests.", "1.0"}
            .range(0, 1),
        ifb::option{"ignore-eos", &self::ignore_eos,
                    "Generates the wanted number of tokens, also beyond the end of sequence.",
                    "false"}
            .general(),
        ifb::option{"warm-up", &self::warm_up,
                    "Decodes a token while the model is loaded, so that the first request does not "
                    "pay for it.",
                    "true"}};
  }
};

/// Lays the members of a JSON object over the options: names of the options, with '_' or '-', and
/// upstream's names for the same things (max_model_len, max_num_seqs, max_num_batched_tokens).
/// Members that have no meaning here, but ask for nothing else than the engine does, are accepted
/// (tokenizer, tokenizer_mode, trust_remote_code, dtype "auto", enable_prefix_caching false).
/// Throws failure with IFB_E_CONFIG and the name for every other member, and for a wrong type or
/// range.
void lay_over(engine_options& options, std::string_view json);

}  // namespace llama_cpp
