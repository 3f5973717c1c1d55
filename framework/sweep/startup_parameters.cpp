#include "sweep/startup_parameters.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/node.hpp"
#include "pytext/python_text.hpp"
#include "sweep/engine_option_names.hpp"

namespace inferbench::sweep {

namespace {

constexpr std::string_view backend_key = "backend";

// Upstream takes an empty name for none.
std::string label_of(const item& of) {
  const std::string name = of.find(name_key) == nullptr ? std::string() : of.name();
  return name.empty() ? of.text() : name;
}

std::string left_out_text(const item& of, std::vector<std::string> keys) {
  std::ranges::sort(keys);
  return base::one_line(fmt::format("Ignoring unsupported startup params for {}: {}", label_of(of),
                                    fmt::join(keys, ", ")));
}

}  // namespace

bool is_startup_parameter(std::string_view key, const std::set<std::string>& own) {
  if (key == name_key) return true;
  std::string name(key.substr(0, key.find('.')));
  std::ranges::replace(name, '-', '_');
  return name == "config" || is_engine_option(name) || own.contains(name);
}

startup_items with_startup_parameters(const std::vector<item>& from,
                                      const std::set<std::string>& own, bool strict) {
  startup_items out;
  for (const item& each : from) {
    const options::node& all = each.table();
    options::node kept = options::node::table();
    kept.where = all.where;
    std::vector<std::string> others;
    for (std::size_t i = 0; i < all.items.size(); ++i) {
      if (is_startup_parameter(all.names[i], own))
        kept.set(all.names[i], all.items[i]);
      else
        others.push_back(all.names[i]);
    }
    out.items.emplace_back(std::move(kept));
    if (others.empty()) continue;
    std::string text = left_out_text(each, std::move(others));
    if (strict) throw base::error(text, "remove them, or leave out --strict-params", all.where);
    out.left_out.push_back(std::move(text));
  }
  return out;
}

std::vector<std::string> backends_in(const std::vector<item>& serve,
                                     const std::vector<item>& bench) {
  std::vector<std::string> out;
  for (const std::vector<item>* const items : {&serve, &bench})
    for (const item& each : *items)
      if (const options::node* value = each.find(backend_key); value != nullptr)
        if (std::string name = pytext::python_text(*value);
            std::ranges::find(out, name) == out.end())
          out.push_back(std::move(name));
  return out;
}

}  // namespace inferbench::sweep
