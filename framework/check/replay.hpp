// A recorded answer as bytes, fed through the client itself, and the record that the client
// makes of it.
#pragma once

#include <string>
#include <vector>

#include "check/subject.hpp"

namespace inferbench::check {

/// Lines such as `events 5`, `text "Hi"`, `usage 3 - 5 -`, attributes, `done stop` or `error -5
/// why`. `bytes`: head and body. They are fed whole, byte by byte and cut at random; where the
/// results differ, a line says how. The instance is made with `values`, on the host that runs
/// have. Throws base::error when create refuses.
[[nodiscard]] std::vector<std::string> replayed(subject& s,
                                                std::vector<options::option_value> values,
                                                const std::string& sample, const std::string& bytes,
                                                bool closes);

}  // namespace inferbench::check
