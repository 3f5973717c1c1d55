#include "table.hpp"

#include <string>
#include <utility>

namespace template_backend {

std::vector<path> table::paths(std::string_view key) {
  const value* const found = find(key);
  return found == nullptr ? std::vector<path>{} : paths(key, *found);
}

std::vector<path> table::paths(std::string_view key, const value& read) const {
  constexpr std::size_t most = 16;
  std::vector<path> out;
  const auto add = [&](const value& one) {
    if (one.what != value::kind::text)
      refuse(one, std::string(key) + " is " + std::string(toml_file::name_of(one.what)),
             R"(expected a path such as "choices[0].text", or a list of them)");
    std::string why;
    auto parsed = parse_path(one.text, why);
    if (!parsed)
      refuse(one, std::string(key) + ": \"" + one.text + "\" is not a path",
             why.empty() ? std::string("expected one such as choices[0].text") : why);
    out.push_back(std::move(*parsed));
  };
  if (read.what == value::kind::list)
    for (const value& one : read.items)
      add(one);
  else
    add(read);
  if (out.size() > most)
    refuse(read, std::string(key) + " has " + std::to_string(out.size()) + " alternatives",
           "at most " + std::to_string(most) + " are read");
  return out;
}

}  // namespace template_backend
