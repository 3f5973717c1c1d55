// A server that starts as the tests need it. The program of the tests is also this server: its
// first argument is starting_server_word.
#pragma once

#include <string>
#include <vector>

namespace inferbench::startup {

inline constexpr const char* starting_server_word = "starting-server";

/// The main function of the server. It answers each request with the status 200; GET /v1/models
/// lists the model "tiny", and POST /v1/completions streams one token. Options: --host, --port;
/// --log FILE: gets a line for each request; --lines N: prints N lines first; --exit N: ends with
/// this status at once; --mute: never listens; --busy N: the first N requests for /health get the
/// status 503; --missing PATH and --broken PATH: the path gets the status 404 or 500; --fatal PATH:
/// a request for the path ends the server with the exit status 3; --silent PATH: the path gets no
/// answer; --empty: lists no model; --deaf: ignores SIGTERM; --fill: writes a file into the folder
/// $VLLM_CACHE_ROOT.
int starting_server(const std::vector<std::string>& words);

}  // namespace inferbench::startup
