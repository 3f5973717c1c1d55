#include "placeholder.hpp"

#include <algorithm>
#include <array>

#include <inferbench/text.hpp>
#include <inferbench/views.hpp>

#include "backends/bodies/prompt.hpp"
#include "table.hpp"

namespace template_backend {
namespace {

constexpr std::string_view extra = "extra.";

struct named_slot {
  std::string_view name;
  slot what;
};
constexpr std::array slots{
    named_slot{"prompt", slot::prompt},
    named_slot{"messages", slot::messages},
    named_slot{"text_messages", slot::text_messages},
    named_slot{"prompt_tokens", slot::prompt_tokens},
    named_slot{"model", slot::model},
    named_slot{"output_tokens", slot::output_tokens},
    named_slot{"request_id", slot::request_id},
};

constexpr bool is_list(slot what) noexcept {
  return what == slot::messages || what == slot::text_messages || what == slot::prompt_tokens;
}

constexpr std::array<std::string_view, 14> shared_names{"stream",
                                                        "stream_options",
                                                        "ignore_eos",
                                                        "logprobs",
                                                        "temperature",
                                                        "top_p",
                                                        "top_k",
                                                        "min_p",
                                                        "frequency_penalty",
                                                        "presence_penalty",
                                                        "repetition_penalty",
                                                        "seed",
                                                        "stop",
                                                        "null"};

std::vector<std::string> all_names() {
  std::vector<std::string> out;
  for (const auto& one : slots)
    out.emplace_back(one.name);
  out.insert(out.end(), shared_names.begin(), shared_names.end());
  out.emplace_back("extra.NAME");
  return out;
}

}  // namespace

void refuse_placeholder(const document& from, std::uint32_t line, const std::string& problem,
                        const std::string& remedy) {
  try {
    from.refuse(line, problem, remedy);
  } catch (const ifb::failure& placed) {
    std::string reason = problem + (remedy.empty() ? "" : "; " + remedy);
    // One line, as in the message of the document.
    std::ranges::replace_if(reason, [](unsigned char c) { return c < 0x20; }, ' ');
    throw unfit_placeholder(placed, std::move(reason));
  }
}

void parameters::add(std::string_view name, std::string json) {
  if (std::ranges::find(given_, name, &bodies::member::key) != given_.end()) return;
  given_.push_back({std::string(name), std::move(json)});
  added_.emplace_back(name);
}

const std::string* parameters::take(std::string_view name) {
  const std::string* found = nullptr;
  for (const auto& m : given_) {
    if (m.key == name) found = &m.value;  // if there are two, the later one counts
  }
  if (found != nullptr) taken_.emplace_back(name);
  return found;
}

bool parameters::took(std::string_view name) const {
  return std::ranges::find(taken_, name) != taken_.end();
}

std::vector<bodies::member> parameters::rest() const {
  std::vector<bodies::member> out;
  for (const auto& m : given_) {
    const bool added = std::ranges::find(added_, m.key) != added_.end();
    if (!added && !took(m.key)) out.push_back(m);
  }
  return out;
}

bool request_values::has(slot what) const noexcept {
  switch (what) {
    case slot::prompt:
    case slot::messages:
    case slot::text_messages:
    case slot::prompt_tokens: return what == input;
    case slot::output_tokens: return sample->output_tokens >= 0;
    case slot::request_id: return sample->id.size != 0;
    case slot::none:
    case slot::model: break;
  }
  return true;
}

void request_values::put_json(slot what, bodies::gather_list& out) const {
  switch (what) {
    case slot::none: return;
    case slot::messages: return bodies::put_messages(*sample, out, "openai");
    case slot::text_messages:
      return bodies::put_messages(*sample, out, "openai", bodies::content_form::text);
    case slot::prompt:
    case slot::prompt_tokens: return bodies::put_prompt(*sample, out, {});
    case slot::model: return out.quote(sample->model.size != 0 ? ifb::view(sample->model) : model);
    case slot::output_tokens: return out.number(sample->output_tokens);
    case slot::request_id: return out.quote(ifb::view(sample->id));
  }
}

void request_values::put_text(slot what, std::string& out) const {
  switch (what) {
    case slot::prompt: out += ifb::prompt_text(*sample); return;
    case slot::model: out += sample->model.size != 0 ? ifb::view(sample->model) : model; return;
    case slot::output_tokens: out += std::to_string(sample->output_tokens); return;
    case slot::request_id: out += ifb::view(sample->id); return;
    case slot::none:
    case slot::messages:
    case slot::text_messages:
    case slot::prompt_tokens: return;
  }
}

pattern::pattern(const document& from, const value& text, parameters& shared) {
  pieces_.emplace_back();
  std::string_view rest = text.text;
  const auto shown = [](std::string_view begin) {
    return "\"" + bodies::excerpt(begin.substr(0, 40)) + "\"";
  };
  for (auto at = rest.find("{{"); at != rest.npos; at = rest.find("{{")) {
    pieces_.back().text += rest.substr(0, at);
    if (rest.substr(at).starts_with("{{{{")) {
      pieces_.back().text += "{{";
      rest.remove_prefix(at + 4);
      continue;
    }
    const auto end = rest.find("}}", at);
    if (end == rest.npos)
      refuse_placeholder(from, text.line,
                         "the placeholder in " + shown(rest.substr(at)) + " has no end",
                         "close it with }}, or write {{{{ for two braces");
    const bool alone = at == 0 && end + 2 == text.text.size();
    add(from, text.line, ifb::trim(rest.substr(at + 2, end - at - 2)), alone, shared);
    rest.remove_prefix(end + 2);
  }
  pieces_.back().text += rest;
  if (pieces_.size() > 1 && pieces_.back().text.empty()) pieces_.pop_back();
}

void pattern::add(const document& from, std::uint32_t line, std::string_view name, bool alone,
                  parameters& shared) {
  const std::string shown = "{{" + std::string(name) + "}}";
  const auto refuse_inside = [&](const char* what) {
    refuse_placeholder(from, line, shown + " is " + what + " and cannot stand inside a longer text",
                       "let it be the whole text of a member of the body");
  };
  if (const auto found = std::ranges::find(slots, name, &named_slot::name); found != slots.end()) {
    if (!alone && is_list(found->what)) refuse_inside("a list");
    if (alone) only_slot_ = found->what;
    pieces_.back().after = found->what;
    pieces_.emplace_back();
    return;
  }
  const bool others = name.starts_with(extra) && name.size() > extra.size();
  if (!others && std::ranges::find(shared_names, name) == shared_names.end()) {
    const auto known = all_names();
    refuse_placeholder(from, line, "there is no placeholder " + shown,
                       suggestion(name, known, "the placeholders"));
  }
  static const std::string null = "null";
  const std::string* const json =
      name == "null" ? &null : shared.take(others ? name.substr(extra.size()) : name);
  if (json == nullptr) {
    never_ = true;
    return;
  }
  if (alone) only_json_ = *json;
  if (json->starts_with('"'))
    pieces_.back().text += bodies::string_value(*json);
  else if (!alone && (json->starts_with('{') || json->starts_with('[')))
    refuse_inside(json->starts_with('{') ? "an object" : "a list");
  else
    pieces_.back().text += *json;
}

bool pattern::uses(slot what) const noexcept {
  return std::ranges::any_of(pieces_, [&](const piece& p) { return p.after == what; });
}

bool pattern::has_all(const request_values& of) const noexcept {
  return std::ranges::all_of(pieces_, [&](const piece& p) { return of.has(p.after); });
}

std::string pattern::text(const request_values& of, bool encoded) const {
  std::string out;
  for (const piece& p : pieces_) {
    out += p.text;
    std::string given;
    of.put_text(p.after, given);
    // A slash is not encoded, because a model's name often consists of two parts of a path.
    out += encoded ? ifb::percent_encoded(given, "/") : given;
  }
  return out;
}

}  // namespace template_backend
