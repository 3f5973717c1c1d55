// The commands of a tuning as words: servers, benchmarks and searches. Pure functions.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tune/tune_request.hpp"
#include "tune/tuning_bench.hpp"

namespace inferbench::tune {

/// The folder of the profile in the folder of the results.
[[nodiscard]] std::filesystem::path profile_folder(const std::filesystem::path& results);

/// `vllm serve` or the user's command, with the port and the tuned options at its end.
[[nodiscard]] std::vector<std::string> server_words(const tune_request& request,
                                                    const server_step& step,
                                                    const std::filesystem::path& results);
/// Variables of the server, NAME=value.
[[nodiscard]] std::vector<std::string> server_variables(const tune_request& request,
                                                        const server_step& step,
                                                        const std::filesystem::path& results);
/// The file for the output of the server, in the folder of the results.
[[nodiscard]] std::string server_log(const server_step& step);

/// The file for the output of the benchmark without its ending: .txt is the report and .json the
/// result.
[[nodiscard]] std::string benchmark_stem(const benchmark_step& step);
/// `inferbench serve`, which is this program, for the server at `address`.
[[nodiscard]] std::vector<std::string> benchmark_words(const tune_request& request,
                                                       const benchmark_step& step,
                                                       const std::string& address,
                                                       const std::filesystem::path& results);

/// The name of the search's files without their endings.
[[nodiscard]] std::string search_stem(const search_step& step);
/// `inferbench find`, which is this program.
[[nodiscard]] std::vector<std::string> search_words(const tune_request& request,
                                                    const search_step& step,
                                                    const std::string& address,
                                                    const std::filesystem::path& results);
/// `inferbench report` of the run at the limit that a search has found: with the report on standard
/// output and the result in the file `result`.
[[nodiscard]] std::vector<std::string> report_words(const std::string& journal,
                                                    const std::filesystem::path& result);

}  // namespace inferbench::tune
