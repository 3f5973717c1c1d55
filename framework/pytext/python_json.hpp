// Reads JSON as Python's module json does: NaN, Infinity and -Infinity are numbers, whole numbers
// have any size, the last of several equal keys counts. `vllm bench sweep` reads its files with
// that module, and benchmarks write their results with it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <inferbench/json_reader.hpp>

#include "options/node.hpp"

namespace inferbench::pytext {

enum class top_names : std::uint8_t {
  repeatable,  // of several members with one name the last counts, as in every inner object
  unique       // a second member with the same name is an error
};

/// The value of a JSON text; every node has the line and column at which it begins in `file`. A
/// byte order mark at the beginning is skipped. Throws base::error with file, line, column and the
/// path of the keys for malformed JSON, an exponent that no double can have (1e400; a number
/// slightly beyond the range of a double, such as 10e308, becomes infinite, as in Python), invalid
/// UTF-8, half a surrogate pair, a text with a zero byte, which no argument and no file name can
/// have, and more than options::deepest levels.
[[nodiscard]] options::node read_json_node(std::string_view text, const std::string& file,
                                           top_names top = top_names::repeatable);

/// Like read_json_node(), as a document of RapidJSON: for results, which can be large. A whole
/// number beyond 64 bits becomes a floating-point number, and a number beyond the range of a double
/// becomes infinite, as a number with an exponent does in Python. Half a surrogate pair becomes
/// U+FFFD.
/// "Inf" and "-NaN", which Python refuses, are numbers, too. Errors do not contain the path of the
/// keys.
[[nodiscard]] ifb::json_document read_json_document(std::string_view text, const std::string& file);

}  // namespace inferbench::pytext
