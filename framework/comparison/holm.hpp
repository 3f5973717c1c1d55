// Holm's correction for several tests ("A simple sequentially rejective multiple test procedure",
// Scandinavian Journal of Statistics 1979). It needs no assumption about the dependence of the
// tests. Pure function.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace inferbench::comparison {

/// The corrected p-values in the order of `p`. `tests`, at least p.size(), is the number of
/// declared tests; those without a p-value count as tests that prove nothing. The chance that any
/// corrected p-value of a true hypothesis is at most alpha is at most alpha.
[[nodiscard]] std::vector<double> holm(std::span<const double> p, std::size_t tests);

}  // namespace inferbench::comparison
