#include "metaspace.hpp"

#include <string_view>

#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

metaspace read_metaspace_settings(const node& from) {
  metaspace out;
  const node replacement = from.at("replacement");
  out.replacement = replacement.text();
  if (count_characters(out.replacement) != 1) replacement.fail("expected one character");
  out.split = from.boolean("split", true);
  if (const auto scheme = from.find("prepend_scheme")) {
    const std::string_view name = scheme->text();
    if (name == "never")
      out.scheme = metaspace::prepend::never;
    else if (name == "first")
      out.scheme = metaspace::prepend::first;
    else if (name != "always")
      scheme->fail("expected always, first or never");
  }
  if (const auto old = from.find("add_prefix_space");
      old && !old->boolean() && out.scheme != metaspace::prepend::never)
    old->fail("contradicts prepend_scheme, which has to be \"never\" then");
  return out;
}

}  // namespace tokenizers::hf
