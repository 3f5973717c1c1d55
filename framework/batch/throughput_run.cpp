#include "batch/throughput_run.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <inferbench/views.hpp>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "batch/random_priorities.hpp"
#include "observe/gpu_energy.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

namespace {

/// Samples as items of a batch, with their adapters.
class throughput_items {
 public:
  throughput_items(const offline::throughput_options& options,
                   std::span<const dataset::sample_ptr> prompts,
                   const offline::request_share& share)
      : path_(options.lora_path) {
    offline::adapter_choice choice(options);
    if (options.random_priorities) urgent_.emplace(prompts, options.data.seed);
    for (std::size_t i = 0; i < prompts.size(); ++i) {
      const std::uint32_t number = choice.next();  // drawn for the requests of all processes
      const ifb_sample& sample = urgent_ ? urgent_->all()[i] : prompts[i]->c;
      if (share.has(i)) items_.push_back({sizeof(ifb_batch_item), 0, &sample, adapter(number)});
    }
  }

  [[nodiscard]] std::span<const ifb_batch_item> items() const { return items_; }

 private:
  struct named_adapter {
    std::string name;
    ifb_adapter c{};
  };

  const ifb_adapter* adapter(std::uint32_t number) {
    if (number == 0) return nullptr;
    const auto [at, is_new] = adapters_.try_emplace(number);
    named_adapter& made = at->second;
    if (!is_new) return &made.c;
    made.name = std::to_string(number);
    made.c = {sizeof(ifb_adapter),
              number,
              {made.name.data(), made.name.size()},
              {path_.data(), path_.size()}};
    return &made.c;
  }

  const std::string& path_;
  std::optional<random_priorities> urgent_;          // items point to its samples
  std::map<std::uint32_t, named_adapter> adapters_;  // items point to its elements
  std::vector<ifb_batch_item> items_;
};

bool has_media(const ifb_part_list& parts) {
  for (std::uint32_t i = 0; i < parts.count; ++i) {
    const ifb_part& part = ifb::view(parts)[i];
    if (part.kind >= IFB_PART_IMAGE && part.kind <= IFB_PART_FILE) return true;
    // Content parts of a chat as JSON: {"type": "image_url", ...}
    if (part.kind == IFB_PART_JSON &&
        plugin::view(part.data).find("_url\"") != std::string_view::npos)
      return true;
  }
  return false;
}

bool has_media(const ifb_sample& sample) {
  if (sample.media.count != 0 || has_media(sample.prompt)) return true;
  for (std::uint32_t i = 0; i < sample.messages.count; ++i)
    if (has_media(ifb::view(sample.messages)[i].parts)) return true;
  return false;
}

/// Messages go to the chat interface. Upstream's engines are named for it; for other engines the
/// samples decide.
bool is_chat(const offline::throughput_options& options,
             std::span<const dataset::sample_ptr> prompts) {
  if (options.family() != offline::upstream::engine_family::other) return options.chat();
  return std::ranges::all_of(prompts,
                             [](const auto& each) { return each->c.shape == IFB_PROMPT_CHAT; });
}

void check_fit(std::span<const ifb_batch_item> items, const engine_facts& facts) {
  for (std::size_t i = 0; i < items.size(); ++i)
    offline::require_fit(i, items[i].sample->input_tokens, items[i].sample->output_tokens,
                         facts.max_model_len);
}

std::uint32_t flags_of(const offline::throughput_options& options) {
  std::uint32_t out = 0;
  if (options.async()) out |= IFB_BATCH_ASYNC;
  if (options.prequeue) out |= IFB_BATCH_PREQUEUE;
  if (!options.detokenize) out |= IFB_BATCH_NO_TEXT;
  return out;
}

/// Begins to measure the energy of the GPUs if the user named any. Without NVML there is a warning,
/// and the measurement goes on.
void begin_energy(const offline::throughput_options& options, const bench_console& console,
                  std::optional<observe::gpu_energy>& out) {
  if (!options.energy_gpu_ids) return;
  try {
    out.emplace(observe::open_nvml(), *options.energy_gpu_ids);
    out->start(base::monotonic_clock().now());
  } catch (const base::error& e) {
    out.reset();
    console.log.warning(e.what());
  }
}

std::optional<observe::energy_use> end_energy(const std::optional<observe::gpu_energy>& from,
                                              const bench_console& console) {
  if (!from) return std::nullopt;
  try {
    return from->finish(base::monotonic_clock().now());
  } catch (const base::error& e) {
    console.log.warning(e.what());
    return std::nullopt;
  }
}

/// The order of all batches of this measurement, without items.
batch_order order_of(const offline::throughput_options& options,
                     std::span<const dataset::sample_ptr> prompts) {
  batch_order out;
  out.mode = is_chat(options, prompts) ? IFB_BATCH_CHAT : IFB_BATCH_GENERATE;
  out.flags = flags_of(options);
  out.sampling = full_length_sampling(options.n, -1);
  return out;
}

void warm_up(batch_order order, std::span<const ifb_batch_item> items, batch_executor& engine,
             const bench_console& console) {
  if (items.empty()) return;
  console.out.write(fmt::format("Warming up with {} requests...\n", items.size()));
  console.out.flush();
  order.items = items;
  order.request_id_prefix = "warmup";
  static_cast<void>(engine.run(order));
  console.end_if_stopped();
}

/// The requests of the measured batch.
struct request_count {
  std::vector<offline::request_tokens> tokens;  // of the requests that did not fail
  std::size_t shorter = 0;                      // those with fewer output tokens than wanted
  std::size_t failed = 0;
  const std::string* first_error = nullptr;  // of the failed requests; belongs to the answers
};

request_count count_of(const offline::throughput_options& options,
                       std::span<const ifb_batch_item> items,
                       std::span<const batch_answer> answers) {
  request_count out;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const client::record& record = answers[i].record;
    if (!record.ok()) {
      if (++out.failed == 1) out.first_error = &record.error;
      continue;
    }
    const ifb_sample& sample = *items[i].sample;
    if (record.output_tokens >= 0 && record.output_tokens < sample.output_tokens * options.n)
      ++out.shorter;
    // The length that was asked for, whatever the tokenizer of a server makes of the prompt.
    const bool asked = options.random_priorities && options.data.input_len;
    out.tokens.push_back({asked ? *options.data.input_len : sample.input_tokens,
                          sample.output_tokens, record.prompt_tokens, record.output_tokens,
                          has_media(sample)});
  }
  return out;
}

/// Throws base::error if every request failed. Warns if the figures leave out some of the
/// `requests`, or cannot be compared.
void require_meaning(const request_count& count, std::size_t requests,
                     const bench_console& console) {
  if (count.tokens.empty())
    throw base::error("every request failed: " + base::one_line(*count.first_error));
  if (count.failed != 0)
    console.log.warning(fmt::format("{} of {} requests failed and are not counted: {}",
                                    count.failed, requests, base::one_line(*count.first_error)));
  if (count.shorter != 0)
    console.log.warning(fmt::format(
        "{} of {} requests: fewer output tokens than wanted, so rates are not comparable "
        "with those of other engines",
        count.shorter, count.tokens.size()));
}

}  // namespace

throughput_outcome measure_throughput(const offline::throughput_options& options,
                                      std::span<const dataset::sample_ptr> prompts,
                                      std::span<const dataset::sample_ptr> warmups,
                                      const offline::request_share& share, batch_executor& engine,
                                      const engine_facts& facts, const bench_console& console) {
  const throughput_items measured(options, prompts, share);
  const throughput_items before(options, warmups, share);
  check_fit(before.items(), facts);
  check_fit(measured.items(), facts);
  if (measured.items().empty())
    throw base::error("no prompt is left for this process",
                      "give at least as many --num-prompts as --data-parallel-size");
  if (options.profile) require_profiler(facts);
  batch_order order = order_of(options, prompts);
  warm_up(order, before.items(), engine, console);
  order.items = measured.items();
  order.request_id_prefix = "test";
  if (console.keeps_requests) order.flags |= IFB_BATCH_STAMPS;
  order.keep_texts = console.keeps_requests;
  if (options.profile) order.flags |= IFB_BATCH_PROFILE;
  throughput_outcome out;
  std::optional<observe::gpu_energy> energy;
  begin_energy(options, console, energy);
  out.batch = engine.run(order);
  const std::optional<observe::energy_use> used = end_energy(energy, console);
  const request_count count = count_of(options, measured.items(), out.batch.answers);
  require_meaning(count, out.batch.answers.size(), console);
  out.failed = count.failed;
  out.result = offline::throughput_of(options, static_cast<double>(out.batch.elapsed_ns) / 1e9,
                                      count.tokens);
  if (used)
    out.result.energy =
        observe::energy_members(*used, static_cast<std::int64_t>(out.result.output_tokens));
  return out;
}

}  // namespace inferbench::batch
