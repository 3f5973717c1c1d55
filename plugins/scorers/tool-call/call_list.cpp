#include "call_list.hpp"

#include <algorithm>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>

namespace scorers {
namespace {

bool before(const call& a, const call& b) {
  if (a.name != b.name) return a.name < b.name;
  return compare(a.arguments.root(), b.arguments.root()) < 0;
}

}  // namespace

std::optional<std::vector<call>> read_calls(std::string_view text) {
  json_tree all;
  if (all.read(text) != tree_outcome::read || !all.root().IsArray()) return std::nullopt;
  std::vector<call> out;
  for (const auto& each : all.root().GetArray()) {
    const rapidjson::Value* const name = ifb::find(each, "name");
    const rapidjson::Value* const arguments = ifb::find(each, "arguments");
    if (name == nullptr || !name->IsString() || arguments == nullptr) return std::nullopt;
    call one;
    one.name = ifb::text_of(name);
    if (arguments->IsString())
      one.outcome = one.arguments.read(ifb::text_of(arguments));
    else
      one.outcome = one.arguments.read(ifb::to_text(*arguments));
    out.push_back(std::move(one));
  }
  return out;
}

bool same_calls(std::vector<call>& a, std::vector<call>& b) {
  if (a.size() != b.size()) return false;
  std::ranges::sort(a, before);
  std::ranges::sort(b, before);
  return std::ranges::equal(a, b, [](const call& one, const call& other) {
    return one.name == other.name && same(one.arguments, other.arguments);
  });
}

}  // namespace scorers
