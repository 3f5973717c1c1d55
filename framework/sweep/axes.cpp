#include "sweep/axes.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_text.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::sweep {

namespace {

using options::node;
using options::usage_error;

/// Results are JSON, which has no infinity: an unlimited rate is the text "inf" there.
node finite_or_text(node value) {
  if (value.is(node::kind::real) && !std::isfinite(value.real)) {
    node out = node::of(base::shortest(value.real));
    out.where = value.where;
    return out;
  }
  for (node& item : value.items)
    item = finite_or_text(std::move(item));
  return value;
}

void flatten(const std::string& before, const node& table, node& into) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const std::string name = before.empty() ? table.names[i] : before + "." + table.names[i];
    const node& value = table.items[i];
    if (value.is(node::kind::table)) {
      flatten(name, value, into);
      continue;
    }
    if (into.find(name) != nullptr)
      throw usage_error(base::one_line(name) + " is there twice", "leave one of them out",
                        value.where);
    into.set(name, finite_or_text(value));
  }
}

/// Both sets of parameters. If one of them has a name, the name of the combination has the name or
/// the parameters of each; otherwise combinations of several axes would have the same name.
item both_of(const item& outer, const item& inner, bool first) {
  node table = merged(outer, inner).table();
  table.where = inner.table().where;
  const bool named = outer.find(name_key) != nullptr || inner.find(name_key) != nullptr;
  if (named && !first) table.set(name_key, node::of(outer.name() + "-" + inner.name()));
  return item(std::move(table));
}

}  // namespace

item flat(const node& table) {
  node out = node::table();
  out.where = table.where;
  flatten({}, table, out);
  return item(std::move(out));
}

void axis_product::require_new(const std::string& name, const base::source_position& where) const {
  const bool is_path =
      name.find('.') != std::string::npos && name.front() != '.' && name.back() != '.';
  if (keyed_ && !is_path && name != name_key)
    throw usage_error(base::one_line(name) + " is not the path of a key",
                      "write TABLE." + base::one_line(name) + " with the name of its table", where);
  if (keyed_ && name.starts_with("sweep."))
    throw usage_error(base::one_line(name) + " is a key of the experiment, and not of its runs",
                      "leave the axis out", where);
  for (const auto& axis : axes_)
    if (name != name_key && axis.front().find(name) != nullptr)
      throw usage_error(base::one_line(name) + " is in two axes", "leave it out of one of them",
                        where);
}

void axis_product::add_axis(const item& lists, const base::source_position& where) {
  const node& table = lists.table();
  if (table.items.empty())
    throw usage_error("the axis has no parameter", "add KEY = [VALUE, ...]", where);
  const std::size_t length = table.items.front().items.size();
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const node& list = table.items[i];
    const std::string name = base::one_line(table.names[i]);
    require_new(table.names[i], list.where);
    if (!list.is(node::kind::list))
      throw usage_error(title_ + ": the values of " + name + " must be a list, not " +
                            std::string(options::noun_of(list)),
                        "write " + name + " = [...]", list.where);
    if (list.items.empty())
      throw usage_error(title_ + ": the list of " + name + " is empty", "leave the parameter out",
                        list.where);
    if (list.items.size() != length)
      throw usage_error(title_ + ": " + name + " has " + std::to_string(list.items.size()) +
                            " values, and " + base::one_line(table.names.front()) + " has " +
                            std::to_string(length),
                        "parameters that vary together have equally many values", list.where);
  }
  if (length > most_combinations)
    throw base::error(
        title_ + ": an axis has more than " + std::to_string(most_combinations) + " values",
        "use fewer", where);
  auto& axis = axes_.emplace_back();
  std::set<std::string> seen;
  for (std::size_t k = 0; k < length; ++k) {
    node values = node::table();
    values.where = table.items.front().items[k].where;
    for (std::size_t i = 0; i < table.items.size(); ++i)
      values.set(table.names[i], table.items[i].items[k]);
    if (!seen.insert(pytext::python_repr(values)).second)
      throw usage_error(
          title_ + ": the value " + base::one_line(item(values).text()) + " is in the axis twice",
          "set sweep.repeats to repeat runs", values.where);
    axis.emplace_back(std::move(values));
  }
}

void axis_product::add_axes(const node* axes) {
  if (axes == nullptr) return;
  if (!axes->is(node::kind::table))
    throw usage_error(title_ + ".axes must be a table, not " + std::string(options::noun_of(*axes)),
                      "write [" + title_ + ".axes]", axes->where);
  const item all = flat(*axes);
  for (std::size_t i = 0; i < all.table().items.size(); ++i) {
    if (all.table().names[i] == name_key)
      throw usage_error(std::string(name_key) + " is no parameter",
                        "names of combinations are lists in [[" + title_ + ".zip]]",
                        all.table().items[i].where);
    node one = node::table();
    one.set(all.table().names[i], all.table().items[i]);
    add_axis(item(std::move(one)), all.table().items[i].where);
  }
}

void axis_product::add_zips(const node* zips) {
  if (zips == nullptr) return;
  const bool good =
      zips->is(node::kind::list) &&
      std::ranges::all_of(zips->items, [](const node& each) { return each.is(node::kind::table); });
  if (!good)
    throw usage_error(title_ + ".zip must be a list of tables", "write [[" + title_ + ".zip]]",
                      zips->where);
  for (const node& each : zips->items)
    add_axis(flat(each), each.where);
}

std::vector<item> axis_product::items() const {
  std::vector<item> out{item()};
  for (const auto& axis : axes_) {
    if (out.size() * axis.size() > most_combinations)
      throw base::error(
          title_ + " has more than " + std::to_string(most_combinations) + " combinations",
          "use fewer values, or let parameters vary together in [[" + title_ + ".zip]]",
          axis.front().table().where);
    std::vector<item> next;
    next.reserve(out.size() * axis.size());
    for (const item& outer : out)
      for (const item& value : axis)
        next.push_back(both_of(outer, value, &axis == &axes_.front()));
    out = std::move(next);
  }
  return out;
}

}  // namespace inferbench::sweep
