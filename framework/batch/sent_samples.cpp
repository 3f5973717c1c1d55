#include "batch/sent_samples.hpp"

#include "client/large_sample.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

sent_samples::sent_samples(const batch_order& order) {
  samples_.reserve(order.items.size());
  for (const ifb_batch_item& item : order.items) {
    ifb_sample& one = samples_.emplace_back(*item.sample);
    if (order.sampling.max_tokens >= 0) one.output_tokens = order.sampling.max_tokens;
    if (item.adapter != nullptr) adapt(one, *item.adapter);
    bytes_ += client::body_bytes(one);
  }
}

void sent_samples::adapt(ifb_sample& to, const ifb_adapter& by) {
  to.model = by.name;
  std::vector<ifb_field>& fields = fields_.emplace_back();
  fields.reserve(to.metadata_count + 1);
  for (std::size_t i = 0; i < to.metadata_count; ++i)
    fields.push_back(to.metadata[i]);
  fields.push_back({plugin::str("lora"), by.name});
  to.metadata = fields.data();
  to.metadata_count = fields.size();
}

}  // namespace inferbench::batch
