// Chat messages for protocols without content parts: the content of a message is one string.
#pragma once

#include <inferbench/abi.h>

namespace bodies {

class gather_list;

/// Writes {"role": ..., "content": "..."}. Several texts of a message are joined with line feeds. A
/// message that is a JSON object keeps its members; only a list of text parts in its content
/// becomes one string. Throws ifb::failure, IFB_E_UNSUPPORTED, if the content has a part that is
/// not text.
void put_text_message(const ifb_message& message, gather_list& out);

/// Writes a list of one user message, whose content is the text of these parts.
void put_text_user_message(const ifb_part_list& content, gather_list& out);

}  // namespace bodies
