// The plugins that the script's benchmark uses: the default of its flag --backend, and words for
// `inferbench serve`. No other file of the folder selects a plugin by name.
#pragma once

namespace inferbench::structured::upstream {

inline constexpr const char* backend = "vllm";
inline constexpr const char* dataset_word = "--dataset-name=structured-output";
inline constexpr const char* scorer_word = "--scorer=structured-output";
inline constexpr const char* reporter_word = "--reporter=structured-output";

/// The first request is sent alone, as a test, before the run. The server has this time to answer
/// it, and it is sent again if it fails earlier.
inline constexpr const char* ready_check_word = "--ready-check-timeout-sec=60";

}  // namespace inferbench::structured::upstream
