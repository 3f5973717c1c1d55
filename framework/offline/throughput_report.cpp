#include "offline/throughput_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.hpp"

namespace inferbench::offline {

namespace {

options::node count_node(std::uint64_t count) {
  return options::node::of(static_cast<std::int64_t>(count));
}

// A clock that has not moved gives no rate: inf is what the text and the file say.
double per_second(std::uint64_t count, double elapsed_s) {
  return static_cast<double>(count) / elapsed_s;
}

}  // namespace

throughput_result throughput_of(const throughput_options& options, double elapsed_s,
                                std::span<const request_tokens> requests) {
  const upstream::engine_family family = options.family();
  const bool from_samples = family == upstream::engine_family::vllm_async ||
                            family == upstream::engine_family::transformers ||
                            options.random_priorities;
  throughput_result out;
  out.elapsed_s = elapsed_s;
  out.requests = requests.size();
  bool media = false;
  for (const request_tokens& each : requests) {
    const auto counted = [&](std::int64_t engine, std::int64_t sample) {
      return static_cast<std::uint64_t>(
          std::max<std::int64_t>(0, from_samples || engine < 0 ? sample : engine));
    };
    out.prompt_tokens += counted(each.prompt, each.expected_prompt);
    out.output_tokens += counted(each.output, each.expected_output);
    // A server counts the tokens of media, too.
    media = media || (each.media && !(options.server && each.prompt >= 0));
  }
  out.media_not_counted = media && !options.chat();
  return out;
}

std::string throughput_text(const throughput_result& result, bool colours) {
  std::string out;
  if (result.media_not_counted)
    out += fmt::format(
        "{}WARNING{}: the prompts have images, videos or sound, whose tokens are not "
        "counted, so the numbers of tokens are too small\n",
        colours ? "\x1B[91m" : "", colours ? "\x1B[0m" : "");
  out +=
      fmt::format("Throughput: {:.2f} requests/s, {:.2f} total tokens/s, {:.2f} output tokens/s\n",
                  per_second(result.requests, result.elapsed_s),
                  per_second(result.total_tokens(), result.elapsed_s),
                  per_second(result.output_tokens, result.elapsed_s));
  out += fmt::format("Total num prompt tokens:  {}\nTotal num output tokens:  {}\n",
                     result.prompt_tokens, result.output_tokens);
  return out;
}

std::string prioritization_text(const throughput_result& result) {
  return fmt::format("Throughput: {:.2f} requests/s, {:.2f} tokens/s\n",
                     per_second(result.requests, result.elapsed_s),
                     per_second(result.total_tokens(), result.elapsed_s));
}

options::node throughput_json(const throughput_result& result) {
  using options::node;
  node out = node::table();
  out.set("elapsed_time", node::of(result.elapsed_s));
  out.set("num_requests", count_node(result.requests));
  out.set("total_num_tokens", count_node(result.total_tokens()));
  out.set("requests_per_second", node::of(per_second(result.requests, result.elapsed_s)));
  out.set("tokens_per_second", node::of(per_second(result.total_tokens(), result.elapsed_s)));
  for (const auto& [name, json] : result.energy)
    out.set(name, options::parse_json_node(json, name));
  return out;
}

std::vector<pytorch_metric> throughput_metrics(const throughput_result& result) {
  options::node about = throughput_json(result);
  // extra_info has the first three members.
  about.names.resize(3);
  about.items.resize(3);
  return {{"requests_per_second", {per_second(result.requests, result.elapsed_s)}, about},
          {"tokens_per_second", {per_second(result.total_tokens(), result.elapsed_s)}, about}};
}

void require_fit(std::size_t index, std::int64_t prompt_len, std::int64_t output_len,
                 std::int64_t max_model_len) {
  if (max_model_len < 0 || prompt_len <= max_model_len - output_len) return;
  throw base::error(fmt::format("request {} has {} prompt tokens and {} output tokens, but the "
                                "engine has room for {}",
                                index, prompt_len, output_len, max_model_len),
                    "use shorter lengths, or raise --max-model-len");
}

}  // namespace inferbench::offline
