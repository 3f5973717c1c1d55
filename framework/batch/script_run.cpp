#include "batch/script_run.hpp"

#include "batch/repeated_prompts.hpp"

namespace inferbench::batch {

namespace {

/// The measured call.
batch_outcome generate(batch_order order, batch_executor& engine, const bench_console& console) {
  console.out.write("------start generating------\n");
  console.out.flush();
  if (console.keeps_requests) order.flags |= IFB_BATCH_STAMPS;
  order.keep_texts = console.keeps_requests;
  batch_outcome out = engine.run(order);
  require_complete(out);
  return out;
}

}  // namespace

std::vector<std::int64_t> lengths_of(std::span<const dataset::sample_ptr> prompts) {
  std::vector<std::int64_t> out;
  out.reserve(prompts.size());
  for (const dataset::sample_ptr& each : prompts)
    out.push_back(each->c.input_tokens);
  return out;
}

batch_outcome measure_prefix_caching(const offline::prefix_caching_options& options,
                                     std::span<const dataset::sample_ptr> prompts,
                                     batch_executor& engine, const bench_console& console) {
  console.out.write("Testing filtered requests\n");
  const repeated_prompts requests(prompts, offline::repeated_order(options, lengths_of(prompts)));
  batch_order order;
  order.items = requests.items();
  order.sampling = greedy_sampling(options.output_len);
  if (!options.detokenize) order.flags |= IFB_BATCH_NO_TEXT;
  return generate(order, engine, console);
}

long_document_outcome measure_long_document(const offline::long_document_options& options,
                                            std::span<const dataset::sample_ptr> warmups,
                                            std::span<const dataset::sample_ptr> documents,
                                            batch_executor& engine, const bench_console& console) {
  const std::vector<ifb_batch_item> before = items_of(warmups);
  const std::vector<ifb_batch_item> measured = items_of(documents);
  batch_order order;
  order.sampling = greedy_sampling(options.output_len);
  long_document_outcome out;
  console.out.write("------warm up------\n");
  console.out.flush();
  order.items = before;
  const batch_outcome first = engine.run(order);
  require_complete(first);
  console.end_if_stopped();
  out.warmup_s = seconds_of(first);
  console.out.write(offline::long_document_text(out.warmup_s));
  order.items = measured;
  out.batch = generate(order, engine, console);
  return out;
}

}  // namespace inferbench::batch
