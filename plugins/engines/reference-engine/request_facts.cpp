#include "request_facts.hpp"

#include <string>
#include <string_view>

#include <inferbench/views.hpp>

namespace reference_engine {

namespace {

std::int64_t words_of(std::string_view text) {
  std::int64_t out = 0;
  bool inside = false;
  for (const char c : text) {
    const bool space = c == ' ' || (c >= '\t' && c <= '\r');
    out += inside || space ? 0 : 1;
    inside = !space;
  }
  return out;
}

/// The lengths of a list of parts; a medium counts as a medium and not as tokens.
void add_parts(request_facts& to, const ifb_part_list& parts) {
  for (const ifb_part& each : ifb::view(parts))
    switch (each.kind) {
      case IFB_PART_TEXT: to.prompt_tokens += words_of(ifb::view(each.data)); break;
      case IFB_PART_TOKENS:
        to.prompt_tokens += static_cast<std::int64_t>(ifb::tokens_of(each).size());
        break;
      case IFB_PART_IMAGE:
      case IFB_PART_AUDIO:
      case IFB_PART_VIDEO: ++to.media; break;
      default:
        throw ifb::failure{IFB_E_UNSUPPORTED, "the engine takes no part of kind " +
                                                  std::to_string(each.kind) + " in a prompt"};
    }
}

void add_messages(request_facts& to, const ifb_sample& sample) {
  for (const ifb_message& each : ifb::view(sample.messages))
    if (each.json.size != 0)
      to.prompt_tokens += words_of(ifb::view(each.json));
    else
      add_parts(to, each.parts);
}

/// The length and the media of the prompt.
void add_prompt(request_facts& out, const ifb_sample& sample, bool chats) {
  bool counted = false;  // by the ids of the prompt
  switch (sample.shape) {
    case IFB_PROMPT_TOKENS:
    case IFB_PROMPT_TOKEN_LISTS: counted = true; [[fallthrough]];
    case IFB_PROMPT_TEXTS:
    case IFB_PROMPT_PARTS: add_parts(out, sample.prompt); break;
    case IFB_PROMPT_TEXT:
      if (chats && sample.messages.count != 0)
        add_messages(out, sample);
      else
        add_parts(out, sample.prompt);
      break;
    case IFB_PROMPT_CHAT:
      if (!chats)
        throw ifb::failure{IFB_E_UNSUPPORTED, "messages are for a chat, and this is no chat"};
      add_messages(out, sample);
      break;
    default:
      throw ifb::failure{IFB_E_UNSUPPORTED,
                         "the engine takes no prompt of shape " + std::to_string(sample.shape)};
  }
  if (!counted && sample.input_tokens >= 0) out.prompt_tokens = sample.input_tokens;
}

}  // namespace

request_facts facts_of(const ifb_sample& sample, const request_limits& limits,
                       const reference_options& given) {
  request_facts out;
  add_prompt(out, sample, limits.chats);
  out.media += sample.media.count;
  out.output_tokens = limits.wanted >= 0 ? limits.wanted : sample.output_tokens;
  if (out.output_tokens < 0) throw ifb::failure{IFB_E_CONFIG, "no length of the output is known"};
  if (out.output_tokens == 0) throw ifb::failure{IFB_E_CONFIG, "an output has no token"};
  if (out.output_tokens > given.max_model_len ||
      out.prompt_tokens > given.max_model_len - out.output_tokens)
    throw ifb::failure{IFB_E_REMOTE, "a prompt of " + std::to_string(out.prompt_tokens) +
                                         " tokens and an output of " +
                                         std::to_string(out.output_tokens) + " are more than the " +
                                         std::to_string(given.max_model_len) +
                                         " tokens of max-model-len"};
  if (!limits.ignores_eos && given.stop_after && *given.stop_after < out.output_tokens) {
    out.output_tokens = *given.stop_after;
    out.stops = true;
  }
  return out;
}

}  // namespace reference_engine
