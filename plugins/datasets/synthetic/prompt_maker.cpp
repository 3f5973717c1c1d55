#include "prompt_maker.hpp"

#include <algorithm>

namespace synthetic {

namespace {

constexpr int most_adjustments = 10;

}  // namespace

fit_state prompt_maker::begin(std::vector<std::uint32_t> ids, std::size_t target) const {
  fit_state out;
  out.so_far.ids = std::move(ids);
  adjust(out, target);
  return out;
}

void prompt_maker::adjust(fit_state& of, std::size_t target) const {
  fit_result& out = of.so_far;
  for (;; ++of.adjustments) {
    out.text = tokenizer_.decode(out.ids);
    out.ids = tokenizer_.encode(out.text);
    if (out.ids.size() == target || of.adjustments == most_adjustments) {
      out.mismatch = static_cast<std::int64_t>(out.ids.size()) - static_cast<std::int64_t>(target);
      return;
    }
    if (out.ids.size() < target) {
      of.missing = target - out.ids.size();
      ++of.adjustments;
      return;
    }
    out.ids.resize(target);
  }
}

std::vector<std::uint32_t> id_run(std::span<const std::uint32_t> beginning,
                                  std::span<const std::uint32_t> allowed, std::uint64_t start,
                                  std::size_t count) {
  std::vector<std::uint32_t> out;
  out.reserve(beginning.size() + count);
  out.assign(beginning.begin(), beginning.end());
  // Copies stretch by stretch, and starts over at the end of the list.
  auto from = allowed.begin() + static_cast<std::ptrdiff_t>(start % allowed.size());
  while (count != 0) {
    const auto stretch =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(count), allowed.end() - from);
    out.insert(out.end(), from, from + stretch);
    count -= static_cast<std::size_t>(stretch);
    from = allowed.begin();
  }
  return out;
}

}  // namespace synthetic
