// Feeds a recorded answer, as bytes, through the client's own code, and shows the record that the
// client makes of it.
#pragma once

#include <string>
#include <vector>

#include "check/subject.hpp"

namespace inferbench::check {

/// Returns the record as lines such as `events 5`, `text "Hi"`, `usage 3 - 5 -`, attributes, `done
/// stop` or `error -5 why`. `bytes`: head and body of the answer. They are fed as a whole, byte by
/// byte, and cut at random; if the results differ, a line shows the difference. `closes`: the
/// server closes the connection after the bytes. The instance is created with `values` on the same
/// host as in a run. Throws base::error if create refuses.
[[nodiscard]] std::vector<std::string> replayed(subject& s,
                                                std::vector<options::option_value> values,
                                                const std::string& sample, const std::string& bytes,
                                                bool closes);

}  // namespace inferbench::check
