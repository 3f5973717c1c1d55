#include <algorithm>
#include <string>

#include "options/node.hpp"
#include "sweep/toml_sweep.hpp"

namespace inferbench::sweep {

namespace {

using options::node;

/// Whether the node is written under a header, "[title]" for a table and "[[title]]" for each table
/// of a list. All other nodes are written as "key = value".
bool has_header(const node& value) {
  if (value.is(node::kind::table)) return true;
  return value.is(node::kind::list) && !value.items.empty() &&
         std::ranges::all_of(value.items,
                             [](const node& each) { return each.is(node::kind::table); });
}

void write_table(std::string& out, const std::string& title, bool one_of_several,
                 const node& table) {
  if (!out.empty()) out += '\n';
  out += (one_of_several ? "[[" : "[") + title + (one_of_several ? "]]" : "]") + "\n";
  // The values before the tables: in TOML the header of a table ends the table before it.
  const std::string below = title + ".";
  for (std::size_t i = 0; i < table.items.size(); ++i)
    if (!has_header(table.items[i]))
      out += options::toml_key(table.names[i]) + " = " + options::to_toml(table.items[i]) + "\n";
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const node& value = table.items[i];
    if (!has_header(value)) continue;
    const std::string name = below + options::toml_key(table.names[i]);
    if (value.is(node::kind::table)) {
      write_table(out, name, false, value);
    } else {
      for (const node& each : value.items)
        write_table(out, name, true, each);
    }
  }
}

}  // namespace

std::string toml_of(const node& sweep_table) {
  std::string out;
  write_table(out, "sweep", false, sweep_table);
  return out;
}

}  // namespace inferbench::sweep
