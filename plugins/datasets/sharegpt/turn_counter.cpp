#include "turn_counter.hpp"

namespace sharegpt {

verdict turn_counter::result(std::size_t least) const {
  if (!object_) return verdict::no_object;
  if (!conversations_) return verdict::no_conversations;
  if (!list_) return verdict::no_list;
  return turns_ < least ? verdict::too_few_turns : verdict::row;
}

std::string_view text_of(verdict reason, std::size_t least) {
  switch (reason) {
    case verdict::no_object: return "not an object";
    case verdict::no_conversations: return "no \"conversations\"";
    case verdict::no_list: return "\"conversations\" is not a list";
    case verdict::too_few_turns: return least == 1 ? "without a turn" : "fewer than two turns";
    case verdict::row: break;
  }
  return "";
}

}  // namespace sharegpt
