#include "prompts/lora.hpp"

#include <algorithm>
#include <utility>

#include "plugin/instance.hpp"

namespace inferbench::prompts {

lora_modules::lora_modules(std::vector<std::string> names, bool round_robin, std::uint64_t seed)
    : names_(std::move(names)), round_robin_(round_robin), random_(seed) {
  for (const std::string& name : names_)
    fields_.push_back({plugin::str("lora"), plugin::str(name)});
}

std::size_t lora_modules::module_of(std::uint64_t sequence) const {
  if (round_robin_) return sequence % names_.size();
  const std::lock_guard lock(mutex_);
  while (chosen_.size() <= sequence)
    chosen_.push_back(static_cast<std::uint32_t>(random_.below(names_.size())));
  return chosen_[sequence];
}

void lora_modules::assign(dataset::sample& to) const {
  if (names_.empty()) return;
  const std::size_t which = module_of(to.sequence);
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
