#include "row_copy.hpp"

#include <cmath>

#include <inferbench/guard.hpp>

#include "limits.hpp"

namespace tables {

namespace {

/// Replaces NaN and infinities by null. Returns false if `value` is nested too deeply.
bool make_finite(ifb::json_value& value, int depth = 0) {
  if (depth > deepest_row) return false;
  if (value.IsDouble() && !std::isfinite(value.GetDouble())) value.SetNull();
  if (value.IsArray())
    for (auto& element : value.GetArray())
      if (!make_finite(element, depth + 1)) return false;
  if (value.IsObject())
    for (auto& member : value.GetObject())
      if (!make_finite(member.value, depth + 1)) return false;
  return true;
}

/// Returns whether the value is nested at most `deepest_row` deep. Needs no recursion deeper than
/// that.
bool is_shallow(const ifb::json_value& value, int depth = 0) {
  if (depth > deepest_row) return false;
  if (value.IsArray())
    for (const auto& element : value.GetArray())
      if (!is_shallow(element, depth + 1)) return false;
  if (value.IsObject())
    for (const auto& member : value.GetObject())
      if (!is_shallow(member.value, depth + 1)) return false;
  return true;
}

}  // namespace

void copy_columns(const ifb::json_value& whole, const std::vector<wanted_column>& columns,
                  ifb::json_document& out, const std::string& place) {
  out.SetNull();
  auto& memory = out.GetAllocator();
  memory.Clear();
  out.SetObject();
  for (const wanted_column& each : columns) {
    const ifb::json_value* const found = ifb::find(whole, each.name);
    if (found == nullptr && each.may_be_missing) continue;
    ifb::json_value value;
    if (found != nullptr) {
      if (!is_shallow(*found))
        throw ifb::failure(
            IFB_E_DATA,
            place + " is nested more than " + std::to_string(deepest_row) + " levels deep", "path");
      value.CopyFrom(*found, memory);
      make_finite(value);
    }
    ifb::json_value key(each.name, memory);
    out.AddMember(key, value, memory);
  }
}

}  // namespace tables
