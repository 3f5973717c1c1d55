#include "prompts/alignment.hpp"

#include <atomic>
#include <exception>
#include <utility>

#include <fmt/format.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "plugin/instance.hpp"
#include "prompts/parallel.hpp"

namespace inferbench::prompts {

namespace {

constexpr std::uint64_t patience_ns = 300 * base::ns_per_s;  // upstream's time-out

// Each thread uses its own connection; more threads would only wait for the server.
constexpr std::size_t most_threads = 16;

bool is_text(const ifb_sample& sample) {
  return sample.shape == IFB_PROMPT_TEXT && sample.prompt.count == 1 &&
         sample.prompt.first->kind == IFB_PART_TEXT && sample.input_tokens >= 0;
}

std::string_view text_of(const ifb_sample& sample) {
  return plugin::view(sample.prompt.first->data);
}

/// Replaces the prompt of a sample, in the sample's memory. False if there is no memory left.
bool replace_text(dataset::sample& in, std::string_view text) {
  const std::string_view kept = in.arena.copy(text);
  auto* const part = static_cast<ifb_part*>(in.arena.alloc(sizeof(ifb_part)));
  if (kept.size() != text.size() || part == nullptr) return false;
  part->struct_size = sizeof *part;
  part->kind = IFB_PART_TEXT;
  part->data = {kept.data(), kept.size()};
  in.c.prompt = {part, 1, sizeof *part};
  return true;
}

}  // namespace

alignment::tokens alignment::tokenize(std::string_view prompt) const {
  ifb::json_writer body;
  body.begin_object();
  body.member("model", model_);
  body.member("prompt", prompt);
  body.member("add_special_tokens", false);
  body.end_object();
  const auto answer = server_.fetch("POST", "/tokenize", body.take(), patience_ns, 0, stop_);
  tokens out;
  if (!answer.ok()) {
    out.trouble = answer.error;
    return out;
  }
  if (answer.status != 200) {
    out.trouble = fmt::format("/tokenize answered HTTP {} {}", answer.status, answer.reason);
    return out;
  }
  try {
    const auto document = base::parse_json(answer.body, "/tokenize");
    const auto* list = base::find(document, "tokens");
    if (list != nullptr && list->IsArray())
      for (const auto& id : list->GetArray()) {
        if (!id.IsUint()) return {{}, "/tokenize answered with tokens that are not numbers"};
        out.ids.push_back(id.GetUint());
      }
  } catch (const base::error& e) {
    return {{}, e.what()};
  }
  // A server with a different /tokenize interface answers without tokens.
  if (out.ids.empty() && !prompt.empty()) out.trouble = "/tokenize answered without tokens";
  return out;
}

std::optional<std::string> alignment::detokenize(std::span<const std::uint32_t> ids) const {
  ifb::json_writer body;
  body.begin_object();
  body.member("model", model_);
  body.key("tokens");
  body.begin_array();
  for (const std::uint32_t id : ids)
    body.integer(id);
  body.end_array();
  body.end_object();
  const auto answer = server_.fetch("POST", "/detokenize", body.take(), patience_ns, 0, stop_);
  if (!answer.ok() || answer.status != 200) return std::nullopt;
  try {
    const auto document = base::parse_json(answer.body, "/detokenize");
    const auto* prompt = base::find(document, "prompt");
    if (prompt == nullptr || !prompt->IsString()) return std::nullopt;
    return std::string(base::text_of(prompt));
  } catch (const base::error&) {
    return std::nullopt;
  }
}

alignment::outcome alignment::cut(const tokens& counted, std::size_t wanted) const {
  if (!counted.trouble.empty()) return {};
  if (counted.ids.size() <= wanted) return {true, std::nullopt};
  auto text = detokenize(std::span(counted.ids).first(wanted));
  if (!text) return {};
  return {true, std::move(text)};
}

bool alignment::needed_after(const dataset::sample& first) {
  if (!is_text(first.c)) return false;
  const tokens counted = tokenize(text_of(first.c));
  if (stopped()) return false;
  if (!counted.trouble.empty()) {
    log_.warning(
        "the server's tokenizer gave no tokens, so it may count other lengths of prompts: " +
        counted.trouble);
    return false;
  }
  const auto wanted = static_cast<std::size_t>(first.c.input_tokens);
  if (counted.ids.size() == wanted) return false;
  log_.warning(
      fmt::format("the server counts {} tokens in the first prompt, the client {}: prompts that "
                  "are too long by the server's count are cut to their requested length",
                  counted.ids.size(), wanted));
  first_ = first_prompt{std::string(text_of(first.c)), wanted, cut(counted, wanted)};
  return true;
}

bool alignment::align(dataset::sample& one) const {
  const std::string_view prompt = text_of(one.c);
  const auto wanted = static_cast<std::size_t>(one.c.input_tokens);
  const bool same = first_ && first_->prompt == prompt && first_->wanted == wanted;
  const outcome found = same ? first_->found : cut(tokenize(prompt), wanted);
  return found.good && (!found.text || replace_text(one, *found.text));
}

void alignment::align(std::span<const dataset::sample_ptr> prompts) {
  if (given_up_ || stopped()) return;
  std::atomic<std::size_t> good = 0;
  for_each_index(prompts.size(), most_threads, [&](std::size_t i) {
    try {
      if (!is_text(prompts[i]->c) || align(*prompts[i])) good.fetch_add(1);
    } catch (const std::exception&) {
      // Out of descriptors or memory: this prompt is not changed.
    }
  });
  if (good != 0 || prompts.size() == 1 || stopped()) return;
  given_up_ = true;
  log_.warning("prompts are no longer aligned: the server refused all prompts of a batch");
}

}  // namespace inferbench::prompts
