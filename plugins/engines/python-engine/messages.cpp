#include "messages.hpp"

#include <algorithm>
#include <array>

namespace python_engine {

namespace {

std::uint64_t stamp(const json_place& from) {
  return static_cast<std::uint64_t>(from.integer_or(0, 0, json_place::largest_stamp));
}

std::string owned(std::string_view text) { return std::string(text); }

}  // namespace

welcome_message read_welcome(const frame& in) {
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const json_place version = root.member("protocol");
  if (const std::int64_t spoken = version.integer(0); spoken != protocol_version)
    throw version.refusal("the worker speaks version " + std::to_string(spoken) +
                          " of the protocol, and this plugin version 1");
  static_cast<void>(root.member("pid").integer(1));
  return {owned(root.member("worker").text()), owned(root.member("adapter").text()),
          owned(root.member("engine").text_or("")), owned(root.member("python").text_or("")),
          owned(root.member("executable").text_or(""))};
}

std::vector<measure_message> read_measures(const json_place& list) {
  std::vector<measure_message> out(list.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const json_place each = list.element(i);
    each.require_object();
    const json_place unit = each.member("unit");
    out[i].name = each.member("name").text();
    out[i].unit = unit.text_or("s");
    if (out[i].unit != "s" && out[i].unit != "1") throw unit.refusal("neither \"s\" nor \"1\"");
    out[i].value = each.member("value").number();
    out[i].began_ns = stamp(each.member("began_ns"));
    out[i].ended_ns = stamp(each.member("ended_ns"));
    if (out[i].ended_ns < out[i].began_ns) throw each.member("ended_ns").refusal("before began_ns");
  }
  return out;
}

bool ready_message::can(std::string_view word) const {
  return std::ranges::find(capabilities, word) != capabilities.end();
}

ready_message read_ready(const frame& in) {
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  ready_message out;
  out.load_ns =
      static_cast<std::uint64_t>(root.member("load_ns").integer(0, json_place::largest_stamp));
  out.max_model_len = root.member("max_model_len").integer_or(-1, 1);
  out.max_adapters = root.member("max_adapters").integer_or(-1, 0);
  const json_place words = root.member("capabilities");
  const std::size_t count = words.size();
  if (words.is_set()) out.capabilities.clear();
  for (std::size_t i = 0; i < count; ++i)
    out.capabilities.emplace_back(words.element(i).text());
  out.profiler = root.member("profiler").text_or("");
  out.profile_path = root.member("profile_path").text_or("");
  const json_place measures = root.member("measures");
  out.measures = read_measures(measures);
  return out;
}

result_message read_result(const json_place& from) {
  from.require_object();
  result_message out;
  out.error = from.member("error").text_or("");
  out.prompt_tokens = from.member("prompt_tokens").integer_or(-1, 0);
  out.arrived_ns = stamp(from.member("arrived_ns"));
  out.first_token_ns = stamp(from.member("first_token_ns"));
  const json_place last = from.member("last_token_ns");
  out.last_token_ns = stamp(last);
  if (out.last_token_ns != 0 && out.last_token_ns < out.first_token_ns)
    throw last.refusal("before first_token_ns");
  const json_place outputs = from.member("outputs");
  const std::size_t count = outputs.size();
  out.outputs.resize(out.error.empty() ? count : 0);
  for (std::size_t i = 0; i < out.outputs.size(); ++i) {
    const json_place each = outputs.element(i);
    each.require_object();
    out.outputs[i] = {each.member("tokens").integer_or(-1, 0), each.member("text").text_or(""),
                      each.member("finish_reason").text_or(""),
                      each.member("finished").boolean_or(true)};
  }
  const json_place measures = from.member("measures");
  out.measures = read_measures(measures);
  return out;
}

log_message read_log(const frame& in) {
  static constexpr std::array<std::string_view, 4> levels = {"debug", "info", "warning", "error"};
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const json_place level = root.member("level");
  const auto found = std::ranges::find(levels, level.text());
  if (found == levels.end()) throw level.refusal("not debug, info, warning or error");
  return {static_cast<std::uint32_t>(found - levels.begin()) + 1,
          owned(root.member("text").text())};
}

progress_message read_progress(const frame& in) {
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const std::int64_t of = root.member("of").integer(0);
  return {static_cast<std::uint64_t>(root.member("done").integer(0, of)),
          static_cast<std::uint64_t>(of)};
}

error_message read_error(const frame& in) {
  static constexpr std::array<std::string_view, 9> kinds = {"import",    "option",      "load",
                                                            "memory",    "unsupported", "run",
                                                            "cancelled", "protocol",    "internal"};
  const ifb::json_document document = read_payload(in);
  const json_place root(in, document);
  const json_place kind = root.member("kind");
  if (std::ranges::find(kinds, kind.text()) == kinds.end())
    throw kind.refusal("\"" + owned(kind.text()) + "\" is none of the protocol's kinds");
  const auto text = [&](std::string_view key) { return owned(root.member(key).text_or("")); };
  return {owned(kind.text()),
          owned(root.member("text").text()),
          root.member("fatal").boolean_or(true),
          text("package"),
          text("option"),
          text("frame"),
          text("field"),
          text("trace")};
}

pong_message read_pong(const frame& in) {
  if (in.payload.size() != 16)
    throw violation(in, std::to_string(in.payload.size()) + " bytes of payload instead of 16");
  return {read_number(in.payload, 0, 8), read_number(in.payload, 8, 8)};
}

}  // namespace python_engine
