// The file of conversations that the usual test definitions send.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "perf/driver.hpp"

namespace inferbench::perf {

inline constexpr const char* sharegpt_name = "ShareGPT_V3_unfiltered_cleaned_split.json";

/// The path of the file, as the first test that uses it names it, if the file is not there; nullopt
/// if no test uses the file, or if it is there.
[[nodiscard]] std::optional<std::string> missing_sharegpt(const chosen_tests& tests);

/// Downloads the file to `path` from the hub at `hub` ("https://huggingface.co"). The file is
/// complete or not there. Throws base::error, also if `stop` becomes true.
void download_sharegpt(const std::string& hub, const std::string& path,
                       const std::atomic<bool>& stop);

}  // namespace inferbench::perf
