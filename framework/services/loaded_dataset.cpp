#include "services/loaded_dataset.hpp"

namespace inferbench::services {

namespace {

std::unique_ptr<plugin::instance> create(const config::plan& plan, lender& host) {
  host.create_tokenizer(plan);
  return plan.dataset.create(host.services());
}

}  // namespace

loaded_dataset::loaded_dataset(const config::plan& plan, base::log& log, base::output& out)
    : host_(plan.server, plan.seed, clock_, log, out),
      data_(create(plan, host_)),
      samples_(*data_,
               {plan.num_prompts, plan.seed, plan.shuffle, plan.oversample, plan.request_id_prefix},
               log) {
  host_.prepare(plan.dataset, samples_);
}

}  // namespace inferbench::services
