// The scales of the axes: what an axis shows, where a value lies, and which values have a tick.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include <inferbench-figures/figures.hpp>

namespace figures {

/// Whether a value can be drawn on the scale.
[[nodiscard]] bool has_place(scale on, double value) noexcept;

/// The value on an axis on which equal distances look equal. `value` must have a place. symlog is
/// the transformation of matplotlib with its default values: base 10, linear up to 2, linscale 1.
[[nodiscard]] double warped(scale on, double value) noexcept;
[[nodiscard]] double unwarped(scale on, double value) noexcept;

struct span_of_values {
  double low = 0, high = 1;  // low < high
};

/// Collects the values that an axis has to show.
class value_range {
 public:
  explicit value_range(scale on) noexcept : on_(on) {}
  /// A value without a place is left out.
  void add(double value) noexcept;
  /// The ends of the axis, with a margin. `from_zero`: an axis that can show 0 does.
  [[nodiscard]] span_of_values with_margin(bool from_zero) const noexcept;

 private:
  scale on_;
  bool any_ = false;
  double low_ = 0, high_ = 0;
};

/// Maps values to a length: `from` is the place of the low end.
class axis_map {
 public:
  axis_map(scale on, span_of_values shown, double from, double to) noexcept;
  /// The place of a value that has a place on the scale.
  [[nodiscard]] double operator()(double value) const noexcept;

 private:
  scale on_;
  double low_, high_, from_, to_;
};

struct tick {
  double value;
  std::string text;  // empty: a small tick between two others
};

/// Ticks at round values, at most about `most` with a text.
[[nodiscard]] std::vector<tick> ticks_of(scale on, span_of_values shown, double most);

/// A number as the text of a tick: "0.25", "1,500", "2e7".
[[nodiscard]] std::string number_text(double value);

}  // namespace figures
