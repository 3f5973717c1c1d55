// The names of the plugins that a tuning uses, those of upstream's script.
#pragma once

namespace inferbench::tune::upstream {

inline constexpr const char* backend = "vllm";
inline constexpr const char* dataset = "random";
inline constexpr const char* console_reporter = "console";
inline constexpr const char* result_reporter = "json";

}  // namespace inferbench::tune::upstream
