// One rendering of one template: its values, its output and its limits.
#pragma once

#include <map>

#include "heap.hpp"
#include "options.hpp"
#include "raise.hpp"

namespace jinja {

/// Creates values within the memory limits, and counts the steps of its work. [one thread]
class rendering {
 public:
  explicit rendering(const options& how) : limits(how), objects(how.max_memory) {}
  rendering(const rendering&) = delete;
  rendering& operator=(const rendering&) = delete;
  virtual ~rendering() = default;

  virtual value call_macro(const value& macro, arguments& given) = 0;

  /// Counts one statement, or one element of an iteration.
  void step() {
    if (++steps_ > limits.max_steps) too_long();
  }
  /// Counts work whose cost grows with the number of bytes.
  void work(std::size_t bytes) {
    steps_ += bytes / 64;
    step();
  }
  /// To be called before a search for one text of `of` bytes in a text of `in` bytes. In the worst
  /// case, the search compares the whole text at every position.
  void search(std::size_t in, std::size_t of) {
    const double compared = static_cast<double>(in) * static_cast<double>(of);
    steps_ += static_cast<std::uint64_t>(compared / 4096) + in / 64;
    step();
  }
  /// To be called before a walk through all parts of a value.
  void walk(const value& through) {
    const extent size = extent_of(through);
    if (size.depth > deepest) too_deep();
    steps_ += size.weight;
    step();
  }
  /// Raises MemoryError if a string of `bytes` bytes would be too long.
  void allow(std::size_t bytes) const {
    if (bytes > limits.max_output) too_large();
  }

  [[nodiscard]] value text(std::string of, bool markup = false) {
    allow(of.size());
    work(of.size());
    const std::size_t held = of.capacity();
    return value(objects.make<text_object>(held, std::move(of), markup));
  }
  [[nodiscard]] value text(std::string_view of, bool markup = false) {
    return text(std::string(of), markup);
  }
  [[nodiscard]] value text(const char* of) { return text(std::string(of)); }
  [[nodiscard]] value sequence(kind of, values items) {
    work(items.size());
    const std::size_t held = items.capacity() * sizeof(value);
    return value(objects.make<sequence_object>(held, of, std::move(items)));
  }
  [[nodiscard]] value list(values items) { return sequence(kind::list, std::move(items)); }
  [[nodiscard]] value tuple(values items) { return sequence(kind::tuple, std::move(items)); }
  [[nodiscard]] value pair(const value& first, const value& second) {
    return tuple(values{first, second});
  }
  /// Returns an empty dict with room for `pairs` pairs.
  [[nodiscard]] dict_object* dict(std::size_t pairs) {
    work(pairs);
    auto* const made = objects.make<dict_object>(pairs * (2 * sizeof(value) + sizeof(std::size_t)));
    made->items.reserve(pairs);
    return made;
  }
  template <typename T, typename... Args>
  [[nodiscard]] value make(Args&&... args) {
    return value(objects.make<T>(0, std::forward<Args>(args)...));
  }
  /// Returns an undefined value with its message.
  [[nodiscard]] value undefined(std::string message, const char* type = "UndefinedError") {
    work(message.size());
    const std::size_t held = message.capacity();
    return value(objects.make<undefined_object>(held, std::string(type), std::move(message)));
  }

  const options& limits;
  heap objects;
  stack_guard stack;
  /// Receives the output of {{ }}.
  std::string* sink = nullptr;
  /// The line of the statement that is being executed.
  int line = 0;
  int macro_depth = 0;

 private:
  [[noreturn]] void too_long() const;
  [[noreturn]] void too_large() const;
  [[noreturn]] static void too_deep();

  // Python's own walks end at a thousand levels, including the levels of the caller.
  static constexpr std::uint32_t deepest = 900;

  std::uint64_t steps_ = 0;
};

/// Raises the error for the use of an undefined value.
[[noreturn]] void raise_undefined(const value& of);

}  // namespace jinja
