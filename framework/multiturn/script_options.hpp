// The command line of `inferbench multi-turn`: the flags of vLLM's benchmark_serving_multi_turn,
// with its names, short forms, defaults and checks. Pure functions, but reading the options looks
// at the places of the files.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "options/environment.hpp"

namespace inferbench::multiturn {

struct script_options {
  bool help = false;     // --help: no other member is set
  bool version = false;  // --version: no other member is set
  std::string input_file;
  std::optional<std::string> output_file;
  std::int64_t seed = 0;
  std::string model;
  std::string served_model;  // the model, if the user named no other
  std::string url;
  std::int64_t clients = 1;
  std::optional<std::int64_t> max_active;    // conversations of all clients together
  std::optional<std::int64_t> max_requests;  // of all clients together
  bool warmup_step = false;
  std::optional<std::int64_t> max_turns;  // messages of both sides
  bool early_stop = true;
  std::int64_t limit_max_tokens = 0;  // 0: the length of the recorded answer; negative: no limit
  std::int64_t limit_min_tokens = 0;  // likewise
  double request_rate = 0;            // of a client, requests per second; 0: no pauses
  std::int64_t max_retries = 0;
  bool random_sampling = false;
  bool verify_output = false;
  std::int64_t request_timeout_s = 120;
  bool stream = true;
  bool excel_output = false;
  bool verbose = false;
  bool print_content = false;
  std::vector<std::string> warmup_percentages;  // "0%", in the order of the user, each checked
  bool trust_remote_code = false;
  std::string stats_json;  // path; empty: no file
  bool send_conversation_id = false;
  std::string api_key;                                       // empty: no key
  std::vector<std::pair<std::string, std::string>> headers;  // name and value, in order
  // The words for `inferbench serve`: all flags that the script does not have, with their values,
  // in order.
  std::vector<std::string> rest;
};

/// Reads the arguments after the command's name. A unique beginning of a long flag counts as the
/// flag. All other long flags are those of `inferbench serve`, except the flags that contradict the
/// script. Throws options::usage_error for arguments that cannot be read, for a flag of serve
/// that a flag of the script sets, and if two of the files are the same file; and base::error for
/// values that the script refuses without a look at the input file, and if there is no folder for
/// the output file.
[[nodiscard]] script_options read_script_options(std::span<const std::string> args,
                                                 const options::environment& env);

/// Throws base::error unless: clients <= conversations, clients <= max active <= conversations.
void check_against_input(const script_options& options, std::size_t conversations);

/// The number of conversations that a client has in progress at the same time.
[[nodiscard]] std::int64_t active_per_client(const script_options& options) noexcept;

/// The text of --help.
[[nodiscard]] std::string script_help();

/// The line of --version.
[[nodiscard]] std::string script_version();

}  // namespace inferbench::multiturn
