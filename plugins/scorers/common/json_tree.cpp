#include "json_tree.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

namespace scorers {
namespace {

std::string_view view(const rapidjson::Value& text) {
  return {text.GetString(), text.GetStringLength()};
}

/// Up to this number every whole number is a double.
constexpr double exact = 9007199254740992.0;

void unify_number(rapidjson::Value& number) {
  if (number.IsUint64() && !number.IsInt64())
    number.SetDouble(static_cast<double>(number.GetUint64()));
  if (!number.IsDouble()) return;
  const double value = number.GetDouble();
  if (std::fabs(value) <= exact && std::trunc(value) == value)
    number.SetInt64(static_cast<std::int64_t>(value));
}

void sort_members(rapidjson::Value& object, rapidjson::Document::AllocatorType& memory) {
  std::vector<std::pair<std::string_view, rapidjson::Value::MemberIterator>> order;
  order.reserve(object.MemberCount());
  for (auto at = object.MemberBegin(); at != object.MemberEnd(); ++at)
    order.emplace_back(view(at->name), at);
  std::ranges::sort(order);
  rapidjson::Value sorted(rapidjson::kObjectType);
  std::size_t kept = 0;
  for (std::size_t i = 0; i < order.size(); ++i)
    if (i + 1 == order.size() || order[i].first != order[i + 1].first) order[kept++] = order[i];
  order.resize(kept);
  // The names above may lie in the members, so all members are chosen before the first is moved.
  for (const auto& [name, member] : order)
    sorted.AddMember(member->name, member->value, memory);
  object = sorted;
}

/// Returns the sum of the squares of the lengths of the lists.
std::uint64_t unify(rapidjson::Document& root) {
  std::uint64_t pairs = 0;
  std::vector<rapidjson::Value*> left{&root};
  while (!left.empty()) {
    rapidjson::Value& next = *left.back();
    left.pop_back();
    if (next.IsNumber()) unify_number(next);
    if (next.IsArray()) {
      pairs += std::uint64_t{next.Size()} * next.Size();
      for (auto& item : next.GetArray())
        left.push_back(&item);
    }
    if (next.IsObject()) {
      sort_members(next, root.GetAllocator());
      for (auto& member : next.GetObject())
        left.push_back(&member.value);
    }
  }
  return pairs;
}

/// The rank of a type: all numbers have one rank.
int rank(const rapidjson::Value& value) { return static_cast<int>(value.GetType()); }

std::weak_ordering order(double a, double b) {
  if (a < b) return std::weak_ordering::less;
  return a > b ? std::weak_ordering::greater : std::weak_ordering::equivalent;
}

}  // namespace

tree_outcome json_tree::read(std::string_view text) {
  root_.SetNull();
  size_ = {};
  pairs_ = 0;
  const auto size = measure_json(text);
  if (!size) return tree_outcome::no_json;
  if (size->values > most_values) return tree_outcome::too_large;
  constexpr unsigned flags = rapidjson::kParseFullPrecisionFlag | rapidjson::kParseIterativeFlag;
  root_.Parse<flags>(text.data(), text.size());
  if (root_.HasParseError()) {
    root_.SetNull();
    return tree_outcome::no_json;
  }
  size_ = *size;
  pairs_ = unify(root_);
  return tree_outcome::read;
}

// NOLINTNEXTLINE(misc-no-recursion): at most `deepest` levels
std::weak_ordering compare(const rapidjson::Value& a, const rapidjson::Value& b) {
  if (rank(a) != rank(b)) return rank(a) <=> rank(b);
  if (a.IsString()) return view(a) <=> view(b);
  if (a.IsNumber()) {
    if (a.IsInt64() && b.IsInt64()) return a.GetInt64() <=> b.GetInt64();
    return order(a.GetDouble(), b.GetDouble());
  }
  if (a.IsArray()) {
    if (a.Size() != b.Size()) return a.Size() <=> b.Size();
    for (rapidjson::SizeType i = 0; i < a.Size(); ++i)
      if (const auto found = compare(a[i], b[i]); found != 0) return found;
  }
  if (a.IsObject()) {
    if (a.MemberCount() != b.MemberCount()) return a.MemberCount() <=> b.MemberCount();
    auto of_b = b.MemberBegin();
    for (const auto& of_a : a.GetObject()) {
      if (const auto found = view(of_a.name) <=> view(of_b->name); found != 0) return found;
      if (const auto found = compare(of_a.value, of_b->value); found != 0) return found;
      ++of_b;
    }
  }
  return std::weak_ordering::equivalent;
}

}  // namespace scorers
