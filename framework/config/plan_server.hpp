// The part of the plan that says where requests go, and how long they may take.
#pragma once

#include <string>
#include <string_view>

#include "config/key_values.hpp"
#include "config/plan.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

/// Fills out.server. Throws base::error: an address that is none, a variable that is not set, a
/// key without a certificate.
void fill_server(plan& out, const key_values& values, const options::environment& env);

/// Sets what upstream's variables say, where neither flag nor file does: $VLLM_BENCH_SOCK_READ,
/// seconds, for server.first-byte-timeout and server.idle-timeout: upstream's time-out of a read
/// also covers the wait for the head. Throws base::error naming the variable.
void take_variables(key_values& values, const sources& from, const options::environment& env);

/// server.api-key, else $OPENAI_API_KEY, else empty.
[[nodiscard]] std::string api_key_of(const key_values& values, const options::environment& env);

/// A list of pairs with the environment variables that its values name.
[[nodiscard]] fields pairs_of(const key_values& values, std::string_view path,
                              const options::environment& env);

}  // namespace inferbench::config
