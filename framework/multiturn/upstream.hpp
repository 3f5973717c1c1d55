// The plugins that upstream's script for conversations means, as values of flags of `inferbench
// serve`. No other file of the folder selects a plugin by name.
#pragma once

namespace inferbench::multiturn::upstream {

inline constexpr const char* backend = "openai-chat";
inline constexpr const char* dataset = "conversations";
inline constexpr const char* reporter = "multi-turn";

}  // namespace inferbench::multiturn::upstream
