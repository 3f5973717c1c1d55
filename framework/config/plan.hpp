// The checked plan of a run. Config makes it, and all other code reads it and does not change it. A
// part of a run has a plan of its own, which a function makes from the plan of the whole run:
// run::at_point() for a point of a load sweep, and the functions of calibration/calibration.cpp.
// Every flag of `serve` and every key of a TOML file sets one member here (config/keys.hpp contains
// the table of keys).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/run_description.hpp>

#include "base/clock.hpp"
#include "options/plugin_choice.hpp"
#include "schedule/pattern.hpp"

namespace inferbench::config {

using fields = std::vector<std::pair<std::string, std::string>>;

/// The server, and the connections to it.
struct server {
  // URLs as the user gave them, without the endpoint: "http://127.0.0.1:8000". If there are
  // several, requests use them in turn.
  std::vector<std::string> base_urls;
  fields headers;       // --header, in order
  std::string api_key;  // from server.api-key or $OPENAI_API_KEY; empty: no key; never printed
  std::uint64_t connect_timeout_ns = 0;
  std::uint64_t first_byte_timeout_ns = 0;  // 0: no limit, here and in the next three members
  std::uint64_t idle_timeout_ns = 0;
  std::uint64_t request_timeout_ns = 0;  // limit for the whole request
  std::uint64_t stall_warning_ns = 0;
  std::uint64_t max_message = 0;  // bytes
  std::uint64_t max_answer = 0;
  std::string ca_cert;  // paths of files; empty: not given
  std::string client_cert;
  std::string client_key;
  bool insecure = false;
  // Proxies from --proxy or the environment. transport/proxy.hpp decides which proxy a URL uses.
  std::string http_proxy;  // URL of the proxy; empty: no proxy
  std::string https_proxy;
  std::string no_proxy;  // hosts without a proxy, separated by commas
};

/// The clients with conversations (--conversation-clients).
struct conversation_clients {
  std::optional<std::size_t> number;      // nullopt: the schedule sends the turns
  std::optional<std::uint64_t> requests;  // of a client; nullopt: no limit
  bool random = false;                    // a client continues any of its conversations
  double rate = 0;                        // 1 / mean pause of a client, per second; 0: no pauses
  std::uint64_t retries = 0;
  bool warm_up = false;  // the first turns are sent before the run
  bool early_stop = false;
};

/// The conversations of --multi-turn, which follow vLLM's Rust client.
struct multi_turn_load {
  bool on = false;             // all conversations begin at once
  std::uint64_t delay_ns = 0;  // between an answer and the next turn
};

/// When requests are sent, and how many may be in flight.
struct load {
  schedule::pattern traffic;  // --request-rate, --ramp-up-*, --traffic
  double burstiness = 1;
  std::optional<std::int64_t> max_concurrency;
  std::optional<std::size_t> max_active_conversations;
  conversation_clients clients;
  multi_turn_load multi_turn;
  std::string session_header;      // header with the id of the conversation; empty: none
  std::string turn_body;           // JSON object (run/turn_body.hpp); empty: none
  std::optional<bool> self_timed;  // --self-timed, --no-self-timed; nullopt: self-timed if the
                                   // dataset has times
  double probe_rate = 0;           // probes per second; 0: no probes
  std::uint64_t duration_ns = 0;   // --duration: requests are sent for this time; 0: no limit

  /// Whether the run ends at a time.
  [[nodiscard]] bool ends() const noexcept { return duration_ns != 0; }
};

/// One run of --sweep-max-concurrency or --sweep-request-rate. A member that is nullopt leaves the
/// value of the plan.
struct load_point {
  std::string label;  // "concurrency=8" or "rate=2.5"
  std::optional<std::int64_t> max_concurrency;
  std::optional<double> request_rate;  // requests per second; infinite: all at once
  std::optional<std::int64_t> num_prompts;
};

/// The figures that the user wants, and the rules for counting answers.
struct figures {
  std::vector<std::string> selected;                    // --percentile-metrics; the default depends
                                                        // on the task
  std::vector<double> percentiles;                      // percentiles from 0 to 100, in the order
                                                        // of the user
  std::vector<std::pair<std::string, double>> goodput;  // pairs of a metric and its limit in ms
  bool bounded = false;                                 // --summary bounded
  bool cached_tokens = false;                           // --report-cached-tokens
  bool strict_answers = false;                          // answers that end early count as failed
  ifb::steady_state_rule steady_state;
  std::vector<std::string> thresholds;  // --threshold: goals in their canonical form
  bool thresholds_certain = false;      // --threshold-certain
};

/// The metrics pages that are read during the traffic (--observe).
struct observing {
  bool wanted = false;             // false: no page is read
  std::vector<std::string> urls;   // pages beside those of the base URLs
  std::vector<std::string> names;  // patterns of metrics to keep beside those with ready names
  std::uint64_t interval_ns = 1'000'000'000;
  bool power = false;  // --record-power: measure the energy of the GPUs of this machine
};

/// What standard error shows during a run (--live).
struct live_display {
  enum class view : std::uint8_t {
    none,
    line,   // a progress bar on a terminal
    screen  // a reporter draws a screen; needs a terminal
  };
  view shown = view::line;
  bool asked =
      false;  // the user gave --live; a line is then also written where there is no terminal
};

/// The steps before the traffic: ready check, warm-up, profiler.
struct preparation {
  std::int64_t num_warmups = 0;              // number of warm-up requests
  std::uint64_t ready_check_timeout_ns = 0;  // 0: no ready check
  bool profile = false;
  // --profile-batch-threshold: the profiler starts when a server runs this many requests; nullopt:
  // it starts before the traffic.
  std::optional<std::int64_t> profile_batch_threshold{};
  std::uint64_t profile_duration_ns = 5'000'000'000;  // after a start by the threshold
  bool reset_prefix_cache = false;                    // before each run
};

/// The files of a result, except for files that options of reporters name.
struct result_files {
  std::optional<std::string> journal;  // path; nullopt: the journal is next to a saved result
  std::string folder;                  // empty: the working directory
  bool saved = false;                  // --save-result or --append-result
};

struct plan {
  std::uint64_t seed = 0;
  std::optional<std::string> label;
  fields metadata;
  result_files files;
  config::preparation preparation;
  live_display live;

  config::server server;

  options::plugin_choice backend;
  // --lora-modules: each request names one of these modules instead of the model.
  std::vector<std::string> lora_modules;
  bool lora_round_robin = false;  // false: modules are chosen at random, from the seed
  std::string model;              // --model as the user gave it; empty: the program asks the server
  std::string served_model;       // the model name in requests; empty: `model` is used

  std::optional<options::plugin_choice> tokenizer;  // nullopt: --skip-tokenizer-init
  // --tokenizer-mode auto: the tokenizers that are tried in this order if `tokenizer` finds no
  // files.
  std::vector<options::plugin_choice> tokenizers_after;
  std::string tokenizer_id;  // --tokenizer, for results; empty: the model's name is used

  options::plugin_choice dataset;
  std::string dataset_name;  // the name of the dataset as the user gave it
  // <= 0: the whole data set, once. nullopt: --duration is given and --num-prompts is not.
  std::optional<std::int64_t> num_prompts = 1000;
  bool oversample = true;
  bool shuffle = true;
  std::string request_id_prefix;
  std::string salt;           // a text that is put before each prompt; empty: no text
  bool align_prompts = true;  // fit prompts of a fixed length to the server's tokenizer
  std::optional<std::int64_t> max_model_len;  // longer requests are left out; nullopt: no limit
  bool media_left_out = false;                // the backend does not send images, videos and sound

  config::load load;

  config::figures figures;

  std::optional<options::plugin_choice> scorer;  // nullopt: answers are not scored

  config::observing observe;

  bool dry_run = false;  // prepare and print the first request, but send no request

  // --sweep-*: one run for each point, in this order; empty: no sweep.
  std::vector<load_point> points;
  std::vector<double> summary_percentiles;  // percentiles of the summary of a sweep, 0 to 100

  std::int64_t num_runs = 1;  // number of runs of the whole benchmark; each run has its own result

  int workers = 1;                                      // client threads
  std::optional<std::uint64_t> connections_ahead;       // nullopt: as many connections as can be in
                                                        // flight
  base::stamping stamping = base::stamping::automatic;  // --timestamps
  bool require_valid = false;
  bool calibrate = false;

  std::vector<options::plugin_choice> reporters;

  std::string toml;  // the configuration as TOML, which reads back as the same plan
  std::string
      toml_with_places;  // the same with the place of each value as a comment: the output of
                         // --print-config
  std::string json;  // the configuration as a JSON object (config_json), with "(cut)" for secrets
  fields flags;      // pairs of a flag and its value as JSON, with "(cut)" for secrets
                     // (flag_settings.hpp)
};

}  // namespace inferbench::config
