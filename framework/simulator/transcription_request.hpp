// Reads and checks the forms of /v1/audio/transcriptions and /v1/audio/translations. No state.
#pragma once

#include <optional>
#include <string_view>

#include "simulator/api.hpp"

namespace inferbench::simulator {

/// Reads a body of type multipart/form-data into `out`. `content_type` is the value of the field
/// Content-Type. The caller sets `out.kind`. A field without text counts as absent, and of several
/// fields with the same name the last counts. The tokens of the prompt are the bytes of the field
/// `prompt` and 100 for each second of the sound. Returns nullopt on success.
[[nodiscard]] std::optional<refusal> read_transcription(std::string_view content_type,
                                                        std::string_view body,
                                                        generation_request& out);

}  // namespace inferbench::simulator
