#include "batch/plugin_executor.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include <fmt/format.h>

#include <inferbench/views.hpp>

#include "base/error.hpp"
#include "plugin/struct_copy.hpp"

namespace inferbench::batch {

namespace {

using plugin::view;

std::vector<engine_measure> measures_of(const ifb_measure_list& from) {
  std::vector<engine_measure> out;
  out.reserve(from.count);
  const ifb::strided<ifb_measure> all(from.first, from.count, from.stride);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ifb_measure each = plugin::struct_copy(all[i]);
    out.push_back({std::string(view(each.name)), std::string(view(each.unit)), each.value,
                   each.began_ns, each.ended_ns});
  }
  return out;
}

/// Throws the error of a failed call.
void demand(ifb_status status, const ifb_error& error, const std::string& name, const char* call) {
  if (status == IFB_OK) return;
  throw plugin::refused(
      fmt::format("engine {}: {}: {}", name, call, plugin::text_of(error, status)), error.option,
      status);
}

ifb_batch_output output_of(const ifb_batch_result& from, std::size_t i) {
  const ifb::strided<ifb_batch_output> all(from.outputs, from.output_count, from.output_stride);
  return plugin::struct_copy(all[i]);
}

std::int64_t tokens_of(const ifb_batch_result& from) {
  std::int64_t out = 0;
  for (std::uint32_t i = 0; i < from.output_count; ++i) {
    const ifb_batch_output each = output_of(from, i);
    if (each.tokens < 0) return -1;
    out += each.tokens;
  }
  return from.output_count == 0 ? -1 : out;
}

/// The stamps of the engine's events. An engine that knows only the first and the last token of a
/// request gets two stamps, and an engine that knows none gets one, at the end, so that the
/// latencies that are known are right; batch_outcome::detail says which they are.
void push_stamps(const ifb_batch_result& from, client::record& into) {
  if (from.status != IFB_OK) return;
  if (from.token_ns != nullptr && from.token_count != 0) {
    for (std::size_t i = 0; i < from.token_count; ++i)
      into.tokens.push(from.token_ns[i]);
  } else if (from.first_token_ns != 0) {
    into.tokens.push(from.first_token_ns);
    if (into.end_ns > from.first_token_ns) into.tokens.push(into.end_ns);
  } else {
    into.tokens.push(into.end_ns);
  }
  into.text_events[0] = static_cast<std::uint32_t>(
      std::min<std::size_t>(into.tokens.size(), std::numeric_limits<std::uint32_t>::max()));
}

time_detail detail_of(const ifb_batch_result& from) {
  if (from.token_ns != nullptr && from.token_count != 0) return time_detail::events;
  return from.first_token_ns != 0 ? time_detail::first_and_last : time_detail::end;
}

/// The result with the times of the first and the last token that follow from its events.
ifb_batch_result with_event_times(ifb_batch_result of) {
  if (of.token_ns == nullptr || of.token_count == 0) return of;
  if (of.first_token_ns == 0) of.first_token_ns = of.token_ns[0];
  if (of.last_token_ns == 0) of.last_token_ns = of.token_ns[of.token_count - 1];
  return of;
}

client::record record_of(const ifb_batch_result& from, const ifb_batch_item& item,
                         std::uint64_t sequence, const ifb_batch_report& report, bool keep_text) {
  client::record out;
  out.sequence = sequence;
  out.due_ns = report.began_ns;
  out.start_ns = from.arrived_ns != 0 ? from.arrived_ns : report.began_ns;
  out.sent_ns = out.start_ns;
  out.first_byte_ns = out.first_text_ns = out.first_answer_ns = from.first_token_ns;
  out.last_text_ns = from.last_token_ns;
  out.end_ns = from.last_token_ns != 0 ? from.last_token_ns : report.began_ns + report.elapsed_ns;
  out.tokens = client::stamps(out.start_ns);
  push_stamps(from, out);
  out.late.unknown = true;
  out.sample_tokens = item.sample->input_tokens;
  out.wanted_tokens = item.sample->output_tokens;
  out.prompt_tokens = from.prompt_tokens;
  out.output_tokens = tokens_of(from);
  out.status = from.status;
  out.id = view(item.sample->id);
  if (from.status != IFB_OK) {
    out.error = view(from.error);
    if (out.error.empty()) out.error = "the engine gives no reason";
    return out;
  }
  if (from.output_count != 0) {
    const ifb_batch_output first = output_of(from, 0);
    if (keep_text) out.text = view(first.text);
    out.finish_reason = view(first.finish_reason);
  }
  return out;
}

batch_answer answer_of(const ifb_batch_result& from, const ifb_batch_item& item, std::size_t i,
                       const ifb_batch_report& report, bool keep_text) {
  batch_answer out;
  out.record = record_of(from, item, i, report, keep_text);
  out.outputs = from.output_count;
  for (std::uint32_t k = 0; k < from.output_count; ++k)
    if ((output_of(from, k).flags & IFB_BATCH_FINISHED) != 0) ++out.finished;
  out.arrived_ns = from.arrived_ns;
  out.measures = measures_of(from.measures);
  return out;
}

}  // namespace

plugin_executor::plugin_executor(
    const engine_choice& engine, const plugin::services& shared,
    const std::vector<std::pair<std::string, std::string>>& environment)
    : name_(engine.plugin.use),
      instance_(engine.plugin.create(shared)),
      engine_(plugin::batch_engine_of(*instance_)) {
  if (engine.engine.items.empty() && environment.empty()) return;
  const std::string options_text = options::to_json(engine.engine, options::non_finite::written);
  std::vector<ifb_field> variables;
  for (const auto& [name, value] : environment)
    variables.push_back({plugin::str(name), plugin::str(value)});
  ifb_engine_setup setup{};
  setup.struct_size = sizeof setup;
  setup.options_json = plugin::str(options_text);
  setup.environment = variables.data();
  setup.environment_count = variables.size();
  ifb_error error = plugin::empty_error();
  const ifb_status status = engine_.configure(instance_->get(), &setup, &error);
  // An engine without options of its own gets the model all the same.
  const bool only_model = engine.engine.items.size() == 1 && engine.engine.names[0] == "model";
  if (status == IFB_E_UNSUPPORTED && only_model && environment.empty()) return;
  demand(status, error, name_, "options");
}

engine_facts plugin_executor::load() {
  ifb_loaded_engine loaded{};
  loaded.struct_size = sizeof loaded;
  loaded.max_model_len = loaded.max_adapters = -1;
  ifb_error error = plugin::empty_error();
  demand(engine_.load(instance_->get(), &loaded, &error), error, name_, "load");
  return {loaded.max_model_len,
          loaded.load_ns,
          measures_of(loaded.measures),
          std::string(view(loaded.profiler)),
          std::string(view(loaded.profile_path)),
          std::string(view(loaded.description)),
          loaded.clock_bound_ns};
}

void plugin_executor::require_abilities(const batch_order& order) const {
  const auto require = [&](bool needed, std::uint32_t ability, const char* what) {
    if (!needed || (engine_.flags & ability) != 0) return;
    throw base::error(fmt::format("engine {} {}", name_, what), "choose another with --backend");
  };
  require(order.mode == IFB_BATCH_CHAT, IFB_BATCH_ENGINE_CHAT, "takes no chats");
  require(order.mode == IFB_BATCH_BEAM_SEARCH, IFB_BATCH_ENGINE_BEAM_SEARCH, "has no beam search");
  require((order.flags & IFB_BATCH_ASYNC) != 0, IFB_BATCH_ENGINE_ASYNC,
          "takes no asynchronous requests");
  require((order.flags & IFB_BATCH_PREQUEUE) != 0, IFB_BATCH_ENGINE_PREQUEUE,
          "cannot queue requests before they are scheduled");
  const bool adapters = std::ranges::any_of(
      order.items, [](const ifb_batch_item& each) { return each.adapter != nullptr; });
  require(adapters, IFB_BATCH_ENGINE_ADAPTERS, "has no adapters (LoRA)");
}

batch_outcome plugin_executor::run(const batch_order& order) {
  require_abilities(order);
  ifb_batch batch{};
  batch.struct_size = sizeof batch;
  batch.mode = order.mode;
  batch.flags = order.flags;
  batch.items = order.items.data();
  batch.item_count = static_cast<std::uint32_t>(order.items.size());
  batch.item_stride = sizeof(ifb_batch_item);
  batch.sampling = &order.sampling;
  batch.request_id_prefix = plugin::str(order.request_id_prefix);
  ifb_batch_report report{};
  report.struct_size = sizeof report;
  ifb_error error = plugin::empty_error();
  memory_.emplace();
  demand(engine_.run(instance_->get(), &batch, &*memory_, &report, &error), error, name_, "run");
  if (report.result_count != order.items.size())
    throw base::error(fmt::format("engine {} returned {} results for {} samples", name_,
                                  report.result_count, order.items.size()));
  batch_outcome out{report.began_ns, report.elapsed_ns, {}, measures_of(report.measures)};
  out.answers.reserve(order.items.size());
  const ifb::strided<ifb_batch_result> results(report.results, report.result_count,
                                               report.result_stride);
  for (std::size_t i = 0; i < order.items.size(); ++i) {
    const ifb_batch_result each = with_event_times(plugin::struct_copy(results[i]));
    out.answers.push_back(answer_of(each, order.items[i], i, report, order.keep_texts));
    if (each.status == IFB_OK) out.detail = std::min(out.detail, detail_of(each));
  }
  return out;
}

void plugin_executor::cancel() noexcept { engine_.cancel(instance_->get()); }

}  // namespace inferbench::batch
