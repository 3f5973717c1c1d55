// The plugins that the script's benchmark uses, as words for `inferbench serve`. The only file of
// the folder that contains names of plugins.
#pragma once

namespace inferbench::structured::upstream {

inline constexpr const char* dataset_word = "--dataset-name=structured-output";
inline constexpr const char* scorer_word = "--scorer=structured-output";
inline constexpr const char* reporter_word = "--reporter=structured-output";

/// The first request is sent alone, as a test, before the run. The server has this time to answer
/// it, and it is sent again if it fails earlier.
inline constexpr const char* ready_check_word = "--ready-check-timeout-sec=60";

}  // namespace inferbench::structured::upstream
