#include "turn_counter.hpp"

verdict turn_counter::result() const {
  if (!object_) return verdict::no_object;
  if (!conversations_) return verdict::no_conversations;
  if (!list_) return verdict::no_list;
  return turns_ < 2 ? verdict::too_few_turns : verdict::row;
}

std::string_view text_of(verdict reason) {
  switch (reason) {
    case verdict::no_object: return "not an object";
    case verdict::no_conversations: return "no \"conversations\"";
    case verdict::no_list: return "\"conversations\" is not a list";
    case verdict::too_few_turns: return "fewer than two turns";
    case verdict::row: break;
  }
  return "";
}
