// The programs that a tuning starts, as the tests need them: the program of the tests is also
// these programs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tune/option_check.hpp"

namespace inferbench::tune {

/// The word that makes the program of the tests the server of support/stand_in_server.hpp, which
/// ends at once with the status 3 and the line "out of memory" if it is given --max-num-seqs 13.
inline constexpr const char* stand_in_server_word = "stand-in-server";

/// The server ends when a benchmark asks for this path.
inline constexpr const char* fatal_path = "/die";

/// Runs the program that the words name and returns its exit status; nullopt if they name none.
///
/// supervise  the supervisor of processes
/// tune       inferbench tune
/// serve      a benchmark: 3.5 requests/s with a P99 latency of 900 ms at an infinite rate; at
///            the rate R the throughput R with 100 * R ms. --fake broken: the exit status 5; --fake
///            nothing: no result; --fake deadly: ends the server and waits for ever; --fake lossy:
///            a request fails
/// find       finds the limit 2.5; --fake none: no rate passes; --fake broken: the exit status 1
/// report     the result of a run at the rate 2.5
[[nodiscard]] std::optional<int> stand_in_program(const std::vector<std::string>& words);

/// Readers that accept everything: the stand-ins have options of their own.
[[nodiscard]] command_readers accepting_readers();

}  // namespace inferbench::tune
