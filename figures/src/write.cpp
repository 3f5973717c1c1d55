// The functions of figures.hpp.
#include <stdexcept>

#include <inferbench-figures/figures.hpp>

#include "embedded_page.hpp"
#include "file.hpp"
#include "load.hpp"
#include "page.hpp"
#include "svg.hpp"

namespace figures {

void write_png(const figure& what, const std::string& file) {
  const auto fail = [&](const std::string& why) {
    throw std::runtime_error("cannot write " + file + ": " + why);
  };
  std::string content, why;
  try {
    functions().png(scene_of(what), what.dpi, content, why);
  } catch (const std::exception& e) {
    fail(e.what());
  }
  if (!why.empty()) fail(why);
  replace_file(file, content);
}

void write_svg(const figure& what, const std::string& file) {
  replace_file(file, svg_of(scene_of(what)));
}

void write_html(const std::vector<figure>& what, const std::string& title,
                const std::string& file) {
  replace_file(file, filled_page(embedded_page, title, page_data(what, title)));
}

}  // namespace figures
