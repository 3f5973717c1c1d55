// Traffic patterns that several tests use.
#pragma once

#include <cstdint>

#include "schedule/pattern.hpp"

namespace inferbench::schedule {

inline constexpr std::int64_t second = 1'000'000'000;
inline const sine wave{20, 10, 60 * second};
inline const steps stairs{{{0, 10}, {30 * second, 50}, {40 * second, 0}, {60 * second, 5}}};

}  // namespace inferbench::schedule
