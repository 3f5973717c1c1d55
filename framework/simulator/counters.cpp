#include "simulator/counters.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

std::string escaped(std::string_view label) {
  std::string out;
  for (const char c : label) {
    if (c == '\\' || c == '"') out += '\\';
    if (c == '\n')
      out += "\\n";
    else
      out += c;
  }
  return out;
}

struct page {
  std::string labels;  // labels without braces: engine="0",model_name="m"
  std::string out;

  void family(std::string_view name, std::string_view type, std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
  }
  void sample(std::string_view name, std::string_view more, double value) {
    out.append(name).append("{").append(labels).append(more).append("} ");
    out.append(base::shortest(value)).append("\n");
  }
  void figure(std::string_view name, std::string_view type, std::string_view help, double value) {
    family(name, type, help);
    sample(name, {}, value);
  }
  void counter(std::string_view name, std::string_view help, std::uint64_t value) {
    figure(name, "counter", help, static_cast<double>(value));
  }
};

// Bounds of the lateness histogram, in ns and as the text on the page.
struct bound {
  std::uint64_t ns;
  std::string_view seconds;
};
constexpr std::array<bound, 10> bounds{{{10'000, "1e-05"},
                                        {30'000, "3e-05"},
                                        {100'000, "0.0001"},
                                        {300'000, "0.0003"},
                                        {1'000'000, "0.001"},
                                        {3'000'000, "0.003"},
                                        {10'000'000, "0.01"},
                                        {30'000'000, "0.03"},
                                        {100'000'000, "0.1"},
                                        {1'000'000'000, "1.0"}}};

void append_lateness(page& text, const lateness& late) {
  const std::string name = "inferbench_simulator_lateness_seconds";
  text.family(name, "histogram", "Real minus planned time of paced events.");
  for (const auto& [ns, seconds] : bounds) {
    text.sample(name + "_bucket", ",le=\"" + std::string(seconds) + "\"",
                static_cast<double>(late.at_most(ns)));
  }
  const auto count = static_cast<double>(late.count());
  text.sample(name + "_bucket", ",le=\"+Inf\"", count);
  text.sample(name + "_sum", {}, late.sum_ns() / 1e9);
  text.sample(name + "_count", {}, count);
  text.figure("inferbench_simulator_lateness_mean_seconds", "gauge", "Mean lateness since start.",
              late.count() == 0 ? 0 : late.sum_ns() / count / 1e9);
  text.figure("inferbench_simulator_lateness_p99_seconds", "gauge",
              "99th percentile of lateness since start.",
              static_cast<double>(late.quantile_ns(0.99)) / 1e9);
  text.figure("inferbench_simulator_lateness_max_seconds", "gauge",
              "Greatest lateness since start.", static_cast<double>(late.maximum_ns()) / 1e9);
}

void append_media(page& text, const media_totals& media) {
  const auto labelled = [&](std::string_view name, std::string_view label, std::string_view value,
                            double figure) {
    text.sample(name, "," + std::string(label) + "=\"" + std::string(value) + "\"", figure);
  };
  text.counter("inferbench_simulator_media_checked_total", "Images, videos and sounds checked.",
               media.checked);
  text.counter("inferbench_simulator_media_mismatches_total",
               "Images, videos and sounds that are not as declared.", media.mismatches);
  const std::string unchecked = "inferbench_simulator_media_unchecked_total";
  text.family(unchecked, "counter", "Images, videos and sounds not checked, by reason.");
  labelled(unchecked, "reason", "not_chosen", static_cast<double>(media.not_chosen));
  labelled(unchecked, "reason", "queue_full", static_cast<double>(media.queue_full));
  labelled(unchecked, "reason", "remote", static_cast<double>(media.remote));
  labelled(unchecked, "reason", "no_codec", static_cast<double>(media.no_codec));
  const std::string decoded = "inferbench_simulator_media_decoded_total";
  text.family(decoded, "counter", "Images, videos and sounds decoded, by kind.");
  labelled(decoded, "kind", "image", static_cast<double>(media.images));
  labelled(decoded, "kind", "video", static_cast<double>(media.videos));
  labelled(decoded, "kind", "sound", static_cast<double>(media.sounds));
  text.counter("inferbench_simulator_media_pixels_total",
               "Pixels of decoded images and of all frames of videos.", media.pixels);
  text.counter("inferbench_simulator_media_frames_total", "Frames of decoded videos.",
               media.frames);
  const std::string seconds = "inferbench_simulator_media_seconds_total";
  text.family(seconds, "counter", "Duration of decoded videos and sounds, by kind.");
  labelled(seconds, "kind", "video", media.video_seconds);
  labelled(seconds, "kind", "sound", media.sound_seconds);
}

void append_structures(page& text, const structure_totals& structures) {
  const std::string name = "inferbench_simulator_structured_answers_total";
  text.family(name, "counter", "Answers to requests that demand a structure, by what they are.");
  text.sample(name, ",is=\"right\"", static_cast<double>(structures.right));
  text.sample(name, ",is=\"wrong\"", static_cast<double>(structures.wrong));
  text.sample(name, ",is=\"limited\"", static_cast<double>(structures.limited));
  text.sample(name, ",is=\"unsupported\"", static_cast<double>(structures.unsupported));
}

void append_drafts(page& text, const std::vector<std::uint64_t>& drafts) {
  if (drafts.empty()) return;
  const std::size_t length = drafts.size() - 1;
  std::vector<std::uint64_t> accepted_at(length);
  std::uint64_t all = 0;
  std::uint64_t accepted = 0;
  for (std::size_t n = 0; n <= length; ++n) {
    all += drafts[n];
    accepted += n * drafts[n];
    for (std::size_t position = 0; position < n; ++position)
      accepted_at[position] += drafts[n];
  }
  text.counter("vllm:spec_decode_num_drafts_total", "Drafts, one an event.", all);
  text.counter("vllm:spec_decode_num_draft_tokens_total", "Tokens drafted.", all * length);
  text.counter("vllm:spec_decode_num_accepted_tokens_total", "Tokens accepted.", accepted);
  const std::string name = "vllm:spec_decode_num_accepted_tokens_per_pos_total";
  text.family(name, "counter", "Tokens accepted, by their position in the draft.");
  for (std::size_t position = 0; position < length; ++position)
    text.sample(name, ",position=\"" + std::to_string(position) + "\"",
                static_cast<double>(accepted_at[position]));
}

}  // namespace

void counters::count_draft(std::uint64_t tokens_of_event) noexcept {
  if (drafts.empty() || tokens_of_event == 0) return;
  ++drafts[std::min<std::uint64_t>(tokens_of_event - 1, drafts.size() - 1)];
}

std::string metrics_text(const counters& counted, std::string_view model, std::uint64_t running,
                         std::uint64_t waiting) {
  page text;
  text.labels = "engine=\"0\",model_name=\"" + escaped(model) + "\"";
  text.figure("vllm:num_requests_running", "gauge", "Requests that are generating.",
              static_cast<double>(running));
  text.figure("vllm:num_requests_waiting", "gauge", "Requests that wait for a place.",
              static_cast<double>(waiting));
  text.counter("vllm:prompt_tokens_total", "Prompt tokens of accepted requests.",
               counted.prompt_tokens);
  text.counter("vllm:generation_tokens_total", "Generated tokens.", counted.generation_tokens);
  if (counted.looks_up) {
    text.counter("vllm:prefix_cache_queries_total", "Prompt tokens looked up in the prefix cache.",
                 counted.prefix_queries);
    text.counter("vllm:prefix_cache_hits_total", "Prompt tokens found in the prefix cache.",
                 counted.prefix_hits);
  }
  text.family("vllm:request_success_total", "counter", "Requests that finished, by reason.");
  text.sample("vllm:request_success_total", ",finished_reason=\"stop\"",
              static_cast<double>(counted.finished_stop));
  text.sample("vllm:request_success_total", ",finished_reason=\"length\"",
              static_cast<double>(counted.finished_length));
  text.sample("vllm:request_success_total", ",finished_reason=\"abort\"",
              static_cast<double>(counted.aborted));
  text.counter("inferbench_simulator_refused_requests_total", "Requests answered with an error.",
               counted.refused);
  text.counter("inferbench_simulator_connections_total", "Connections accepted.",
               counted.connections);
  text.counter("inferbench_simulator_events_total", "Stream events that carry tokens.",
               counted.events);
  text.counter("inferbench_simulator_stalled_events_total",
               "Events held up by a client that did not read.", counted.stalled);
  const std::string resets = "inferbench_simulator_cache_resets_total";
  text.family(resets, "counter", "Calls that reset a cache, by cache.");
  text.sample(resets, ",cache=\"prefix\"", static_cast<double>(counted.prefix_resets));
  text.sample(resets, ",cache=\"mm\"", static_cast<double>(counted.media_resets));
  text.sample(resets, ",cache=\"encoder\"", static_cast<double>(counted.encoder_resets));
  append_media(text, counted.media);
  append_structures(text, counted.structures);
  append_drafts(text, counted.drafts);
  append_lateness(text, counted.late);
  return std::move(text.out);
}

}  // namespace inferbench::simulator
