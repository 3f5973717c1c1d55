// A server that answers as the tests need it. The program of the tests is also this server: it is
// started through a link whose name ends with vllm or infinity_emb.
#pragma once

#include <string>
#include <vector>

namespace inferbench::experiment {

/// The main function of the server. Options: --host and --port; --log FILE: gets a line for each
/// request, after $VLLM_SERVER_DEV_MODE; --busy N: the first N requests get the status 503;
/// --missing PATH: this path gets the status 404; --fatal PATH: a request for this path ends the
/// server with the exit status 3; --vector-disk-cache: no effect. All other requests get the status
/// 200. Prints "listening" to standard output and "a warning" to standard error.
int stand_in_server(const std::vector<std::string>& words);

/// Whether the program with this name is the server.
[[nodiscard]] bool is_stand_in_server(const std::string& program);

}  // namespace inferbench::experiment
