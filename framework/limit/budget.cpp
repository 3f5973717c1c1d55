#include "limit/budget.hpp"

#include <algorithm>
#include <iterator>

namespace inferbench::limit {

std::optional<std::size_t> good_requests_to_pass(const std::vector<part>& parts,
                                                 const judge_settings& settings) {
  std::vector<part> shares;
  std::ranges::copy_if(parts, std::back_inserter(shares),
                       [](const part& each) { return each.kind == part_kind::share; });
  if (shares.empty()) return 0;
  judge probe(shares, settings);
  const std::vector<observation> good(shares.size());
  std::size_t requests = 1;
  while (probe.add(good))
    ++requests;
  if (probe.evidence().outcome != verdict::passed) return std::nullopt;
  return requests;
}

}  // namespace inferbench::limit
