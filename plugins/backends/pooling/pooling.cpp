#include "pooling.hpp"

#include <inferbench/guard.hpp>

#include "backends/bodies/json.hpp"
#include "backends/openai_family/event.hpp"
#include "backends/openai_family/tokens.hpp"

namespace openai {
namespace {

/// Returns the length of the prompt from the usage in `data`, or -1 if `data` does not contain it.
std::int64_t prompt_tokens(event_reader& reader, std::string_view data, std::string_view where) {
  event said;
  switch (reader.read(data, said)) {
    case verdict::read: return said.usage.prompt;
    case verdict::refused: throw ifb::failure{IFB_E_REMOTE, reader.trouble()};
    case verdict::malformed:
      throw ifb::failure{IFB_E_PROTOCOL, std::string(where) + reader.trouble()};
    case verdict::nothing: break;
  }
  throw ifb::failure{IFB_E_PROTOCOL, std::string(where) + "the server sent an empty answer"};
}

std::int64_t prompt_tokens(std::string_view data, std::string_view where) {
  // A reader keeps buffers as large as the largest text that it has read. A large answer therefore
  // gets its own reader, so that the thread's reader stays small.
  constexpr std::size_t ordinary = std::size_t{1} << 20U;
  if (data.size() > ordinary) {
    event_reader reader;
    return prompt_tokens(reader, data, where);
  }
  thread_local event_reader reader;
  return prompt_tokens(reader, data, where);
}

answer_form form_of(const bodies::body_layout& layout) {
  const auto wanted = layout.find("encoding_format");
  if (wanted == "\"bytes\"") return answer_form::bytes;
  return wanted == "\"bytes_only\"" ? answer_form::bytes_only : answer_form::json;
}

}  // namespace

std::uint32_t pooling_exchange::on_head(const ifb_http_head& head) {
  if (head.status != 200) return IFB_FRAMING_AUTO;
  if (form_ == answer_form::bytes) {
    if (const auto metadata = bodies::header(head, "metadata"))
      server_tokens_ = prompt_tokens(*metadata, "in the header metadata: ");
    else
      form_ = answer_form::json;  // the server does not support the form "bytes"
  }
  return form_ == answer_form::json ? IFB_FRAMING_WHOLE : IFB_FRAMING_RAW;
}

void pooling_exchange::on_message(const ifb::http_message& message, ifb::output out) {
  if (form_ != answer_form::json) return;
  try {
    server_tokens_ = prompt_tokens(message.data(), {});
  } catch (const ifb::failure&) {
    keep_partial_answer(out);
    throw;
  }
}

void pooling_exchange::on_end(ifb::output out) {
  out.usage({.prompt = form_ == answer_form::bytes_only ? client_tokens_ : server_tokens_});
  out.attribute("num_input_sequences", std::to_string(inputs_));
  out.done();
}

pooling_way::pooling_way(const common_options& chosen, const endpoint_rule& rule,
                         std::string_view backend)
    : endpoint_(chosen.endpoint), model_(bodies::quoted(chosen.model)) {
  check(chosen, rule, backend);
}

pooling_exchange pooling_way::open(const bodies::request_layout& layout, const ifb_sample& sample,
                                   bodies::prompt_writer write_prompt, std::size_t inputs,
                                   ifb::arena memory) const {
  return {{bodies::write_body(layout, model_, sample, write_prompt, memory), endpoint_},
          form_of(*layout),
          sample.input_tokens,
          inputs};
}

}  // namespace openai
