#include "sweep/parameter_file.hpp"

#include <cstddef>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::sweep {

namespace {

using options::node;

constexpr const char* form_remedy =
    R"(write [{"max_num_seqs": 16}, {"max_num_seqs": 32}] or {"small": {"max_num_seqs": 16}})";

// The names of options go into command lines behind "--".
void require_options(const node& table) {
  for (std::size_t i = 0; i < table.items.size(); ++i) {
    const std::string& key = table.names[i];
    const auto& where = table.items[i].where;
    if (key.empty()) throw base::error("a key is empty", "write the name of an option", where);
    if (key.front() == '-')
      throw base::error("the key " + pytext::python_repr(key) + " begins with a dash",
                        "write the name of the option without the dashes in front of it", where);
  }
}

std::vector<item> items_of_list(node& list) {
  std::vector<item> out;
  for (node& element : list.items) {
    if (!element.is(node::kind::table))
      throw base::error("should be a list of dictionaries: element " +
                            std::to_string(out.size() + 1) + " is " +
                            std::string(options::noun_of(element)),
                        form_remedy, element.where);
    out.emplace_back(std::move(element));
  }
  return out;
}

std::vector<item> items_of_names(node& names) {
  std::vector<item> out;
  for (std::size_t i = 0; i < names.items.size(); ++i) {
    const node& given = names.items[i];
    if (!given.is(node::kind::table))
      throw base::error("should be a list of dictionaries: the value of " +
                            pytext::python_repr(names.names[i]) + " is " +
                            std::string(options::noun_of(given)),
                        form_remedy, given.where);
    node table = node::table();
    table.where = given.where;
    node name = node::of(names.names[i]);
    name.where = given.where;
    table.set(name_key, std::move(name));
    out.push_back(merged(item(std::move(table)), item(given)));
  }
  return out;
}

void require_distinct_names(const std::vector<item>& items) {
  std::map<std::string, base::source_position> seen;
  for (const item& each : items) {
    const node* name = each.find(name_key);
    if (name == nullptr) continue;
    const auto [at, added] = seen.emplace(each.name(), name->where);
    if (!added)
      throw base::error("Duplicate _benchmark_name values: " + pytext::python_repr(each.name()) +
                            " is the name of the combination in line " +
                            std::to_string(at->second.line) + ", too",
                        "give each combination a name of its own", name->where);
  }
}

}  // namespace

std::vector<item> parse_parameters(std::string_view text, const std::string& file) {
  node root = pytext::read_json_node(text, file, pytext::top_names::unique);
  std::vector<item> out;
  switch (root.type) {
    case node::kind::list: out = items_of_list(root); break;
    case node::kind::table: out = items_of_names(root); break;
    default:
      throw base::error(
          "should be a list of dictionaries, not " + std::string(options::noun_of(root)),
          form_remedy, root.where);
  }
  for (const item& each : out)
    require_options(each.table());
  require_distinct_names(out);
  return out;
}

std::vector<item> read_parameters(const std::string& path) {
  return parse_parameters(base::read_file(path), path);
}

}  // namespace inferbench::sweep
