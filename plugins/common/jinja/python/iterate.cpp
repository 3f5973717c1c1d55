#include "iterate.hpp"

#include "python.hpp"
#include "unicode.hpp"

namespace jinja {

namespace {

std::size_t count_of(const value& of) {
  switch (of.what()) {
    case kind::text: return of.text().size();
    case kind::dict: return of.as<dict_object>().items.size();
    case kind::view: return of.as<view_object>().dict.as<dict_object>().items.size();
    case kind::range: return static_cast<std::size_t>(of.as<range_object>().size);
    default: return of.as<sequence_object>().items.size();
  }
}

const char* name_of(const value& of, bool backwards) {
  switch (of.what()) {
    case kind::text: return "str_iterator";
    case kind::dict: return backwards ? "dict_reversekeyiterator" : "dict_keyiterator";
    case kind::view: return backwards ? "dict_reverseitemiterator" : "dict_itemiterator";
    case kind::range: return "range_iterator";
    case kind::tuple: return backwards ? "reversed" : "tuple_iterator";
    default: return backwards ? "list_reverseiterator" : "list_iterator";
  }
}

class items_iterator final : public iterator_object {
 public:
  items_iterator(const value& of, bool backwards)
      : iterator_object(name_of(of, backwards)),
        of_(of),
        left_(count_of(of)),
        at_(backwards ? left_ : 0),
        backwards_(backwards) {}

  bool next(rendering& r, value& out) override {
    if (left_ == 0) return false;
    if (of_.is(kind::text)) {
      const std::string_view text = of_.text();
      const std::size_t size = unicode::width(text[at_]);
      out = r.text(text.substr(at_, size));
      at_ += size;
      left_ -= size;
      return true;
    }
    --left_;
    if (backwards_) --at_;
    out = item(r);
    if (!backwards_) ++at_;
    return true;
  }

 private:
  value item(rendering& r) const {
    if (of_.is(kind::range))
      return value(of_.as<range_object>().at(static_cast<std::int64_t>(at_)));
    if (of_.is(kind::dict)) return of_.as<dict_object>().items[at_].first;
    if (of_.is(kind::view)) {
      const auto& view = of_.as<view_object>();
      const auto& pair = view.dict.as<dict_object>().items[at_];
      if (view.of == view_object::part::items) return r.pair(pair.first, pair.second);
      return view.of == view_object::part::keys ? pair.first : pair.second;
    }
    return of_.as<sequence_object>().items[at_];
  }

  value of_;
  std::size_t left_;
  std::size_t at_;
  bool backwards_;
};

class empty_iterator final : public iterator_object {
 public:
  empty_iterator() : iterator_object("generator", "Undefined.__iter__") {}
  bool next(rendering&, value&) override { return false; }
};

std::int64_t slice_index(const value& of, std::int64_t fallback) {
  if (of.missing() || of.is_none()) return fallback;
  if (!of.is_whole())
    raise_type("slice indices must be integers or None or have an __index__ method");
  return of.integer();
}

/// The first element and the number of elements that a slice takes from a sequence.
struct extract {
  std::int64_t start;
  std::int64_t stop;
  std::int64_t step;
  std::int64_t count;
};

extract resolve(std::int64_t size, const value& from, const value& to, const value& by) {
  extract out{0, 0, std::max(slice_index(by, 1), -INT64_MAX), 0};
  if (out.step == 0) raise_value("slice step cannot be zero");
  const bool forwards = out.step > 0;
  const auto bound = [&](const value& of, std::int64_t fallback) {
    if (of.missing() || of.is_none()) return fallback;
    const std::int64_t at = slice_index(of, 0);
    if (at < 0) return std::max(at < -size ? -1 : at + size, forwards ? std::int64_t{0} : -1);
    return std::min(at, forwards ? size : size - 1);
  };
  out.start = bound(from, forwards ? 0 : size - 1);
  out.stop = bound(to, forwards ? size : -1);
  const std::int64_t span = forwards ? out.stop - out.start : out.start - out.stop;
  if (span > 0) out.count = (span - 1) / (forwards ? out.step : -out.step) + 1;
  return out;
}

value slice_text(rendering& r, const value& of, const extract& take) {
  const auto& text = of.as<text_object>();
  const auto at = [&](std::int64_t index) {
    return unicode::offset(text.view, static_cast<std::size_t>(index));
  };
  r.work(text.view.size());
  if (take.count == 0) return r.text(std::string(), text.markup);
  if (take.step == 1) {
    const std::size_t begin = at(take.start);
    const std::string_view rest = text.view.substr(begin);
    return r.text(rest.substr(0, unicode::offset(rest, static_cast<std::size_t>(take.count))),
                  text.markup);
  }
  std::string out;
  std::size_t byte = at(take.start);
  for (std::int64_t i = 0; i < take.count; ++i) {
    out += text.view.substr(byte, unicode::width(text.view[byte]));
    if (i + 1 == take.count) break;
    for (std::int64_t step = take.step; step > 0; --step)
      byte += unicode::width(text.view[byte]);
    for (std::int64_t step = take.step; step < 0; ++step)
      static_cast<void>(unicode::previous(text.view, byte));
  }
  return r.text(std::move(out), text.markup);
}

}  // namespace

value iterate_items(rendering& r, const value& of, bool backwards) {
  return r.make<items_iterator>(of, backwards);
}

bool iterable(const value& of) {
  switch (of.what()) {
    case kind::text:
    case kind::list:
    case kind::tuple:
    case kind::dict:
    case kind::view:
    case kind::range:
    case kind::undefined:
    case kind::iterator:
    case kind::loop: return true;
    default: return false;
  }
}

value iterate(rendering& r, const value& of) {
  if (!iterable(of)) raise_type("'" + type_name(of) + "' object is not iterable");
  if (of.is(kind::iterator)) return of;
  if (of.is(kind::undefined)) return r.make<empty_iterator>();
  if (of.is(kind::loop)) raise_unsupported("iterating over the variable loop");
  return iterate_items(r, of);
}

bool advance(rendering& r, const value& iterator, value& out) {
  r.step();
  r.stack.check();
  return iterator.as<iterator_object>().next(r, out);
}

values to_values(rendering& r, const value& of) {
  if (of.is(kind::list) || of.is(kind::tuple)) return of.as<sequence_object>().items;
  values out;
  const value iterator = iterate(r, of);
  value item;
  while (advance(r, iterator, item)) {
    out.push_back(item);
    r.allow(out.size() * sizeof(value));
  }
  return out;
}

std::optional<std::int64_t> length_of(rendering& r, const value& of) {
  switch (of.what()) {
    case kind::text:
      r.work(of.text().size());
      return static_cast<std::int64_t>(of.as<text_object>().length());
    case kind::list:
    case kind::tuple:
    case kind::dict:
    case kind::view:
    case kind::range: return static_cast<std::int64_t>(count_of(of));
    case kind::undefined: return 0;
    case kind::loop: return of.as<loop_object>().length(r);
    default: return std::nullopt;
  }
}

bool truth(rendering& r, const value& of) {
  switch (of.what()) {
    case kind::none:
    case kind::missing:
    case kind::undefined: return false;
    case kind::boolean: return of.boolean();
    case kind::integer: return of.integer() != 0;
    case kind::real: return of.number() != 0;
    case kind::text: return !of.text().empty();
    default: {
      const auto length = length_of(r, of);
      return !length || *length != 0;
    }
  }
}

value slice(rendering& r, const value& of, const value& from, const value& to, const value& by) {
  switch (of.what()) {
    case kind::text: {
      const auto size = static_cast<std::int64_t>(of.as<text_object>().length());
      return slice_text(r, of, resolve(size, from, to, by));
    }
    case kind::list:
    case kind::tuple: {
      const values& items = of.as<sequence_object>().items;
      const extract take = resolve(static_cast<std::int64_t>(items.size()), from, to, by);
      values out;
      out.reserve(static_cast<std::size_t>(take.count));
      for (std::int64_t i = 0; i < take.count; ++i)
        out.push_back(items[static_cast<std::size_t>(take.start + i * take.step)]);
      return r.sequence(of.what(), std::move(out));
    }
    case kind::range: {
      const auto& range = of.as<range_object>();
      const extract take = resolve(range.size, from, to, by);
      // Each element fits into 64 bits. The stop, the step, and the start of an empty range need
      // not fit as in Python: they wrap around, and no element depends on them.
      const auto step = static_cast<std::int64_t>(static_cast<std::uint64_t>(range.step) *
                                                  static_cast<std::uint64_t>(take.step));
      return r.make<range_object>(range.at(take.start), range.at(take.stop), step, take.count);
    }
    case kind::undefined: raise_undefined(of);
    case kind::dict: raise_type("unhashable type: 'slice'");
    default: raise_type("'" + type_name(of) + "' object is not subscriptable");
  }
}

bool loop_object::advance(rendering& r) {
  value next;
  if (!peeked.missing())
    next = std::move(peeked);
  else if (!jinja::advance(r, iterator, next))
    return false;
  ++index0;
  previous = std::move(current);
  current = std::move(next);
  return true;
}

bool loop_object::peek(rendering& r) {
  return !peeked.missing() || jinja::advance(r, iterator, peeked);
}

std::int64_t loop_object::length(rendering& r) {
  if (!known_length) known_length = length_of(r, iterable);
  if (!known_length) {
    values rest = to_values(r, iterator);
    known_length = static_cast<std::int64_t>(rest.size()) + index0 + 1 + (peeked.missing() ? 0 : 1);
    iterator = iterate(r, r.list(std::move(rest)));
  }
  return *known_length;
}

}  // namespace jinja
