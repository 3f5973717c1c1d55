#include "llama_plugin.hpp"

#include <algorithm>
#include <utility>

#include <inferbench/views.hpp>

#include "prompt.hpp"

namespace llama_cpp {

void llama_plugin::configure(const ifb_engine_setup& setup) {
  // libllama lives in this process, whose threads may read the environment at any time.
  if (setup.environment_count != 0)
    throw ifb::failure{IFB_E_UNSUPPORTED,
                       "llama-cpp has no process of its own, so it takes no environment"};
  lay_over(options_, ifb::view(setup.options_json));
}

model& llama_plugin::loaded_model() const {
  const std::lock_guard lock(loading_);
  if (refused_) throw ifb::failure{*refused_};
  if (model_ != nullptr) return *model_;
  try {
    model_ = std::make_unique<model>(host_, options_);
  } catch (const ifb::failure& e) {
    refused_ = e;
    throw;
  }
  return *model_;
}

std::uint64_t llama_plugin::run_seed() const {
  return options_.seed >= 0 ? static_cast<std::uint64_t>(options_.seed) : host_.seed(0);
}

ifb_loaded_engine llama_plugin::load() {
  const model& with = loaded_model();
  ifb_loaded_engine out{};
  out.struct_size = sizeof out;
  out.max_model_len = with.context_of_sequence();
  out.max_adapters = -1;
  out.load_ns = with.load_ns();
  out.measures = {with.stages().data(), static_cast<std::uint32_t>(with.stages().size()),
                  sizeof(ifb_measure)};
  out.description = ifb::str(with.description());
  return out;
}

ifb_batch_report llama_plugin::run(const ifb_batch& batch, ifb::arena memory) {
  model& with = loaded_model();
  if (requests_ != nullptr)
    throw ifb::failure{IFB_E_UNSUPPORTED, "the engine has single requests and takes no batches"};
  batch_.reset();
  with.stopping = false;
  auto made = std::make_unique<batch_run>(with, batch, run_seed(), memory);
  if (loop_ == nullptr) loop_ = std::make_unique<decode_loop>(with);
  made->run(*loop_);
  batch_ = std::move(made);
  return batch_->report();
}

void llama_plugin::cancel() noexcept {
  // The lock is held while the model is loaded. The loading itself checks host_.cancelled().
  if (!loading_.try_lock()) return;
  if (model_ != nullptr) model_->stopping = true;
  loading_.unlock();
}

single_requests& llama_plugin::requests() const {
  model& with = loaded_model();
  const std::lock_guard lock(loading_);
  if (requests_ == nullptr) requests_ = std::make_unique<single_requests>(with);
  return *requests_;
}

llama_plugin::call llama_plugin::open(const ifb_sample& sample, ifb::arena memory,
                                      ifb::engine_output out) const {
  single_requests& all = requests();
  generation wanted;
  wanted.max_tokens = sample.output_tokens;
  if (wanted.max_tokens < 0)
    throw ifb::failure{IFB_E_CONFIG, "no length of the output is known; give --output-len"};
  wanted.max_tokens = std::max<std::int64_t>(wanted.max_tokens, 1);
  auto tokens = prompt_of(*model_, sample, false, memory);
  check_length(*model_, tokens.size());
  wanted.prompt = std::make_shared<const std::vector<llama_token>>(std::move(tokens));
  wanted.temperature = options_.temperature;
  wanted.top_p = options_.top_p;
  wanted.ignore_eos = options_.ignore_eos;
  {
    const std::lock_guard lock(loading_);
    wanted.seed = seed_of(run_seed(), requests_opened_++);
  }
  return {all, std::move(wanted), out};
}

}  // namespace llama_cpp
