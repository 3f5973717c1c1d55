#include "row_context.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace hf {

namespace {

using allocator = ifb::json_document::AllocatorType;

ifb::json_value text_reference(const ifb::json_value& text) {
  return ifb::json_value(rapidjson::StringRef(text.GetString(), text.GetStringLength()));
}

// Copies the structure of a value, but not its texts.
// NOLINTNEXTLINE(misc-no-recursion): the depth of a row is limited (datasets/tables/limits.hpp)
ifb::json_value referring_copy(const ifb::json_value& of, allocator& memory) {
  switch (of.GetType()) {
    case rapidjson::kStringType: return text_reference(of);
    case rapidjson::kArrayType: {
      ifb::json_value out(rapidjson::kArrayType);
      out.Reserve(of.Size(), memory);
      for (const auto& each : of.GetArray())
        out.PushBack(referring_copy(each, memory), memory);
      return out;
    }
    case rapidjson::kObjectType: {
      ifb::json_value out(rapidjson::kObjectType);
      for (const auto& each : of.GetObject())
        out.AddMember(text_reference(each.name), referring_copy(each.value, memory), memory);
      return out;
    }
    default: return ifb::json_value(of, memory);  // has no text
  }
}

}  // namespace

row_context::row_context(run_facts facts, std::vector<std::string> columns,
                         std::vector<std::string> hidden, bool whole_row)
    : facts_(std::move(facts)),
      columns_(std::move(columns)),
      hidden_(std::move(hidden)),
      whole_row_(whole_row) {}

ifb::json_document row_context::of(const ifb::json_value& row) const {
  ifb::json_document out(rapidjson::kObjectType);
  allocator& memory = out.GetAllocator();
  for (const auto& each : row.GetObject()) {
    const std::string_view name = ifb::text_of(&each.name);
    // A column with the name of such a variable is reached through `row`.
    if (name == row_variable || name == run_variable ||
        std::ranges::find(hidden_, name) != hidden_.end())
      continue;
    out.AddMember(text_reference(each.name), referring_copy(each.value, memory), memory);
  }
  if (whole_row_)
    out.AddMember(rapidjson::StringRef(row_variable), referring_copy(row, memory), memory);

  ifb::json_value run(rapidjson::kObjectType);
  const auto add = [&](const char* name, ifb::json_value fact) {
    run.AddMember(rapidjson::StringRef(name), fact, memory);
  };
  add("tokenizer", ifb::json_value(rapidjson::StringRef(facts_.tokenizer.c_str())));
  add("blazedit_min_distance", ifb::json_value(facts_.blazedit_min_distance));
  add("blazedit_max_distance", ifb::json_value(facts_.blazedit_max_distance));
  add("asr_min_audio_len_sec", ifb::json_value(facts_.asr_min_audio_len_sec));
  add("asr_max_audio_len_sec", ifb::json_value(facts_.asr_max_audio_len_sec));
  out.AddMember(rapidjson::StringRef(run_variable), run, memory);
  return out;
}

std::string row_context::missing(const ifb::json_value& row) const {
  for (const std::string& column : columns_) {
    if (column.ends_with('?')) continue;
    const ifb::json_value* const value = ifb::find(row, column);
    if (value == nullptr || value->IsNull()) return column;
  }
  return {};
}

}  // namespace hf
