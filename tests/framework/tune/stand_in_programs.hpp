// The programs that a tuning starts, as the tests need them: the program of the tests is also
// these programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace inferbench::tune {

/// The word that makes the program of the tests a server. Options: --host and --port; --log FILE:
/// gets a line for each request and for its end of start; --missing PATH: this path gets the status
/// 404; --max-num-seqs 13: the server ends at once with the status 3 and a line. A request for /die
/// ends it. Prints "listening", and VLLM_LOGGING_LEVEL if it is set.
inline constexpr const char* stand_in_server_word = "stand-in-server";

/// Runs the program that the words name and returns its exit status; nullopt if they name none.
///
/// supervise  the supervisor of processes
/// tune       inferbench tune
/// serve      a benchmark: 3.5 requests/s with a P99 latency of 900 ms at an infinite rate, and at
/// a
///            rate R the throughput R with 100 * R ms. --fake broken: the exit status 5; --fake
///            nothing: no result; --fake deadly: ends the server and waits for ever; --fake lossy:
///            a request fails
/// find       finds the limit 2.5; --fake none: no rate passes; --fake broken: the exit status 1
/// report     the result of a run at the rate 2.5
[[nodiscard]] std::optional<int> stand_in_program(const std::vector<std::string>& words);

}  // namespace inferbench::tune
