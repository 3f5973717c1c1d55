// A Python value. Small values are stored directly, all others as counted references to objects.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace jinja {

enum class kind : std::uint8_t {
  missing,  // not a value: an unset variable, an argument that was not given
  none,
  boolean,
  integer,
  real,
  undefined,
  text,
  list,
  tuple,
  dict,
  view,
  range,
  iterator,
  native,
  macro,
  name_space,
  loop,
  cycler,
  joiner,
  frame,
};

class heap;

/// An object lives in the heap of one rendering and is reference-counted [one thread]. Or it
/// belongs to a template (`home` is null): such an object is immutable, and threads share it
/// without counting references.
struct object {
  explicit object(kind of) noexcept : what(of) {}
  object(const object&) = delete;
  object& operator=(const object&) = delete;
  virtual ~object() = default;
  /// Drops its references. Overridden by objects that can be part of a cycle.
  virtual void drop() noexcept {}

  heap* home = nullptr;
  object* before = nullptr;
  object* after = nullptr;
  std::size_t cost = 0;
  std::uint32_t references = 0;
  kind what;
};

void bury(object* dead) noexcept;

/// May be used by only one thread at a time.
class value {
 public:
  value() noexcept : integer_(0) {}
  explicit value(bool truth) noexcept : kind_(kind::boolean), integer_(truth ? 1 : 0) {}
  explicit value(std::int64_t number) noexcept : kind_(kind::integer), integer_(number) {}
  explicit value(double number) noexcept : kind_(kind::real), real_(number) {}
  explicit value(object* of) noexcept : kind_(of->what), object_(of) { retain(); }
  value(const value& other) noexcept : kind_(other.kind_), integer_(other.integer_) { retain(); }
  value(value&& other) noexcept
      : kind_(std::exchange(other.kind_, kind::missing)), integer_(other.integer_) {}
  value& operator=(const value& other) noexcept {
    value copy(other);
    swap(copy);
    return *this;
  }
  value& operator=(value&& other) noexcept {
    value taken(std::move(other));
    swap(taken);
    return *this;
  }
  ~value() {
    if (kind_ >= kind::undefined) release();
  }

  [[nodiscard]] static value none() noexcept {
    value out;
    out.kind_ = kind::none;
    return out;
  }
  [[nodiscard]] static value count(std::size_t number) noexcept {
    return value(static_cast<std::int64_t>(number));
  }

  [[nodiscard]] kind what() const noexcept { return kind_; }
  [[nodiscard]] bool is(kind of) const noexcept { return kind_ == of; }
  [[nodiscard]] bool missing() const noexcept { return kind_ == kind::missing; }
  [[nodiscard]] bool is_none() const noexcept { return kind_ == kind::none; }
  /// Returns whether the value is a Python int; bool is a subclass of int.
  [[nodiscard]] bool is_whole() const noexcept {
    return kind_ == kind::integer || kind_ == kind::boolean;
  }
  [[nodiscard]] bool is_number() const noexcept { return is_whole() || kind_ == kind::real; }

  // Each function may be called only for its own kinds.
  [[nodiscard]] bool boolean() const noexcept { return integer_ != 0; }
  [[nodiscard]] std::int64_t integer() const noexcept { return integer_; }
  [[nodiscard]] double number() const noexcept {
    return kind_ == kind::real ? real_ : static_cast<double>(integer_);
  }
  [[nodiscard]] object* get() const noexcept { return object_; }
  template <typename T>
  [[nodiscard]] T& as() const noexcept {
    return static_cast<T&>(*object_);
  }
  /// Returns a string's bytes, which live as long as the object.
  [[nodiscard]] std::string_view text() const noexcept;
  /// Returns whether both are the same object or the same small value.
  [[nodiscard]] bool same(const value& other) const noexcept {
    return kind_ == other.kind_ && integer_ == other.integer_;
  }

  void swap(value& other) noexcept {
    std::swap(kind_, other.kind_);
    std::swap(integer_, other.integer_);
  }

 private:
  void retain() const noexcept {
    if (kind_ >= kind::undefined && object_->home != nullptr) ++object_->references;
  }
  void release() const noexcept {
    if (object_->home != nullptr && --object_->references == 0) bury(object_);
  }

  kind kind_ = kind::missing;
  union {
    std::int64_t integer_;
    double real_;
    object* object_;
  };
};

using values = std::vector<value>;

}  // namespace jinja
