#include "check/batch_wanted.hpp"

#include <span>

#include "check/sample.hpp"

namespace inferbench::check {

ifb_batch* lend_batch(lent_memory& memory, const wanted_batch& wanted, std::string_view prefix) {
  std::vector<ifb_batch_item> items;
  for (const wanted_sample& each : wanted.samples) {
    ifb_batch_item item{};
    item.sample = lend_sample(memory, each.json);
    if (each.adapter != 0) {
      ifb_adapter adapter{};
      adapter.number = each.adapter;
      adapter.name = memory.text(std::to_string(each.adapter));
      adapter.path = memory.text("/dev/null/adapter");
      item.adapter = memory.put(adapter);
    }
    items.push_back(item);
  }
  ifb_sampling sampling{};
  sampling.flags = IFB_SAMPLING_IGNORE_EOS;
  sampling.n = wanted.n;
  sampling.beam_width = wanted.beam_width;
  sampling.temperature = sampling.top_p = 1;
  sampling.max_tokens = wanted.max_tokens;
  ifb_batch batch{};
  batch.mode = wanted.mode;
  batch.flags = wanted.flags;
  batch.items = memory.put_array(std::span<const ifb_batch_item>(items));
  batch.item_count = static_cast<std::uint32_t>(items.size());
  batch.item_stride = memory.stride<ifb_batch_item>();
  batch.sampling = memory.put(sampling);
  batch.request_id_prefix = memory.text(prefix);
  return memory.put(batch);
}

wanted_sample text_sample() {
  return {R"({"shape": "text", "prompt": ["Say \"hi\" \u4e2d\n"], "input_tokens": 5,
              "output_tokens": 5, "id": "check-1"})",
          -1, 5};
}

wanted_sample ids_sample() {
  return {R"({"shape": "tokens", "prompt": [[11, 12, 13, 14]], "input_tokens": 4,
              "output_tokens": 3})",
          4, 3};
}

wanted_sample chat_sample() {
  return {R"({"shape": "chat", "messages": [{"role": "user", "parts": ["Say hi"]}],
              "output_tokens": 2})",
          -1, 2};
}

wanted_batch one_sample(std::uint32_t mode) {
  return {.name = mode == IFB_BATCH_CHAT          ? "a chat"
                  : mode == IFB_BATCH_BEAM_SEARCH ? "a beam search"
                                                  : "a batch of one sample",
          .samples = {mode == IFB_BATCH_CHAT ? chat_sample() : text_sample()},
          .mode = mode,
          .beam_width = mode == IFB_BATCH_BEAM_SEARCH ? 2U : 1U};
}

}  // namespace inferbench::check
