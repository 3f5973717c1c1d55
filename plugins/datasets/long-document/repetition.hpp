// The order of documents of which each is asked about several times.
#pragma once

#include <cstdint>
#include <vector>

namespace long_document {

enum class repeat_mode : std::uint8_t {
  random,     // all repetitions of all documents, shuffled
  tile,       // all documents in order, again and again: the fewest cache hits
  interleave  // all repetitions of a document one after the other: the most cache hits
};

/// The numbers of the documents, from 0, `repeats` times each. `random` shuffles the order of
/// `tile` like Python's random.Random(seed).shuffle, as upstream's script does. A pure function.
[[nodiscard]] std::vector<std::uint32_t> repeated(std::uint32_t documents, std::uint32_t repeats,
                                                  repeat_mode mode, std::uint64_t seed);

}  // namespace long_document
