#include "repetition.hpp"

#include <cstddef>

#include <inferbench/random.hpp>

namespace long_document {

std::vector<std::uint32_t> repeated(std::uint32_t documents, std::uint32_t repeats,
                                    repeat_mode mode, std::uint64_t seed) {
  std::vector<std::uint32_t> out;
  out.reserve(std::size_t{documents} * repeats);
  if (mode == repeat_mode::interleave) {
    for (std::uint32_t i = 0; i < documents; ++i)
      out.insert(out.end(), repeats, i);
    return out;
  }
  for (std::uint32_t k = 0; k < repeats; ++k)
    for (std::uint32_t i = 0; i < documents; ++i)
      out.push_back(i);
  if (mode == repeat_mode::random) ifb::python_random(seed).shuffle(out);
  return out;
}

}  // namespace long_document
