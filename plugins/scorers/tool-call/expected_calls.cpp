#include "expected_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>

namespace scorers {
namespace {

using json = rapidjson::Value;

std::string plain(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (char c : text) {
    if (std::string_view(" ,./-_*^").find(c) != std::string_view::npos) continue;
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    out += c == '\'' ? '"' : c;
  }
  return out;
}

bool same_text(std::string_view a, std::string_view b) { return a == b || plain(a) == plain(b); }

bool may_be_missing(const json& allowed) {
  return allowed.IsArray() && std::ranges::any_of(allowed.GetArray(), [](const json& each) {
           return each.IsString() && each.GetStringLength() == 0;
         });
}

/// Returns whether the members of `value` have values that `allowed` lists for them.
// NOLINTNEXTLINE(misc-no-recursion): at most `deepest` levels
bool are_allowed(const json& value, const json& allowed) {
  if (value.MemberCount() > allowed.MemberCount()) return false;  // names occur once in a tree
  for (const auto& [name, member] : value.GetObject()) {
    const json* const listed = ifb::find(allowed, ifb::text_of(&name));
    if (listed == nullptr || !is_allowed(member, *listed)) return false;
  }
  return std::ranges::all_of(allowed.GetObject(), [&](const auto& each) {
    return ifb::find(value, ifb::text_of(&each.name)) != nullptr || may_be_missing(each.value);
  });
}

/// Returns whether a value is this allowed value.
// NOLINTNEXTLINE(misc-no-recursion): at most `deepest` levels
bool equals(const json& value, const json& allowed) {
  if (value.IsString() && allowed.IsString())
    return same_text(ifb::text_of(&value), ifb::text_of(&allowed));
  if (value.IsArray() && allowed.IsArray())
    return std::ranges::equal(value.GetArray(), allowed.GetArray(), equals);
  if (value.IsObject() && allowed.IsObject() && are_allowed(value, allowed)) return true;
  return compare(value, allowed) == 0;
}

bool is_of(const call& made, const expected_call& expected) {
  if (made.name != expected.exact.name || made.outcome != tree_outcome::read ||
      !made.arguments.root().IsObject())
    return false;
  if (!expected.allowed) return same(made.arguments, expected.exact.arguments);
  return are_allowed(made.arguments.root(), expected.allowed->root());
}

bool is_object_of_lists(const json& value) {
  return value.IsObject() && std::ranges::all_of(value.GetObject(), [](const auto& member) {
           return member.value.IsArray();
         });
}

/// Gives each call of an answer an expected call of its own. A call may be several of the expected
/// calls, so a call can get the place of an earlier call, which then gets another place.
class assignment {
 public:
  assignment(const std::vector<call>& made, const std::vector<expected_call>& expected)
      : fits_(made.size(), std::vector<bool>(expected.size())), owner_(expected.size()) {
    for (std::size_t i = 0; i < made.size(); ++i)
      for (std::size_t k = 0; k < expected.size(); ++k)
        fits_[i][k] = is_of(made[i], expected[k]);
  }

  [[nodiscard]] bool is_complete() {
    for (std::size_t i = 0; i < fits_.size(); ++i)
      if (!give(i)) return false;
    return true;
  }

 private:
  /// A search in breadth for a place that is free, over the places of other calls.
  bool give(std::size_t first) {
    std::vector<std::optional<std::size_t>> reached(owner_.size());  // by the call
    std::vector<std::size_t> open{first};
    std::vector<std::size_t> place(fits_.size(), owner_.size());  // of each call
    for (std::size_t k = 0; k < owner_.size(); ++k)
      if (owner_[k]) place[*owner_[k]] = k;
    for (std::size_t next = 0; next < open.size(); ++next) {
      const std::size_t i = open[next];
      for (std::size_t k = 0; k < owner_.size(); ++k) {
        if (!fits_[i][k] || reached[k]) continue;
        reached[k] = i;
        if (owner_[k]) {
          open.push_back(*owner_[k]);
          continue;
        }
        for (std::size_t at = k; at != owner_.size();) {
          const std::size_t taker = *reached[at];
          owner_[at] = taker;
          at = place[taker];
        }
        return true;
      }
    }
    return false;
  }

  std::vector<std::vector<bool>> fits_;
  std::vector<std::optional<std::size_t>> owner_;  // the call that has the place
};

}  // namespace

// NOLINTNEXTLINE(misc-no-recursion): at most `deepest` levels
bool is_allowed(const json& value, const json& allowed) {
  if (!allowed.IsArray()) return equals(value, allowed);
  return std::ranges::any_of(allowed.GetArray(),
                             [&](const json& each) { return equals(value, each); }) ||
         compare(value, allowed) == 0;
}

std::optional<expected_calls> expected_calls::read(std::string_view text) {
  json_tree all;
  if (all.read(text) != tree_outcome::read || !all.root().IsArray()) return std::nullopt;
  expected_calls out;
  for (const json& each : all.root().GetArray()) {
    const json* const name = ifb::find(each, "name");
    const json* const allowed = ifb::find(each, "allowed");
    auto read = call_of(each);
    if (!read && (allowed == nullptr || !is_object_of_lists(*allowed) || name == nullptr ||
                  !name->IsString()))
      return std::nullopt;
    expected_call& one = out.calls_.emplace_back();
    if (read) {
      one.exact = std::move(*read);
      continue;
    }
    one.exact.name = ifb::text_of(name);
    one.exact.outcome = one.allowed.emplace().read(ifb::to_text(*allowed));
  }
  return out;
}

bool expected_calls::readable() const {
  return std::ranges::all_of(
      calls_, [](const expected_call& c) { return c.exact.outcome == tree_outcome::read; });
}

bool expected_calls::has_allowed_values() const {
  return std::ranges::any_of(calls_, [](const expected_call& c) { return c.allowed.has_value(); });
}

bool expected_calls::accepts(const std::vector<call>& made) const {
  return made.size() == calls_.size() && assignment(made, calls_).is_complete();
}

}  // namespace scorers
