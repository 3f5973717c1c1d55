// The part of the plan with the URLs of the server, the credentials and the time limits.
#pragma once

#include <string>
#include <string_view>

#include "config/key_values.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Fills out.server. Throws base::error if a text is not a URL, if an environment variable is not
/// set, or if there is a key without a certificate.
void fill_server(plan& out, const key_values& values, const options::environment& env);

/// Sets the proxies from the usual environment variables, in both spellings. Upstream's client
/// reads them, too.
void take_proxies(server& out, const options::environment& env);

/// Sets server.first-byte-timeout and server.idle-timeout from upstream's environment variable
/// $VLLM_BENCH_SOCK_READ, in seconds, unless a flag or the file sets them. The variable sets both,
/// because upstream's read time-out also covers the wait for the head of the answer. Throws
/// base::error, which names the variable, if the value is invalid.
void take_variables(key_values& values, const sources& from, const options::environment& env);

/// The value of server.api-key, otherwise of $OPENAI_API_KEY, otherwise empty.
[[nodiscard]] std::string api_key_of(const key_values& values, const options::environment& env);

/// The pairs at `path`. Environment variables in their values are replaced by the variables'
/// values. Throws base::error if a variable is not set.
[[nodiscard]] fields pairs_of(const key_values& values, std::string_view path,
                              const options::environment& env);

}  // namespace inferbench::config
