#include "prompts/lora.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/random.hpp>

#include "plugin/instance.hpp"

namespace inferbench::prompts {

lora_modules::lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed,
                           std::uint64_t count)
    : names_(std::move(names)) {
  for (const std::string& name : names_)
    fields_.push_back({plugin::str("lora"), plugin::str(name)});
  if (round_robin || names_.empty()) return;
  ifb::python_random random(seed);
  chosen_.resize(count);
  for (std::uint32_t& one : chosen_)
    one = static_cast<std::uint32_t>(random.below(names_.size()));
}

void lora_modules::assign(dataset::sample& to) const {
  if (names_.empty()) return;
  const std::size_t which = chosen_.empty() ? to.sequence % names_.size() : chosen_.at(to.sequence);
  to.c.model = plugin::str(names_[which]);
  const ifb_field* all = &fields_[which];
  const std::size_t before = to.c.metadata_count;
  if (before != 0) {
    auto* const more = static_cast<ifb_field*>(to.arena.alloc((before + 1) * sizeof(ifb_field)));
    if (more == nullptr) return;  // the request keeps its model even if the label does not fit
    std::copy_n(to.c.metadata, before, more);
    more[before] = fields_[which];
    all = more;
  }
  to.c.metadata = all;
  to.c.metadata_count = before + 1;
}

}  // namespace inferbench::prompts
