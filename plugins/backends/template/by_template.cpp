#include "by_template.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

namespace template_backend {
namespace {

std::vector<bodies::member> extra_of(const by_template::options& chosen) {
  if (chosen.extra_body.empty()) return {};
  std::string why;
  auto members = bodies::object_members(chosen.extra_body.text, why);
  if (!members)
    throw ifb::failure{IFB_E_CONFIG,
                       "not a JSON object (" + why + "); write {\"name\": value, ...}",
                       "extra-body"};
  return std::move(*members);
}

}  // namespace

by_template::by_template(ifb::host host, const options& chosen)
    : chosen_(chosen), description_(chosen.file.text), extra_(extra_of(chosen)) {
  check();
  const bool streamed = streams({});
  parameters shared = shared_by({}, streamed);
  made_.emplace(make(shared, streamed));
  const std::string& file = description_.from().name();
  const slot prompts[] = {slot::prompt, slot::messages, slot::text_messages, slot::prompt_tokens};
  if (std::ranges::none_of(prompts, [&](slot each) { return made_->uses(each); }))
    throw ifb::failure{IFB_E_CONFIG,
                       file +
                           " sends no prompt; put {{prompt}}, {{messages}}, {{text_messages}} or "
                           "{{prompt_tokens}} into its [request.body]",
                       "file"};
  if (const auto rest = shared.rest(); !made_->content && !rest.empty())
    throw ifb::failure{IFB_E_CONFIG,
                       file + " has no [request.body] to lay " + rest.front().key + " over",
                       "extra-body"};
  const bool given = std::ranges::find(extra_, "ignore_eos", &bodies::member::key) != extra_.end();
  if (chosen.ignore_eos && !given && !shared.took("ignore_eos"))
    host.warn(file + " has no {{ignore_eos}}: answers may end before the wanted length");
}

void by_template::check() const {
  if (chosen_.model.empty())
    throw ifb::failure{IFB_E_CONFIG, "the name of the model is empty", "model"};
  if (!chosen_.endpoint.empty() && !chosen_.endpoint.starts_with('/'))
    throw ifb::failure{IFB_E_CONFIG, "expected a path that begins with /", "endpoint"};
}

ifb::failure by_template::no_whole(const char* option) const {
  return {IFB_E_CONFIG,
          description_.from().name() +
              " has no [whole]; let the answer be streamed, or say where in a whole answer its "
              "text stands",
          option};
}

bool by_template::streams(const std::vector<bodies::member>& over) const {
  bool out = !chosen_.whole;
  for (const auto* list : {&extra_, &over}) {
    for (const auto& m : *list) {
      if (m.key == "stream") out = m.value == "true";
    }
  }
  return out && description_.stream() != nullptr;
}

parameters by_template::shared_by(const std::vector<bodies::member>& over, bool streamed) const {
  auto given = extra_;
  given.insert(given.end(), over.begin(), over.end());
  // streams() has read "stream". The member is sent only if the template has the placeholder of
  // that name.
  std::erase_if(given, [](const bodies::member& m) { return m.key == "stream"; });
  parameters out(std::move(given));
  out.add("stream", streamed ? "true" : "false");
  if (streamed) out.add("stream_options", R"({"include_usage":true})");
  if (chosen_.ignore_eos) out.add("ignore_eos", "true");
  if (chosen_.logprobs) out.add("logprobs", std::to_string(*chosen_.logprobs));
  return out;
}

pattern by_template::path_of(const section& of, parameters& shared) const {
  const document& from = description_.from();
  value where = description_.path_of(of);
  const bool replaced = !chosen_.endpoint.empty();
  if (replaced) where.text = chosen_.endpoint;
  try {
    pattern out(from, where, shared);
    if (out.never())
      refuse_placeholder(from, where.line,
                         "a value in the path \"" + where.text + "\" is not given",
                         "give it with --extra-body, or write it into the path");
    return out;
  } catch (const unfit_placeholder& failed) {
    if (!replaced) throw;
    // The endpoint comes from the option and not from the file.
    throw ifb::failure{IFB_E_CONFIG, failed.reason(), "endpoint"};
  }
}

by_template::plan by_template::make(parameters& shared, bool streamed) const {
  const section* const of = streamed ? description_.stream() : description_.whole();
  if (of == nullptr) throw no_whole(chosen_.whole ? "whole" : "extra-body");
  const document& from = description_.from();
  plan out{of, path_of(*of, shared), {}, {}};
  bool typed = description_.body() == nullptr;
  for (const auto& [name, text] : description_.headers()) {
    typed = typed || ifb::same_without_case(name, "content-type");
    if (pattern made(from, *text, shared); !made.never())
      out.headers.emplace_back(name, std::move(made));
  }
  if (!typed) {
    value json;
    json.text = "application/json";
    out.headers.emplace_back("Content-Type", pattern(from, json, shared));
  }
  if (description_.body() != nullptr)
    out.content.emplace(from, *description_.body(), shared, description_.extra());
  return out;
}

bool by_template::plan::uses(slot what) const {
  return path.uses(what) || (content && content->uses(what)) ||
         std::ranges::any_of(headers, [&](const auto& one) { return one.second.uses(what); });
}

slot by_template::input_of(const plan& made, const ifb_sample& sample) const {
  const auto one_of = [&](std::initializer_list<slot> forms, const char* shape,
                          const char* placeholder) {
    for (const slot form : forms) {
      if (made.uses(form)) return form;
    }
    throw ifb::failure{IFB_E_UNSUPPORTED, description_.from().name() + " carries no " + shape +
                                              "; it would need " + placeholder};
  };
  switch (sample.shape) {
    case IFB_PROMPT_TEXT:
      return one_of({slot::prompt, slot::messages, slot::text_messages}, "text", "{{prompt}}");
    case IFB_PROMPT_CHAT:
      return one_of({slot::messages, slot::text_messages}, "chat messages", "{{messages}}");
    case IFB_PROMPT_PARTS:
      return one_of({slot::messages, slot::text_messages}, "content parts", "{{messages}}");
    case IFB_PROMPT_TOKENS: return one_of({slot::prompt_tokens}, "token ids", "{{prompt_tokens}}");
    case IFB_PROMPT_TEXTS:
    case IFB_PROMPT_TOKEN_LISTS:
      throw ifb::failure{IFB_E_UNSUPPORTED, "a template carries one prompt a request, no list"};
    case IFB_PROMPT_JSON:
      throw ifb::failure{IFB_E_UNSUPPORTED, "a template carries no prompt that is a JSON object"};
    default:
      throw ifb::failure{IFB_E_UNSUPPORTED,
                         "a template carries no prompt of shape " + std::to_string(sample.shape)};
  }
}

by_template::exchange by_template::open(const ifb_sample& sample, ifb::arena memory) const {
  if (sample.overrides.size == 0) return write(*made_, sample, memory, true);
  std::string why;
  const auto over = bodies::object_members(ifb::view(sample.overrides), why);
  if (!over)
    throw ifb::failure{IFB_E_DATA, "the overrides of a sample are not a JSON object: " + why};
  const bool streamed = streams(*over);
  parameters shared = shared_by(*over, streamed);
  return write(make(shared, streamed), sample, memory, false);
}

by_template::exchange by_template::write(const plan& made, const ifb_sample& sample,
                                         ifb::arena memory, bool lasts) const {
  const request_values of{&sample, input_of(made, sample), chosen_.model};
  if (!made.path.has_all(of))
    throw ifb::failure{IFB_E_UNSUPPORTED, description_.from().name() +
                                              ": this sample has no value for the path of its "
                                              "requests"};
  message out{description_.method(),
              memory.copy(made.path.text(of, true)),
              {},
              bodies::gather_list(memory)};
  const auto fields = memory.array<ifb_field>(made.headers.size());
  std::size_t count = 0;
  for (const auto& [name, text] : made.headers) {
    if (text.has_all(of)) fields[count++] = ifb::field(name, memory.copy(text.text(of)));
  }
  out.headers = fields.first(count);
  if (made.content) made.content->put(out.body, of, lasts);
  return {std::move(out), *made.of, description_.whole()};
}

}  // namespace template_backend
