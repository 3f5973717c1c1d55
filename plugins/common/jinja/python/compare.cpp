#include <algorithm>
#include <functional>

#include "python.hpp"
#include "rendering.hpp"

namespace jinja {

namespace {

/// A long double represents every 64-bit integer and every double exactly.
long double exact(const value& of) noexcept {
  return of.is(kind::real) ? static_cast<long double>(of.number())
                           : static_cast<long double>(of.integer());
}

bool equal_pairs(const dict_object& a, const dict_object& b) {
  return a.items.size() == b.items.size() && std::ranges::all_of(a.items, [&](const auto& item) {
           const value* const other = b.find(item.first);
           return other != nullptr && equals(item.second, *other);
         });
}

bool equal_ranges(const range_object& a, const range_object& b) noexcept {
  if (a.size != b.size) return false;
  return a.size == 0 || (a.start == b.start && (a.size == 1 || a.step == b.step));
}

constexpr const char* symbols[] = {"==", "!=", "<", "<=", ">", ">="};

template <typename T>
bool ordered(comparison how, const T& a, const T& b) {
  switch (how) {
    case comparison::lt: return a < b;
    case comparison::lteq: return a <= b;
    case comparison::gt: return a > b;
    default: return a >= b;
  }
}

bool order(rendering& r, comparison how, const value& a, const value& b);

bool order_items(rendering& r, comparison how, const values& a, const values& b) {
  const std::size_t common = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < common; ++i)
    if (!equals(a[i], b[i])) return order(r, how, a[i], b[i]);
  return ordered(how, a.size(), b.size());
}

bool order(rendering& r, comparison how, const value& a, const value& b) {
  if (a.is(kind::undefined)) raise_undefined(a);
  if (b.is(kind::undefined)) raise_undefined(b);
  if (a.is_whole() && b.is_whole()) return ordered(how, a.integer(), b.integer());
  if (a.is_number() && b.is_number()) return ordered(how, exact(a), exact(b));
  // The byte order of UTF-8 is equal to the order of the code points.
  if (a.is(kind::text) && b.is(kind::text)) {
    r.work(std::min(a.text().size(), b.text().size()));
    return ordered(how, a.text(), b.text());
  }
  if (a.what() == b.what() && (a.is(kind::list) || a.is(kind::tuple)))
    return order_items(r, how, a.as<sequence_object>().items, b.as<sequence_object>().items);
  raise_type(std::string("'") + symbols[static_cast<int>(how)] +
             "' not supported between instances of '" + type_name(a) + "' and '" + type_name(b) +
             "'");
}

}  // namespace

bool equals(const value& a, const value& b) {
  if (a.same(b) && !a.is(kind::real)) return true;
  if (a.is_whole() && b.is_whole()) return a.integer() == b.integer();
  if (a.is_number() && b.is_number()) return exact(a) == exact(b);
  if (a.what() != b.what()) return false;
  switch (a.what()) {
    case kind::none:
    case kind::undefined: return true;
    case kind::text: return a.text() == b.text();
    case kind::list:
    case kind::tuple: {
      const values& left = a.as<sequence_object>().items;
      const values& right = b.as<sequence_object>().items;
      return left.size() == right.size() &&
             std::ranges::equal(left, right, [](const value& x, const value& y) {
               return x.same(y) || equals(x, y);
             });
    }
    case kind::dict: return equal_pairs(a.as<dict_object>(), b.as<dict_object>());
    case kind::range: return equal_ranges(a.as<range_object>(), b.as<range_object>());
    case kind::native:
      return a.as<native_object>().what_is_called == b.as<native_object>().what_is_called &&
             a.as<native_object>().self.same(b.as<native_object>().self);
    default: return false;
  }
}

std::size_t hash_of(const value& of) {
  // Equal numbers of different types must have equal hashes. A double is precise enough for a hash.
  if (of.is_number()) return std::hash<double>{}(of.number());
  if (of.is(kind::text)) return std::hash<std::string_view>{}(of.text());
  if (of.is(kind::tuple)) {
    std::size_t out = 0x345678;
    for (const value& item : of.as<sequence_object>().items)
      out = out * 1000003 ^ hash_of(item);
    return out;
  }
  return static_cast<std::size_t>(of.what());
}

void require_hashable(const value& of) {
  if (of.is(kind::tuple)) {
    for (const value& item : of.as<sequence_object>().items)
      require_hashable(item);
  } else if (of.is(kind::list) || of.is(kind::dict) ||
             (of.is(kind::view) && of.as<view_object>().of != view_object::part::contents)) {
    raise_type("unhashable type: '" + type_name(of) + "'");
  }
}

bool less(rendering& r, const value& a, const value& b) {
  r.walk(a);
  r.walk(b);
  return order(r, comparison::lt, a, b);
}

bool compare(rendering& r, comparison how, const value& a, const value& b) {
  if (how == comparison::in) return contains(r, b, a);
  if (how == comparison::notin) return !contains(r, b, a);
  r.walk(a);
  r.walk(b);
  if (how == comparison::eq) return equals(a, b);
  if (how == comparison::ne) return !equals(a, b);
  return order(r, how, a, b);
}

bool contains(rendering& r, const value& whole, const value& part) {
  switch (whole.what()) {
    case kind::text:
      if (!part.is(kind::text))
        raise_type("'in <string>' requires string as left operand, not " + type_name(part));
      r.search(whole.text().size(), part.text().size());
      return whole.text().find(part.text()) != std::string_view::npos;
    case kind::dict:
      r.walk(part);
      require_hashable(part);
      return whole.as<dict_object>().find(part) != nullptr;
    case kind::list:
    case kind::tuple:
      r.walk(whole);
      return std::ranges::any_of(whole.as<sequence_object>().items, [&](const value& item) {
        return item.same(part) || equals(item, part);
      });
    case kind::undefined:
    case kind::view:
    case kind::range:
    case kind::iterator: {
      const value iterator = iterate(r, whole);
      value item;
      while (advance(r, iterator, item)) {
        r.walk(item);
        if (item.same(part) || equals(item, part)) return true;
      }
      return false;
    }
    default: raise_type("argument of type '" + type_name(whole) + "' is not iterable");
  }
}

}  // namespace jinja
