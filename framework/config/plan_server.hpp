// The part of the plan with the addresses of the server, its credentials and the time limits.
#pragma once

#include <string>
#include <string_view>

#include "config/key_values.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Fills out.server. Throws base::error: a text that is not an address, a variable that is not set,
/// a key without a certificate.
void fill_server(plan& out, const key_values& values, const options::environment& env);

/// Sets server.first-byte-timeout and server.idle-timeout from upstream's variable
/// $VLLM_BENCH_SOCK_READ, in seconds, unless a flag or the file sets them. The variable is for
/// both, since upstream's time-out of a read also covers the wait for the head of the answer.
/// Throws base::error, which names the variable.
void take_variables(key_values& values, const sources& from, const options::environment& env);

/// server.api-key, else $OPENAI_API_KEY, else empty.
[[nodiscard]] std::string api_key_of(const key_values& values, const options::environment& env);

/// The pairs at `path`, with the environment variables that their values name filled in. Throws
/// base::error: a variable is not set.
[[nodiscard]] fields pairs_of(const key_values& values, std::string_view path,
                              const options::environment& env);

}  // namespace inferbench::config
