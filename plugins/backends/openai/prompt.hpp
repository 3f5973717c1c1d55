// The prompt of a sample as the protocols spell it. Each function writes one JSON
// value, and fails with IFB_E_UNSUPPORTED where the protocol has no form for what
// the sample holds.
#pragma once

#include <inferbench/abi.h>

namespace openai {

class gather;

/// `prompt` of completions: a string, a list of strings, a list of token ids or a
/// list of such lists.
void put_prompt(const ifb_sample& sample, gather& out);

/// `messages` of chat. Shape CHAT: each message as its JSON says, or role and
/// content; content is a string when the message is one text, else a list of parts.
/// Shapes TEXT and PARTS: one user message whose content is the list of the prompt's
/// parts followed by those of `media`.
void put_messages(const ifb_sample& sample, gather& out);

}  // namespace openai
