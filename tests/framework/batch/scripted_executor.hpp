// An engine whose answers are written in the test, its prompts, and a console that keeps what it
// gets.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "batch/batch_executor.hpp"
#include "batch/bench_console.hpp"
#include "dataset/sample.hpp"
#include "plugin/instance.hpp"

namespace inferbench::batch {

inline constexpr std::uint64_t section_begin_ns = 1'000'000'000;
inline constexpr std::uint64_t one_ms = 1'000'000;

/// A request that succeeded, with one output. `prompt`, `output`: tokens in the engine's count.
inline batch_answer answer_with(std::int64_t prompt, std::int64_t output) {
  batch_answer out;
  out.record.status = IFB_OK;
  out.record.prompt_tokens = prompt;
  out.record.output_tokens = output;
  out.record.start_ns = out.arrived_ns = section_begin_ns;
  out.outputs = out.finished = 1;
  return out;
}
inline batch_answer failed_answer(std::string why) {
  batch_answer out;
  out.record.status = IFB_E_REMOTE;
  out.record.error = std::move(why);
  return out;
}
inline batch_outcome outcome_of(std::uint64_t elapsed_ns, std::vector<batch_answer> answers) {
  for (std::size_t i = 0; i < answers.size(); ++i)
    answers[i].record.sequence = i;
  return {section_begin_ns, elapsed_ns, std::move(answers), {}, time_detail::events};
}

/// Gives the outcomes of the test in order.
class scripted_executor final : public batch_executor {
 public:
  /// The orders of the benchmark.
  struct asked_batch {
    std::uint32_t mode = 0, flags = 0;
    ifb_sampling sampling{};
    std::string ids;                    // the prefix of the ids
    std::vector<std::string> prompts;   // texts, or the number of ids
    std::vector<std::string> adapters;  // "NUMBER NAME PATH"; empty: none
    std::vector<std::string> token_ids, overrides, sample_ids;
    bool keep_texts = false;
  };

  explicit scripted_executor(std::vector<batch_outcome> outcomes) {
    for (batch_outcome& each : outcomes)
      outcomes_.push_back(std::move(each));
  }

  [[nodiscard]] engine_facts load() override { return {}; }
  [[nodiscard]] batch_outcome run(const batch_order& order) override {
    asked_batch& heard = asked.emplace_back();
    heard.mode = order.mode;
    heard.flags = order.flags;
    heard.sampling = order.sampling;
    heard.ids = order.request_id_prefix;
    heard.keep_texts = order.keep_texts;
    for (const ifb_batch_item& each : order.items)
      hear(each, heard);
    if (outcomes_.empty()) throw base::error("engine scripted: run: there is no further outcome");
    batch_outcome out = std::move(outcomes_.front());
    outcomes_.pop_front();
    return out;
  }
  void cancel() noexcept override {}

  std::vector<asked_batch> asked;

 private:
  static void hear(const ifb_batch_item& item, asked_batch& into) {
    const ifb_sample& sample = *item.sample;
    const bool chat = sample.shape == IFB_PROMPT_CHAT;
    const ifb_part& part = chat ? *sample.messages.first->parts.first : *sample.prompt.first;
    const std::string_view bytes = plugin::view(part.data);
    (part.kind == IFB_PART_TOKENS ? into.token_ids : into.prompts).emplace_back(bytes);
    into.overrides.emplace_back(plugin::view(sample.overrides));
    into.sample_ids.emplace_back(plugin::view(sample.id));
    std::string& name = into.adapters.emplace_back();
    if (const ifb_adapter* by = item.adapter; by != nullptr)
      name = std::to_string(by->number) + " " + std::string(plugin::view(by->name)) + " " +
             std::string(plugin::view(by->path));
  }

  std::deque<batch_outcome> outcomes_;
};

/// Samples with the memory to which they point.
class prompt_samples {
 public:
  /// Lengths are in tokens.
  prompt_samples& text(std::string_view words, std::int64_t input, std::int64_t output) {
    ifb_sample& out = add(input, output);
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = {part(words), 1, sizeof(ifb_part)};
    return *this;
  }
  prompt_samples& chat(std::string_view words, std::int64_t input, std::int64_t output) {
    ifb_sample& out = add(input, output);
    auto* const message =
        static_cast<ifb_message*>(samples_.back()->arena.alloc(sizeof(ifb_message)));
    *message = {
        sizeof(ifb_message), 0, plugin::str("user"), {part(words), 1, sizeof(ifb_part)}, {}, -1};
    out.shape = IFB_PROMPT_CHAT;
    out.messages = {message, 1, sizeof *message};
    return *this;
  }
  /// The latest sample gets an id.
  prompt_samples& with_id(std::string_view id) {
    samples_.back()->c.id = plugin::str(samples_.back()->arena.copy(id));
    return *this;
  }
  /// The latest sample gets overrides.
  prompt_samples& with_overrides(std::string_view json) {
    samples_.back()->c.overrides = plugin::str(samples_.back()->arena.copy(json));
    return *this;
  }
  /// The latest sample gets a medium.
  prompt_samples& with_medium() {
    ifb_part* const image = part("png");
    image->kind = IFB_PART_IMAGE;
    samples_.back()->c.media = {image, 1, sizeof *image};
    return *this;
  }

  [[nodiscard]] std::span<const dataset::sample_ptr> all() const { return samples_; }

 private:
  ifb_sample& add(std::int64_t input, std::int64_t output) {
    static constexpr ifb_sample empty = IFB_SAMPLE_INIT;
    ifb_sample& out = samples_.emplace_back(new dataset::sample)->c;
    out = empty;
    out.input_tokens = input;
    out.output_tokens = output;
    return out;
  }
  ifb_part* part(std::string_view words) {
    dataset::sample& owner = *samples_.back();
    auto* const out = static_cast<ifb_part*>(owner.arena.alloc(sizeof(ifb_part)));
    *out = {};
    out->struct_size = sizeof *out;
    out->kind = IFB_PART_TEXT;
    const std::string_view kept = owner.arena.copy(words);
    out->data = {kept.data(), kept.size()};
    return out;
  }

  std::vector<dataset::sample_ptr> samples_;
};

/// Standard output in memory.
class output_in_memory {
 public:
  output_in_memory() : file_(::open_memstream(&text_, &size_)) {}
  output_in_memory(const output_in_memory&) = delete;
  output_in_memory& operator=(const output_in_memory&) = delete;
  ~output_in_memory() {
    std::fclose(file_);
    std::free(text_);
  }

  [[nodiscard]] std::string text() {
    out.flush();
    return {text_, size_};
  }

 private:
  char* text_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;

 public:
  base::output out{file_};
};

/// The console of a benchmark.
class kept_console {
 public:
  [[nodiscard]] bench_console console() {
    return {output_.out, log,
            [this] {
              if (--looks_left == 0) throw base::error("stopped by the user");
            },
            [this](const char* label, std::size_t done, std::size_t all) {
              progress.push_back(std::string(label) + " " + std::to_string(done) + "/" +
                                 std::to_string(all));
            },
            keeps_requests};
  }
  [[nodiscard]] std::string printed() { return output_.text(); }

  bool keeps_requests = false;
  int looks_left = -1;  // the user stops the program at this look; negative: never
  std::vector<std::string> progress;
  std::vector<std::string> logged;
  base::log log{base::log_level::trace,
                [this](base::log_level, std::string_view line) { logged.emplace_back(line); }};

 private:
  output_in_memory output_;
};

}  // namespace inferbench::batch
