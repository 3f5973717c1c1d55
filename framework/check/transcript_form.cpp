#include "check/transcript_form.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::check {

namespace {

using base::json_value;

bool text(const json_value& v) { return v.IsString(); }
bool object(const json_value& v) { return v.IsObject(); }
bool list(const json_value& v) { return v.IsArray(); }
bool number(const json_value& v) { return v.IsInt(); }
bool all_texts(const json_value& v) {
  return v.IsArray() && std::ranges::all_of(v.GetArray(), text);
}
bool named_texts(const json_value& v) {
  return v.IsObject() &&
         std::ranges::all_of(v.GetObject(), [](const auto& m) { return m.value.IsString(); });
}
bool lines(const json_value& v) { return named_texts(v) || all_texts(v); }

constexpr unsigned of(form f) { return static_cast<unsigned>(f); }
constexpr unsigned answer_forms = of(form::messages) | of(form::bytes);
constexpr unsigned any = answer_forms | of(form::request) | of(form::other);

struct form_member {
  std::string_view name;
  unsigned forms;
  bool (*holds)(const json_value&);
  std::string_view what;
};

constexpr form_member members[] = {
    {"name", any, text, "a text"},
    {"backend", any, text, "a text"},
    {"options", any, object, "an object"},
    {"sample", any, object, "an object"},
    {"heard", answer_forms, all_texts, "a list of texts"},
    {"messages", of(form::messages), list, "a list"},
    {"event", of(form::messages), text, "a text"},
    {"headers", of(form::messages) | of(form::request), named_texts, "an object of texts"},
    {"headers", of(form::bytes), lines, "an object or a list of texts"},
    {"trailers", answer_forms, named_texts, "an object of texts"},
    {"body", of(form::bytes), all_texts, "a list of texts"},
    {"body", of(form::request), object, "an object"},
    {"method", of(form::request), text, "a text"},
    {"target", of(form::request), text, "a text"},
    {"framing", of(form::bytes), text, "a text"},
    {"type", of(form::bytes), text, "a text"},
    {"status", of(form::bytes), text, "a text"},
    {"text", of(form::other), text, "a text"},
    {"code", of(form::other), number, "a number"},
    {"message", of(form::other), text, "a text"},
};

form looks_like(const json_value& in) {
  const auto has = [&](std::string_view name) { return base::find(in, name) != nullptr; };
  if (has("heard"))
    return has("messages") ? form::messages : has("body") ? form::bytes : form::none;
  if (!has("sample")) return form::none;
  const json_value* const body = base::find(in, "body");
  if (body != nullptr) return body->IsObject() ? form::request : form::none;
  return has("text") || has("code") ? form::other : form::none;
}

std::string_view called(form f) {
  switch (f) {
    case form::messages: return "an answer message by message";
    case form::bytes: return "an answer as bytes";
    case form::request: return "a request";
    default: return "such an entry";
  }
}

// Members of the form `other` are known in this form only: in another form, `message` is a misspelt
// `messages`.
bool is_known(std::string_view name, form f) {
  return std::ranges::any_of(members, [&](const form_member& m) {
    return m.name == name && ((m.forms & ~of(form::other)) != 0 || f == form::other);
  });
}

std::string meant_by(std::string_view name) {
  std::vector<std::string> names;
  for (const form_member& m : members)
    if (is_known(m.name, form::none)) names.emplace_back(m.name);
  return base::nearest(name, names);
}

void judge_member(std::string_view name, const json_value& value, form f,
                  const std::string& place) {
  const auto* const at = std::ranges::find_if(
      members, [&](const form_member& m) { return m.name == name && (m.forms & of(f)) != 0; });
  if (at == std::end(members))
    throw base::error(std::string(name) + " is not a member of " + std::string(called(f)),
                      "leave it out", {place, 0, 0});
  if (!at->holds(value))
    throw base::error(
        std::string(name) + " of " + std::string(called(f)) + " is not " + std::string(at->what),
        {}, {place, 0, 0});
}

void judge_framing(const json_value& value, bool has_trailers, const std::string& place) {
  static const std::vector<std::string> framings = {"chunked", "length", "close", "cut"};
  const std::string given(base::text_of(&value));
  if (has_trailers && given != "chunked")
    throw base::error("trailers come only after a body that is chunked",
                      "leave framing out, or write chunked", {place, 0, 0});
  if (std::ranges::find(framings, given) != framings.end()) return;
  const std::string meant = base::did_you_mean(given, framings);
  throw base::error("there is no framing " + given,
                    meant.empty() ? "write chunked, length, close or cut" : meant, {place, 0, 0});
}

}  // namespace

form form_of(const json_value& in, const std::string& id, const std::string& place) {
  const json_value* const backend = base::find(in, "backend");
  const bool addressed = backend != nullptr && backend->IsString();
  if (addressed && base::text_of(backend) != id) return form::none;
  const form out = looks_like(in);
  for (const auto& m : in.GetObject()) {
    const std::string name(base::text_of(&m.name));
    if (is_known(name, out)) continue;
    const std::string meant = meant_by(name);
    // The list is not a list of recordings; the file just lies in the same folder.
    if (!addressed && meant != "backend") return form::none;
    throw base::error("there is no member " + name,
                      meant.empty() ? "leave it out" : "did you mean " + meant + "?",
                      {place, 0, 0});
  }
  if (!addressed) {
    if (out == form::none || out == form::other) return form::none;
    throw base::error("the recording does not name its backend",
                      "set the member backend to the id of the plugin", {place, 0, 0});
  }
  if (out == form::none)
    throw base::error("the recording is neither an answer nor a request",
                      "an answer needs heard, and messages or body; a request needs sample, and "
                      "an object as body",
                      {place, 0, 0});
  for (const auto& m : in.GetObject())
    judge_member(base::text_of(&m.name), m.value, out, place);
  if (const json_value* const framing = base::find(in, "framing"); framing != nullptr)
    judge_framing(*framing, base::find(in, "trailers") != nullptr, place);
  if (const json_value* const heard = base::find(in, "heard"); heard != nullptr && heard->Empty())
    throw base::error("heard is empty", "write a line for each call that is heard", {place, 0, 0});
  return out;
}

}  // namespace inferbench::check
