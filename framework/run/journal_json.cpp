#include "run/journal_json.hpp"

#include "base/error.hpp"

namespace inferbench::run {

namespace {

bool has_more_levels(const base::json_value& value, int than) {
  if (!value.IsArray() && !value.IsObject()) return false;
  if (than == 0) return true;
  if (value.IsArray()) {
    for (const auto& item : value.GetArray())
      if (has_more_levels(item, than - 1)) return true;
  } else {
    for (const auto& member : value.GetObject())
      if (has_more_levels(member.value, than - 1)) return true;
  }
  return false;
}

}  // namespace

rapidjson::Document parse_journal_json(std::string_view text, const std::string& place) {
  rapidjson::Document out = base::parse_json(text, place);
  if (has_more_levels(out, deepest_in_journal))
    throw base::error(
        place + " is nested more than " + std::to_string(deepest_in_journal) + " levels deep",
        "no run writes such a journal");
  return out;
}

}  // namespace inferbench::run
