#include "batch/repeated_prompts.hpp"

#include "plugin/instance.hpp"

namespace inferbench::batch {

repeated_prompts::repeated_prompts(std::span<const dataset::sample_ptr> prompts,
                                   std::span<const std::size_t> order) {
  std::vector<std::size_t> times(prompts.size());
  samples_.reserve(order.size());  // items point to the samples
  items_.reserve(order.size());
  for (const std::size_t i : order) {
    ifb_sample& one = samples_.emplace_back(prompts[i]->c);
    if (++times[i] > 1 && one.id.size != 0) {
      std::string& id = ids_.emplace_back(plugin::view(one.id));
      id += "-" + std::to_string(times[i]);
      one.id = plugin::str(id);
    }
    items_.push_back({sizeof(ifb_batch_item), 0, &one, nullptr});
  }
}

std::vector<ifb_batch_item> items_of(std::span<const dataset::sample_ptr> prompts) {
  std::vector<ifb_batch_item> out;
  out.reserve(prompts.size());
  for (const dataset::sample_ptr& each : prompts)
    out.push_back({sizeof(ifb_batch_item), 0, &each->c, nullptr});
  return out;
}

}  // namespace inferbench::batch
