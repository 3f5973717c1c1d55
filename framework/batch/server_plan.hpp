// The plan of `inferbench serve` with which an offline benchmark sends its batches to a server.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "config/request.hpp"
#include "offline/engine_options.hpp"
#include "options/environment.hpp"

namespace inferbench::batch {

/// The settings that the benchmark decides itself.
struct server_batches {
  std::string backend;  // a name of serve
  std::vector<std::string> base_urls;
  std::int64_t outputs = 1;                                        // --n
  std::string temperature = "1";                                   // unless the user gives another
  bool ignores_eos = true;                                         // outputs have their full length
  std::vector<std::pair<std::string, std::string>> dataset_flags;  // flag and value
  std::vector<std::string> plugin_flags;                           // words
};

/// The request of `serve`. `passed_on`: all other options of the command line, which are flags of
/// serve; a flag of `wanted` has priority. The temperature is set, and the end of sequence is
/// ignored if this is wanted, if the backend can ask for it. Throws the errors of
/// config::parse_serve(), and base::error if --n and the user's
/// --extra-body contradict each other.
[[nodiscard]] config::request server_plan(const server_batches& wanted,
                                          const offline::engine_options& passed_on,
                                          const options::environment& env);

}  // namespace inferbench::batch
