#include "services/loaded_dataset.hpp"

namespace inferbench::services {

namespace {

std::unique_ptr<plugin::instance> create(const config::plan& plan, lender& host) {
  host.create_tokenizer(plan);
  return plan.dataset.create(host.services());
}

}  // namespace

dataset::settings sample_settings(const config::plan& plan) {
  return {.num_prompts = plan.num_prompts,
          .seed = plan.seed,
          .shuffle = plan.shuffle,
          .oversample = plan.oversample,
          .request_id_prefix = plan.request_id_prefix,
          .max_tokens = plan.max_model_len,
          .timed = plan.load.ends(),
          .own_times = plan.load.self_timed.value_or(true)};
}

loaded_dataset::loaded_dataset(const config::plan& plan, base::log& log, base::output& out)
    : host_(plan.server, plan.seed, clock_, log, out),
      data_(create(plan, host_)),
      samples_(*data_, sample_settings(plan), log) {
  plan.dataset.call([this] { samples_.prepare(); });
}

}  // namespace inferbench::services
