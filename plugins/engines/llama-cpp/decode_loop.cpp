#include "decode_loop.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace llama_cpp {

decode_loop::decode_loop(model& with)
    : model_(with),
      api_(with.api()),
      batch_(with.api().llama_batch_init(static_cast<std::int32_t>(with.batch_tokens()), 0, 1)),
      room_(with.batch_tokens()),
      slots_(with.sequences()) {}

decode_loop::~decode_loop() {
  clear();
  api_.llama_batch_free(batch_);
}

void decode_loop::add(const generation& wanted) { waiting_.push_back(wanted); }

void decode_loop::remove(const token_sink* sink) noexcept {
  std::erase_if(waiting_, [&](const generation& each) { return each.sink == sink; });
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].used() && slots_[i].wanted.sink == sink) release(i);
}

void decode_loop::clear() noexcept {
  waiting_.clear();
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].used()) release(i);
}

decode_loop::sampler decode_loop::sampler_for(const generation& wanted) const {
  sampler chain(api_.llama_sampler_chain_init(api_.llama_sampler_chain_default_params()),
                free_sampler{&api_});
  const auto add = [&](llama_sampler* each) { api_.llama_sampler_chain_add(chain.get(), each); };
  if (wanted.temperature <= 0) {
    add(api_.llama_sampler_init_greedy());
    return chain;
  }
  if (wanted.temperature != 1)
    add(api_.llama_sampler_init_temp(static_cast<float>(wanted.temperature)));
  if (wanted.top_p < 1) add(api_.llama_sampler_init_top_p(static_cast<float>(wanted.top_p), 1));
  add(api_.llama_sampler_init_dist(wanted.seed));
  return chain;
}

void decode_loop::begin_waiting() {
  for (std::size_t i = 0; i < slots_.size() && !waiting_.empty(); ++i) {
    if (slots_[i].used()) continue;
    sampler made = sampler_for(waiting_.front());
    order_.push_back(i);
    slots_[i].wanted = std::move(waiting_.front());
    slots_[i].chooses = std::move(made);
    waiting_.pop_front();
    ++active_;
  }
}

void decode_loop::put(std::size_t sequence, llama_token token, std::int64_t position,
                      bool wants_logits) {
  const std::int32_t at = batch_.n_tokens++;
  batch_.token[at] = token;
  batch_.pos[at] = static_cast<llama_pos>(position);
  batch_.n_seq_id[at] = 1;
  batch_.seq_id[at][0] = static_cast<llama_seq_id>(sequence);
  batch_.logits[at] = wants_logits ? 1 : 0;
  if (wants_logits) slots_[sequence].row = at;
}

void decode_loop::fill_batch() {
  batch_.n_tokens = 0;
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].row = -1;
    if (slots_[i].used() && !slots_[i].in_prompt())
      put(i, slots_[i].last, slots_[i].length() - 1, true);
  }
  for (const std::size_t i : order_) {
    slot& each = slots_[i];
    const std::vector<llama_token>& prompt = *each.wanted.prompt;
    while (each.in_prompt() && static_cast<std::size_t>(batch_.n_tokens) < room_) {
      const std::size_t at = each.decoded++;
      put(i, prompt[at], static_cast<std::int64_t>(at), each.decoded == prompt.size());
    }
  }
  std::erase_if(order_, [&](std::size_t i) { return !slots_[i].in_prompt(); });
}

void decode_loop::decode() {
  const std::uint64_t began = model_.host().now();
  const std::int32_t status = api_.llama_decode(model_.context(), batch_);
  if (status == 0) api_.llama_synchronize(model_.context());
  counts_.decode_ns += model_.host().now() - began;
  ++counts_.steps;
  if (model_.stopping) throw ifb::failure{IFB_E_CANCELLED, "cancelled"};
  if (status != 0)
    throw ifb::failure{IFB_E_REMOTE, model_.log().with_reason("llama_decode failed with status " +
                                                              std::to_string(status))};
}

void decode_loop::sample(std::size_t sequence) {
  slot& each = slots_[sequence];
  const std::uint64_t began = model_.host().now();
  each.last = api_.llama_sampler_sample(each.chooses.get(), model_.context(), each.row);
  const std::uint64_t at = model_.host().now();
  counts_.sampling_ns += at - began;
  ++each.produced;
  const bool stops =
      !each.wanted.ignore_eos && api_.llama_vocab_is_eog(model_.vocabulary(), each.last);
  const bool ends = stops || each.produced >= each.wanted.max_tokens ||
                    each.length() >= model_.context_of_sequence();
  token_sink& sink = *each.wanted.sink;
  const llama_token token = each.last;
  if (ends) release(sequence);
  sink.on_token(token, at, ends, stops ? end_reason::stop : end_reason::length);
}

void decode_loop::release(std::size_t sequence) noexcept {
  slots_[sequence] = {};
  std::erase(order_, sequence);
  api_.llama_memory_seq_rm(api_.llama_get_memory(model_.context()),
                           static_cast<llama_seq_id>(sequence), -1, -1);
  --active_;
}

void decode_loop::step() {
  begin_waiting();
  if (active_ == 0) return;
  fill_batch();
  decode();
  for (std::size_t i = 0; i < slots_.size(); ++i)
    if (slots_[i].used() && slots_[i].row >= 0) sample(i);
}

}  // namespace llama_cpp
