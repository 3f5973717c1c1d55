#include "run_maker.hpp"

#include <algorithm>
#include <cstddef>
#include <span>

namespace synthetic {

namespace {

std::size_t target(const draw& wanted) { return std::size_t{wanted.prefix} + wanted.input; }

}  // namespace

run_maker::unpadded run_maker::begin(const draw& wanted, std::uint64_t i) const {
  std::span<const std::uint32_t> beginning = style_.beginning;
  if (wanted.prefix < style_.longest_prefix)
    beginning = beginning.first(std::min<std::size_t>(beginning.size(), wanted.prefix));
  unpadded out;
  out.so_far = maker_.begin(id_run(beginning, style_.allowed, wanted.offset + i, wanted.input),
                            target(wanted));
  if (style_.with_special && out.so_far.missing == 0)
    out.sent = maker_.tokenizer().encode(out.so_far.so_far.text, IFB_ENCODE_SPECIAL);
  return out;
}

prompt run_maker::finish(const draw& wanted, unpadded from, ifb::numpy_pcg64& random) const {
  const bool padded = from.so_far.missing != 0;
  fit_result made = maker_.finish(std::move(from.so_far), target(wanted),
                                  [&](std::int64_t n) { return random.integer(0, n); });
  prompt out;
  out.mismatch = made.mismatch;
  if (style_.with_special)
    out.ids =
        padded ? maker_.tokenizer().encode(made.text, IFB_ENCODE_SPECIAL) : std::move(from.sent);
  else
    out.ids = std::move(made.ids);
  out.text = std::move(made.text);
  out.tokens = out.ids.size();
  if (!style_.with_ids) out.ids.clear();
  return out;
}

}  // namespace synthetic
