#include "base/json.hpp"

#include "base/error.hpp"

namespace inferbench::base {

rapidjson::Document parse_json(std::string_view text, const std::string& place) {
  rapidjson::Document document;
  if (const auto wrong = ifb::parse_json(text, document))
    throw error("malformed JSON: " + wrong->why, {}, {place, wrong->line, wrong->column});
  return document;
}

}  // namespace inferbench::base
