// What a run is going to do, checked and immutable: the output of config and the
// input of everything else. Every flag of `serve` and every key of a TOML file is
// a view on one member here (config/keys.hpp holds the table).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "options/plugin_choice.hpp"
#include "schedule/pattern.hpp"

namespace inferbench::config {

using fields = std::vector<std::pair<std::string, std::string>>;

struct plan {
  std::uint64_t seed = 0;
  std::optional<std::string> label;
  fields metadata;
  std::optional<std::string> journal;  // path; without one: beside a saved result
  std::string result_dir;              // empty: the working directory
  bool save_result = false;            // --save-result or --append-result
  bool progress = true;                // not --disable-tqdm
  std::int64_t num_warmups = 0;
  std::uint64_t ready_check_timeout_ns = 0;
  bool profile = false;

  struct {
    // "http://127.0.0.1:8000", as given, without the endpoint; several take turns.
    std::vector<std::string> base_urls;
    fields headers;       // --header, in order
    std::string api_key;  // $OPENAI_API_KEY, or empty; never printed
    std::uint64_t connect_timeout_ns = 0;
    std::uint64_t first_byte_timeout_ns = 0;  // these: 0: none
    std::uint64_t idle_timeout_ns = 0;
    std::uint64_t request_timeout_ns = 0;  // whole request
    std::uint64_t stall_warning_ns = 0;
    std::uint64_t max_message = 0;  // bytes
    std::uint64_t max_answer = 0;
    std::string ca_cert;  // paths; empty: none given
    std::string client_cert;
    std::string client_key;
    bool insecure = false;
    // What --proxy and the environment say; the rule is transport/proxy.hpp's.
    std::string http_proxy;  // URL; empty: none
    std::string https_proxy;
    std::string no_proxy;  // comma-separated hosts
  } server;

  options::plugin_choice backend;
  // --lora-modules: each request names one of them instead of the model.
  std::vector<std::string> lora_modules;
  bool lora_round_robin = false;  // else at random, from the seed
  std::string model;              // --model as given, or empty: ask the server
  std::string served_model;       // payload name, or empty: model

  std::optional<options::plugin_choice> tokenizer;  // none: --skip-tokenizer-init
  // Taken in this order where the one before finds no files: --tokenizer-mode auto.
  std::vector<options::plugin_choice> tokenizers_after;
  std::string tokenizer_id;  // --tokenizer, or empty: the model; for results

  options::plugin_choice dataset;
  std::string dataset_name;  // as given
  std::int64_t num_prompts = 1000;
  bool oversample = true;
  bool shuffle = true;
  std::string request_id_prefix;
  std::string salt;           // what each prompt begins with; empty: as the dataset made it
  bool align_prompts = true;  // to the server's tokenizer, where they were made to a length

  struct {
    schedule::pattern traffic;  // --request-rate, --ramp-up-*, --traffic
    double burstiness = 1;
    std::optional<std::int64_t> max_concurrency;
    std::optional<std::size_t> max_active_conversations;
    std::optional<bool> self_timed;  // --(no-)self-timed; none: where the dataset has times
    double probe_rate = 0;           // probes per second; 0: none
  } load;

  struct {
    std::vector<std::string> selected;                    // --percentile-metrics, defaulted by task
    std::vector<double> percentiles;                      // 0..100, in the order given
    std::vector<std::pair<std::string, double>> goodput;  // metric, ms
    bool bounded = false;                                 // --summary bounded
    bool cached_tokens = false;                           // --report-cached-tokens
    bool strict_answers = false;                          // answers that end early have failed
    struct {
      bool wanted = true;                          // not --no-steady-state
      double threshold = 0.95;                     // of max_concurrency
      std::optional<std::uint64_t> min_window_ns;  // none: max(10 s, a tenth of the run)
    } steady_state;
  } metrics;

  std::int64_t num_runs = 1;  // the whole benchmark so often, one result each

  int workers = 1;                                      // client threads
  std::optional<std::uint64_t> connections_ahead;       // none: as many as there may be in flight
  base::stamping stamping = base::stamping::automatic;  // --timestamps
  bool require_valid = false;
  bool calibrate = false;

  std::vector<options::plugin_choice> reporters;

  std::string toml;  // what --print-config prints: reads back as the same plan
  std::string json;  // the same as one JSON object, secrets cut: config_json
  fields flags;      // what was decided, by flag: JSON, secrets cut (flag_settings.hpp)
};

}  // namespace inferbench::config
