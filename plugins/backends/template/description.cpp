#include "description.hpp"

#include <algorithm>
#include <array>

#include <inferbench/abi.h>

namespace template_backend {
namespace {

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           marks.find(c) != marks.npos;
  });
}

bool has_control(std::string_view text) {
  return std::ranges::any_of(text, [](char c) {
    return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7F;
  });
}

std::string in_quotes(const std::string& text) { return "\"" + text + "\""; }

}  // namespace

description::description(const std::string& file) : document_(read_document(file)) {
  table root(document_, document_.root(), "");
  const value* const request = root.find("request", value::kind::table);
  const value* const stream = root.find("stream", value::kind::table);
  const value* const whole = root.find("whole", value::kind::table);
  root.refuse_others();
  if (request == nullptr)
    document_.refuse(1, "there is no table [request]",
                     "say where requests go and what is in them: [request] path = ..., "
                     "[request.body]");
  if (stream == nullptr && whole == nullptr)
    document_.refuse(1, "there is neither [stream] nor [whole]",
                     "say where in an answer its text stands, such as [stream] text = ...");
  read_request(table(document_, *request, "[request]"));
  if (stream != nullptr) stream_ = read_section(table(document_, *stream, "[stream]"), true);
  if (whole != nullptr) whole_ = read_section(table(document_, *whole, "[whole]"), false);
  for (const auto* one : {stream_ ? &*stream_ : nullptr, whole_ ? &*whole_ : nullptr}) {
    if (one != nullptr && one->path == nullptr && path_ == nullptr)
      document_.refuse(request->line, "[request] has no path",
                       "say where requests go, such as path = \"/generate_stream\"");
  }
}

void description::read_request(table request) {
  method_ = request.text("method").value_or("POST");
  if (!is_token(method_))
    request.refuse(*request.find("method"), in_quotes(method_) + " is not an HTTP method",
                   "write POST, or leave it out");
  path_ = read_path(request);
  if (const value* headers = request.find("headers", value::kind::table)) read_headers(*headers);
  body_ = request.find("body", value::kind::table);
  read_extra(request);
  request.refuse_others();
}

const value* description::read_path(table& from) {
  const value* const found = from.find("path", value::kind::text);
  if (found == nullptr) return nullptr;
  if (!found->text.starts_with('/') || has_control(found->text) ||
      found->text.find(' ') != std::string::npos)
    from.refuse(*found, "path is " + in_quotes(found->text),
                "it begins with / and has no blanks: it is appended to the base URL");
  return found;
}

void description::read_headers(const value& from) {
  for (std::size_t i = 0; i < from.names.size(); ++i) {
    const value& one = from.items[i];
    if (!is_token(from.names[i]))
      document_.refuse(one.line, in_quotes(from.names[i]) + " is not a valid header name",
                       "letters, digits and dashes make one");
    if (one.what != value::kind::text || has_control(one.text))
      document_.refuse(one.line, "the header " + from.names[i] + " is not a text of one line",
                       "write its value in quotes");
    headers_.emplace_back(from.names[i], &one);
  }
}

void description::read_extra(table& request) {
  const value* const found = request.find("extra-body", value::kind::text);
  if (found == nullptr) return;
  const auto names = request.paths("extra-body", *found);
  for (const step& each : names.front()) {
    if (each.in_list)
      request.refuse(*found, "extra-body names an element of a list",
                     "name a table of the body, such as \"parameters\"");
    extra_.push_back(each.key);
  }
  if (body_ == nullptr)
    request.refuse(*found, "extra-body names a table of the body, and there is none",
                   "add [request.body]");
}

void description::read_end(table& from, section& out) {
  const auto told = [&](std::string_view key, const std::string& what) {
    out.has_end = true;
    out.end_told += (out.end_told.empty() ? "" : " or ") + std::string(key) + " = " + what;
  };
  out.end_data = from.text("end-data");
  if (out.end_data) told("end-data", in_quotes(*out.end_data));
  out.end_event = from.text("end-event");
  if (out.end_event) told("end-event", in_quotes(*out.end_event));
  if (const value* end = from.find("end-member")) {
    const auto members = from.paths("end-member", *end);
    out.where.add(part::end, members);
    if (!members.empty())
      told("end-member", in_quotes(end->what == value::kind::text ? end->text : "..."));
  }
  out.error_event = from.text("error-event").value_or("error");
}

section description::read_section(table from, bool streamed) {
  section out;
  out.streamed = streamed;
  out.path = read_path(from);
  struct named_part {
    const char* key;
    part what;
  };
  static constexpr std::array of_both{
      named_part{"text", part::text},
      named_part{"reasoning", part::reasoning},
      named_part{"finish-reason", part::finish_reason},
      named_part{"prompt-tokens", part::prompt_tokens},
      named_part{"cached-tokens", part::cached_tokens},
      named_part{"output-tokens", part::output_tokens},
      named_part{"reasoning-tokens", part::reasoning_tokens},
  };
  for (const auto& [key, what] : of_both)
    out.where.add(what, from.paths(key));
  const value* const error = from.find("error");
  out.where.add(part::error, error != nullptr ? from.paths("error", *error)
                                              : std::vector<path>{{step{.key = "error"}}});
  if (streamed) {
    const value* const framing = from.find("framing", value::kind::text);
    if (framing != nullptr && framing->text != "sse" && framing->text != "lines")
      from.refuse(*framing, "framing is " + in_quotes(framing->text),
                  "it is \"sse\" (server-sent events) or \"lines\" (an object a line)");
    const bool lines = framing != nullptr && framing->text == "lines";
    out.framing = lines ? IFB_FRAMING_LINES : IFB_FRAMING_SSE;
    if (const value* tokens = from.find("tokens");
        tokens != nullptr && tokens->what == value::kind::integer) {
      if (tokens->integer < 1 || tokens->integer > INT32_MAX)
        from.refuse(*tokens, "tokens is " + std::to_string(tokens->integer),
                    "an event with text has at least 1 token");
      out.tokens_each = tokens->integer;
    } else if (tokens != nullptr) {
      out.where.add(part::tokens, from.paths("tokens", *tokens));
    }
    out.where.add(part::token_ids, from.paths("token-ids"));
    out.where.add(part::choice, from.paths("choice"));
    out.where.add(part::special, from.paths("special"));
    out.where.add(part::token_event, from.paths("token-event"));
    out.marked_events = out.where.knows(part::token_event);
    out.cumulative = from.boolean("cumulative").value_or(false);
    out.skip_empty = from.boolean("skip-empty").value_or(false);
    read_end(from, out);
    if (lines && out.end_event)
      from.refuse(*from.find("end-event"),
                  "end-event has no meaning for lines, which have no names",
                  "use end-member or end-data");
  } else {
    out.framing = IFB_FRAMING_WHOLE;
  }
  from.refuse_others();
  if (!out.where.knows(part::text))
    document_.refuse(from.line(), from.title() + " has no text",
                     "say where it stands, such as text = \"token.text\"");
  return out;
}

}  // namespace template_backend
