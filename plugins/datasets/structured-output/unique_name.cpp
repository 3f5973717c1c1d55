#include "unique_name.hpp"

#include <array>
#include <string_view>

#include <inferbench/random.hpp>

#include "datasets/synthetic/row_random.hpp"

namespace structured {

std::string unique_name(std::uint64_t seed, std::uint64_t row) {
  ifb::numpy_pcg64 random(synthetic::seed_of_row(seed, row));
  std::array<std::uint8_t, 16> bytes{};
  random.bytes(bytes);
  bytes[6] = static_cast<std::uint8_t>(0x40U | (bytes[6] & 0x0FU));  // UUID version 4
  bytes[8] = static_cast<std::uint8_t>(0x80U | (bytes[8] & 0x3FU));  // the variant of RFC 9562
  constexpr std::string_view hex = "0123456789abcdef";
  std::string out = "__optional_field_";
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += hex[bytes[i] >> 4U];
    out += hex[bytes[i] & 0x0FU];
  }
  return out;
}

}  // namespace structured
