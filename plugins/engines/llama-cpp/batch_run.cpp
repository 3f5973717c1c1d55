#include "batch_run.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/views.hpp>

#include "prompt.hpp"

namespace llama_cpp {

namespace {

constexpr std::uint64_t progress_ns = 200'000'000;

void check_batch(const ifb_batch& batch) {
  const auto refuse = [](const std::string& what) { throw ifb::failure{IFB_E_UNSUPPORTED, what}; };
  if (batch.mode != IFB_BATCH_GENERATE && batch.mode != IFB_BATCH_CHAT)
    refuse(batch.mode == IFB_BATCH_BEAM_SEARCH
               ? "llama-cpp has no beam search"
               : "llama-cpp does not know batches of mode " + std::to_string(batch.mode));
  if ((batch.flags & IFB_BATCH_PROFILE) != 0) refuse("llama-cpp has no profiler");
  if (batch.item_count == 0) throw ifb::failure{IFB_E_CONFIG, "the batch has no samples"};
  for (const ifb_batch_item& each :
       ifb::strided<ifb_batch_item>(batch.items, batch.item_count, batch.item_stride))
    if (each.adapter != nullptr) refuse("llama-cpp has no adapters (LoRA)");
}

ifb_measure measure_of(std::string_view name, std::string_view unit, double value) {
  return {sizeof(ifb_measure), 0, ifb::str(name), ifb::str(unit), value, 0, 0};
}

}  // namespace

std::uint32_t seed_of(std::uint64_t run_seed, std::uint64_t number) noexcept {
  // The finisher of SplitMix64.
  std::uint64_t out = run_seed + (number + 1) * 0x9E3779B97F4A7C15U;
  out = (out ^ (out >> 30U)) * 0xBF58476D1CE4E5B9U;
  out = (out ^ (out >> 27U)) * 0x94D049BB133111EBU;
  const auto seed = static_cast<std::uint32_t>(out >> 32U);
  return seed == LLAMA_DEFAULT_SEED ? 0 : seed;  // libllama's sign for a random seed
}

batch_run::batch_run(model& with, const ifb_batch& batch, std::uint64_t seed, ifb::arena memory)
    : model_(with),
      sampling_(*batch.sampling),
      seed_(seed),
      text_((batch.flags & IFB_BATCH_NO_TEXT) == 0),
      stamps_((batch.flags & IFB_BATCH_STAMPS) != 0) {
  check_batch(batch);
  sampling_.n = std::max(sampling_.n, 1U);
  items_.resize(batch.item_count);
  const ifb::strided<ifb_batch_item> given(batch.items, batch.item_count, batch.item_stride);
  for (std::size_t i = 0; i < items_.size(); ++i)
    take(items_[i], given[i], batch, memory);
}

void batch_run::take(item& to, const ifb_batch_item& from, const ifb_batch& batch,
                     ifb::arena memory) {
  to.max_tokens = sampling_.max_tokens >= 0 ? sampling_.max_tokens : from.sample->output_tokens;
  if (to.max_tokens < 0)
    throw ifb::failure{IFB_E_CONFIG, "item " + std::to_string(&to - items_.data()) +
                                         ": no length of the output is known; give --output-len"};
  try {
    if (to.max_tokens == 0)
      throw ifb::failure{IFB_E_DATA, "an output of 0 tokens; llama-cpp generates at least one"};
    auto tokens = prompt_of(model_, *from.sample, batch.mode == IFB_BATCH_CHAT, memory);
    check_length(model_, tokens.size());
    to.prompt = std::make_shared<const std::vector<llama_token>>(std::move(tokens));
  } catch (const ifb::failure& e) {
    to.status = e.code();
    to.error = e.message();
    return;
  }
  for (std::uint32_t i = 0; i < sampling_.n; ++i)
    to.outputs.push_back(std::make_unique<output>(*this, to));
  to.results.resize(sampling_.n);
  if (stamps_)
    to.token_ns.reserve(static_cast<std::size_t>(std::clamp<std::int64_t>(
                            to.max_tokens, 0, model_.context_of_sequence())) *
                        sampling_.n);
}

void batch_run::output::on_token(llama_token token, std::uint64_t at, bool ends, end_reason why) {
  ++tokens_;
  if (item_.first_ns == 0) item_.first_ns = at;
  item_.last_ns = of_.last_ns_ = at;
  if (of_.stamps_) item_.token_ns.push_back(at);
  if (of_.text_) {
    of_.piece_.clear();
    of_.model_.append_piece(token, of_.piece_);
    characters_.take(of_.piece_, ends, text_);
  }
  if (!ends) return;
  reason_ = why;
  ++of_.ended_;
}

void batch_run::add_to(decode_loop& loop) {
  for (std::size_t i = 0; i < items_.size(); ++i)
    for (std::size_t k = 0; k < items_[i].outputs.size(); ++k) {
      ++all_;
      loop.add({items_[i].prompt, items_[i].max_tokens, sampling_.temperature, sampling_.top_p,
                seed_of(seed_, i * sampling_.n + k),
                (sampling_.flags & IFB_SAMPLING_IGNORE_EOS) != 0, items_[i].outputs[k].get()});
    }
}

void batch_run::show_progress() {
  if (ended_ == shown_ || (last_ns_ < shown_ns_ + progress_ns && ended_ != all_)) return;
  shown_ = ended_;
  shown_ns_ = last_ns_;
  model_.host().progress().report("generated outputs", ended_, all_);
}

void batch_run::run(decode_loop& loop) {
  add_to(loop);
  loop.reset_counts();
  began_ns_ = last_ns_ = shown_ns_ = model_.host().now();
  try {
    while (!loop.idle()) {
      if (model_.host().cancelled()) throw ifb::failure{IFB_E_CANCELLED, "the run was stopped"};
      loop.step();
      show_progress();
    }
  } catch (...) {
    loop.clear();
    throw;
  }
  counts_ = loop.counts();
  // The text of the last token is a part of the timed section.
  last_ns_ = model_.host().now();
}

ifb_batch_result batch_run::result_of(item& from) {
  ifb_batch_result out{};
  out.struct_size = sizeof out;
  out.status = from.status;
  out.error = ifb::str(from.error);
  out.prompt_tokens = from.prompt == nullptr ? -1 : static_cast<std::int64_t>(from.prompt->size());
  for (std::size_t i = 0; i < from.outputs.size(); ++i) {
    const output& each = *from.outputs[i];
    from.results[i] = {sizeof(ifb_batch_output), IFB_BATCH_FINISHED, each.tokens_,
                       ifb::str(each.text_),
                       ifb::str(each.reason_ == end_reason::stop ? "stop" : "length")};
  }
  out.outputs = from.results.data();
  out.output_count = static_cast<std::uint32_t>(from.results.size());
  out.output_stride = sizeof(ifb_batch_output);
  if (from.status == IFB_OK) out.arrived_ns = began_ns_;
  out.first_token_ns = from.first_ns;
  out.last_token_ns = from.last_ns;
  if (!from.token_ns.empty()) {
    out.token_ns = from.token_ns.data();
    out.token_count = from.token_ns.size();
  }
  return out;
}

ifb_batch_report batch_run::report() {
  results_.clear();
  for (item& each : items_)
    results_.push_back(result_of(each));
  measures_ = {
      measure_of("decode_secs", "s", static_cast<double>(counts_.decode_ns) / 1e9),
      measure_of("sampling_secs", "s", static_cast<double>(counts_.sampling_ns) / 1e9),
      measure_of("num_decode_calls", "1", static_cast<double>(counts_.steps)),
  };
  ifb_batch_report out{};
  out.struct_size = sizeof out;
  out.began_ns = began_ns_;
  out.elapsed_ns = last_ns_ - began_ns_;
  out.results = results_.data();
  out.result_count = static_cast<std::uint32_t>(results_.size());
  out.result_stride = sizeof(ifb_batch_result);
  out.measures = {measures_.data(), static_cast<std::uint32_t>(measures_.size()),
                  sizeof(ifb_measure)};
  return out;
}

}  // namespace llama_cpp
