#include "batch/mm_run.hpp"

#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/text.hpp"
#include "offline/mm_report.hpp"
#include "offline/throughput_report.hpp"

namespace inferbench::batch {

namespace {

std::vector<ifb_batch_item> chats_of(std::span<const dataset::sample_ptr> prompts,
                                     const engine_facts& facts) {
  std::vector<ifb_batch_item> out;
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    const ifb_sample& sample = prompts[i]->c;
    offline::require_fit(i, sample.input_tokens, sample.output_tokens, facts.max_model_len);
    out.push_back({sizeof(ifb_batch_item), 0, &sample, nullptr});
  }
  return out;
}

void warn_of_failures(const batch_outcome& of, base::log& log) {
  std::size_t failed = 0;
  const std::string* first_error = nullptr;
  for (const batch_answer& each : of.answers)
    if (!each.record.ok() && ++failed == 1) first_error = &each.record.error;
  if (failed != 0)
    log.warning(fmt::format("{} of {} requests failed: {}", failed, of.answers.size(),
                            base::one_line(*first_error)));
}

offline::mm_request request_of(const batch_answer& from) {
  offline::mm_request out;
  out.completed = from.record.ok() && from.outputs != 0 && from.finished == from.outputs;
  for (const engine_measure& each : from.measures)
    out.measures.push_back({each.name, each.value, each.unit == "s"});
  out.end_to_end_ms =
      offline::end_to_end_ms(from.arrived_ns, from.record.first_text_ns, from.record.last_text_ns);
  return out;
}

}  // namespace

mm_outcome measure_mm(std::span<const dataset::sample_ptr> prompts,
                      std::span<const dataset::sample_ptr> warmups, batch_executor& engine,
                      const engine_facts& facts, const bench_console& console) {
  const std::vector<ifb_batch_item> before = chats_of(warmups, facts);
  const std::vector<ifb_batch_item> measured = chats_of(prompts, facts);
  batch_order order;
  order.mode = IFB_BATCH_CHAT;
  order.sampling = full_length_sampling(1, -1);
  order.sampling.flags = 0;  // an output may end early
  if (!before.empty()) {
    console.out.write(fmt::format("Processing {} warmup requests...\n", before.size()));
    console.out.flush();
    order.items = before;
    static_cast<void>(engine.run(order));
    console.end_if_stopped();
  }
  console.out.write(offline::mm_first_line);
  console.out.flush();
  order.items = measured;
  order.sampling.temperature = 0;
  if (console.keeps_requests) order.flags |= IFB_BATCH_STAMPS;
  order.keep_texts = console.keeps_requests;
  mm_outcome out;
  out.batch = engine.run(order);
  warn_of_failures(out.batch, console.log);
  out.result.elapsed_s = static_cast<double>(out.batch.elapsed_ns) / 1e9;
  for (const batch_answer& each : out.batch.answers)
    out.result.requests.push_back(request_of(each));
  for (const engine_measure& each : out.batch.measures)
    out.result.of_batch.push_back({each.name, each.value, each.unit == "s"});
  return out;
}

}  // namespace inferbench::batch
