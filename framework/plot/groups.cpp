#include "plot/groups.hpp"

#include <map>
#include <ranges>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/node.hpp"
#include "plot/run_values.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::plot {

namespace {

group_key key_of(const run_row& row, const std::vector<std::string>& keys,
                 const std::string& flag) {
  group_key out;
  for (const std::string& key : keys) {
    const base::json_value* const found = base::find(row.object, key);
    if (found == nullptr) {
      const std::vector<std::string> columns = columns_of({&row, 1});
      const std::string meant = base::did_you_mean(key, columns);
      std::string all = meant.empty() ? "its keys:" : meant + " Its keys:";
      for (const std::string& name : columns)
        all += (&name == &columns.front() ? " " : ", ") + name;
      throw base::error(place_of(row) + " has no key \"" + key + "\"", all, {flag, 0, 0});
    }
    out.emplace_back(key, text_of_value(found));
  }
  return out;
}

}  // namespace

std::vector<run_group> grouped(std::span<const run_row> rows, const std::vector<std::string>& keys,
                               const std::string& flag) {
  std::vector<run_group> out;
  std::map<group_key, std::size_t> places;
  for (const run_row& row : rows) {
    group_key key = key_of(row, keys, flag);
    const auto [at, added] = places.try_emplace(key, out.size());
    if (added) out.push_back({std::move(key), {}});
    out[at->second].rows.push_back(row);
  }
  return out;
}

std::string text_of_key(const group_key& key, std::string_view separator) {
  const auto text = [](const auto& each) { return each.first + "=" + each.second; };
  return fmt::format("{}", fmt::join(key | std::views::transform(text), separator));
}

std::string python_dict(const group_key& key) {
  options::node out = options::node::table();
  for (const auto& [name, value] : key)
    out.set(name, options::node::of(value));
  return pytext::python_text(out);
}

}  // namespace inferbench::plot
