// Draws the shapes of a scene with cairo. For one thread.
#pragma once

#include <cairo.h>

#include "../src/scene.hpp"
#include "fonts.hpp"

namespace figures {

class painter {
 public:
  /// Draws on `to`, whose unit is a point.
  painter(cairo_t* to, const font_list& fonts) : to_(to), fonts_(fonts) {}

  void operator()(const polylines& what);
  void operator()(const polygon& what);
  void operator()(const markers& what);
  void operator()(const writing& what);
  void operator()(const clip_begin& what);
  void operator()(const clip_end& what);

 private:
  void use(ink colour);
  void trace(const std::vector<place>& places);

  cairo_t* to_;
  const font_list& fonts_;
};

}  // namespace figures
