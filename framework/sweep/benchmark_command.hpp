// The command of one benchmark run: with the parameters of its combination, and with the place of
// its result. Pure functions.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sweep/item.hpp"
#include "sweep/request.hpp"

namespace inferbench::sweep {

/// The benchmark command of the plan with the parameters of `bench`. A benchmark with upstream's
/// flags gets them by applied() (command.hpp), `inferbench run` (plan::result_reporter) as --set
/// KEY=VALUE.
[[nodiscard]] std::vector<std::string> with_parameters(const plan& what, const item& bench);

/// The same for a combination. The start-up benchmark of `sweep startup` gets the parameters of
/// `serve` and then those of `bench`; other benchmarks get those of `bench` only.
[[nodiscard]] std::vector<std::string> with_parameters(const plan& what, const item& serve,
                                                       const item& bench);

/// with_parameters(), and the flags that make the benchmark write its result to the file `result`:
/// --percentile-metrics, --save-result, --result-dir and --result-filename for upstream's flags,
/// --reporter with the absolute path of the file for `inferbench run`.
[[nodiscard]] std::vector<std::string> benchmark_command(const plan& what, const item& bench,
                                                         const std::filesystem::path& result);

/// The command of a run of a combination. The start-up benchmark of `sweep startup` gets
/// --output-json in place of all such options that it has.
[[nodiscard]] std::vector<std::string> benchmark_command(const plan& what, const item& serve,
                                                         const item& bench,
                                                         const std::filesystem::path& result);

/// `bench` with another number of requests, for the warm-up.
[[nodiscard]] item with_num_prompts(const plan& what, const item& bench, std::int64_t count);

}  // namespace inferbench::sweep
