// A scene as an SVG file (SVG 1.1).
#pragma once

#include <string>

#include "scene.hpp"

namespace figures {

[[nodiscard]] std::string svg_of(const scene& what);

}  // namespace figures
