#include "row_copy.hpp"

#include <cmath>

#include "limits.hpp"

namespace tables {

namespace {

/// Replaces NaN and infinities by null. `value` must be shallow.
void make_finite(ifb::json_value& value) {
  if (value.IsDouble() && !std::isfinite(value.GetDouble())) value.SetNull();
  if (value.IsArray())
    for (auto& element : value.GetArray())
      make_finite(element);
  if (value.IsObject())
    for (auto& member : value.GetObject())
      make_finite(member.value);
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

bool copy_columns(const ifb::json_value& whole, const std::vector<wanted_column>& columns,
                  ifb::json_document& out) {
  out.SetNull();
  auto& memory = out.GetAllocator();
  memory.Clear();
  out.SetObject();
  for (const wanted_column& each : columns) {
    const ifb::json_value* const found = ifb::find(whole, each.name);
    if (found == nullptr && each.may_be_missing) continue;
    ifb::json_value value;
    if (found != nullptr) {
      if (!is_shallow(*found)) return false;
      value.CopyFrom(*found, memory);
      make_finite(value);
    }
    ifb::json_value key(each.name, memory);
    out.AddMember(key, value, memory);
  }
  return true;
}

}  // namespace tables
