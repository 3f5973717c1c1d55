// Iterators, with which for loops and filters go through values.
#pragma once

#include "rendering.hpp"

namespace jinja {

/// Returns an iterator over a list, tuple, dict (its keys), view, string or range, forwards or
/// backwards. The value must have one of these types.
[[nodiscard]] value iterate_items(rendering& r, const value& of, bool backwards = false);

/// A generator whose body is a function: `next(r, out)` returns false at the end.
template <typename Next>
class generator final : public iterator_object {
 public:
  generator(const char* function, Next next)
      : iterator_object("generator", function), next_(std::move(next)) {}
  bool next(rendering& r, value& out) override {
    if (ended_) return false;
    // A generator whose body raised an error has ended.
    ended_ = true;
    const bool more = next_(r, out);
    ended_ = !more;
    return more;
  }

 private:
  Next next_;
  bool ended_ = false;
};

template <typename Next>
[[nodiscard]] value make_generator(rendering& r, const char* function, Next next) {
  return r.make<generator<Next>>(function, std::move(next));
}

}  // namespace jinja
