// The kinds of objects to which values refer. Lists, tuples, dicts and strings never change after
// their construction: the sandbox does not let templates change them, so they are shared instead of
// copied.
#pragma once

#include <optional>
#include <span>

#include "value.hpp"

namespace jinja {

class rendering;

/// str, and Markup, the kind of str that counts as escaped.
struct text_object final : object {
  explicit text_object(std::string of, bool marked = false)
      : object(kind::text), own(std::move(of)), view(own), markup(marked) {}
  /// Refers to bytes that must outlive the object.
  explicit text_object(std::string_view of) : object(kind::text), view(of) {}

  /// Returns the number of code points.
  [[nodiscard]] std::size_t length() const noexcept;

  std::string own;
  std::string_view view;
  bool markup = false;

 private:
  static constexpr std::size_t unknown = static_cast<std::size_t>(-1);
  mutable std::size_t length_ = unknown;
};

inline std::string_view value::text() const noexcept { return as<text_object>().view; }

/// The depth of a value, and the number of values that a walk through it visits. A value that
/// contains another value twice counts it twice. Therefore a walk that would be too long is known
/// before it begins.
struct extent {
  void include(const value& part) noexcept;
  std::uint32_t depth = 1;
  std::uint64_t weight = 1;
};
[[nodiscard]] extent extent_of(const value& of) noexcept;

/// A list or a tuple.
struct sequence_object final : object {
  sequence_object(kind of, values elements) : object(of), items(std::move(elements)) {
    for (const value& item : items)
      size.include(item);
  }
  values items;
  extent size;
  /// Whether the filter groupby made this tuple. If so, its elements have the names `grouper` and
  /// `list`.
  bool group = false;
};

struct dict_object final : object {
  dict_object() : object(kind::dict) {}
  /// Returns the value of a key, or null. The caller must refuse keys that cannot be hashed.
  [[nodiscard]] const value* find(const value& key) const;
  [[nodiscard]] const value* find(std::string_view key) const;
  /// Adds a pair. If an equal key exists, its value is replaced, and its place does not change.
  void put(value key, value content);

  std::vector<std::pair<value, value>> items;
  extent size;

 private:
  template <typename Equal>
  [[nodiscard]] std::size_t search(std::size_t hash, const Equal& equal) const;
  void grow();

  // A hash index with open addressing. It is empty while a linear search is equally fast.
  std::vector<std::uint32_t> index_;
  std::vector<std::size_t> hashes_;
};

/// The result of a dict's keys(), values() or items().
struct view_object final : object {
  enum class part : std::uint8_t { keys, contents, items };
  view_object(value whole, part which) : object(kind::view), dict(std::move(whole)), of(which) {}
  value dict;
  part of;
};

struct range_object final : object {
  range_object(std::int64_t from, std::int64_t to, std::int64_t by, std::int64_t count)
      : object(kind::range), start(from), stop(to), step(by), size(count) {}

  /// Returns the element `index`. Each element fits into 64 bits, but step * index need not: the
  /// arithmetic is unsigned. Outside the range the result wraps around.
  [[nodiscard]] std::int64_t at(std::int64_t index) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(start) +
                                     static_cast<std::uint64_t>(step) *
                                         static_cast<std::uint64_t>(index));
  }

  std::int64_t start;
  std::int64_t stop;  // as given: only printed, because `size` says where the range ends
  std::int64_t step;
  std::int64_t size;
};

/// An undefined value. It can be printed, iterated and tested; all other operations raise `type`.
struct undefined_object final : object {
  undefined_object(std::string exception, std::string said)
      : object(kind::undefined), type(std::move(exception)), message(std::move(said)) {}
  std::string type;
  std::string message;
};

/// Yields each value once, in order.
struct iterator_object : object {
  /// `type` is Python's name of the iterator; `function` is the name of a generator's function.
  explicit iterator_object(const char* type, const char* function = "")
      : object(kind::iterator), type_name(type), function_name(function) {}
  /// Returns false at the end.
  virtual bool next(rendering& r, value& out) = 0;
  const char* type_name;
  const char* function_name;
};

struct named_argument {
  value name;
  value content;
};

struct arguments {
  values given;
  std::vector<named_argument> named;
};

struct signature;

/// A native function: a global, or a method bound to `self`.
struct native_object final : object {
  native_object(const signature& called, value bound)
      : object(kind::native), what_is_called(&called), self(std::move(bound)) {}
  const signature* what_is_called;
  value self;
};

struct name_space_object final : object {
  name_space_object() : object(kind::name_space) {}
  void drop() noexcept override { members.clear(); }
  /// Returns the member `name`, or null.
  [[nodiscard]] value* find(std::string_view name) noexcept;
  std::vector<std::pair<value, value>> members;
};

/// The variables of one activation of a function. A function is the template itself, a macro or a
/// loop's filter.
struct frame_object final : object {
  frame_object(frame_object* around, std::size_t slots)
      : object(kind::frame), outer(around), locals(slots) {
    if (around != nullptr) keep = value(around);
  }
  void drop() noexcept override {
    locals.assign(locals.size(), value());
    keep = value();
  }
  frame_object* outer;
  value keep;
  values locals;
};

struct function;

struct macro_object final : object {
  macro_object(const function& compiled, value name, value defined_in)
      : object(kind::macro),
        code(&compiled),
        called(std::move(name)),
        closure(std::move(defined_in)) {}
  const function* code;
  value called;
  value closure;
};

/// The variable `loop` of a for loop.
struct loop_object final : object {
  loop_object(value over, value steps)
      : object(kind::loop), iterable(std::move(over)), iterator(std::move(steps)) {}
  void drop() noexcept override {
    iterable = iterator = peeked = current = previous = changed = value();
  }
  bool advance(rendering& r);
  /// Returns whether there is a next item. If there is, `peeked` contains it.
  bool peek(rendering& r);
  std::int64_t length(rendering& r);

  value iterable;
  value iterator;
  value peeked;
  value current;
  value previous;
  value changed;
  std::int64_t index0 = -1;
  std::optional<std::int64_t> known_length;
};

struct cycler_object final : object {
  explicit cycler_object(values of) : object(kind::cycler), items(std::move(of)) {}
  values items;
  std::size_t position = 0;
};

struct joiner_object final : object {
  explicit joiner_object(value with) : object(kind::joiner), separator(std::move(with)) {}
  value separator;
  bool used = false;
};

}  // namespace jinja
