#include "perf/conversion.hpp"

#include <cstdint>
#include <system_error>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "experiment/durable_file.hpp"
#include "options/node.hpp"
#include "perf/page.hpp"
#include "perf/pipe_table.hpp"
#include "perf/result_column.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;
using options::node;

/// The table with the facts, whose first column has no title.
std::string platform_table(const machine_facts& machine) {
  result_column names{"", {}};
  result_column values{"Platform Info", {}};
  const auto add = [&](const char* name, node value) {
    names.cells.push_back(node::of(std::string(name)));
    values.cells.push_back(std::move(value));
  };
  add("Physical cores", node::of(static_cast<std::int64_t>(machine.physical_cores)));
  add("Total cores", node::of(static_cast<std::int64_t>(machine.logical_cores)));
  add("Total Memory", node::of(memory_text(machine.memory_bytes)));
  if (machine.numa_nodes)
    add("Total NUMA nodes", node::of(static_cast<std::int64_t>(*machine.numa_nodes)));
  if (machine.cpu_brand) add("CPU Brand", node::of(*machine.cpu_brand));
  return pipe_table({names, values});
}

std::string json_by_columns(const result_tables& tables) {
  node out = node::table();
  out.set("latency", by_columns(tables.latency));
  out.set("throughput", by_columns(tables.throughput));
  out.set("serving", by_columns(tables.serving));
  return pytext::python_json(out);
}

}  // namespace

std::string rows_text(const result_tables& tables) {
  node out = node::list();
  for (const std::vector<result_column>* const each :
       {&tables.latency, &tables.throughput, &tables.serving})
    for (node& row : rows_of(*each))
      out.items.push_back(std::move(row));
  return pytext::python_json(out);
}

converted_texts converted(result_tables tables, const machine_facts& machine,
                          const std::string& descriptions, const std::string& descriptions_file) {
  page_texts texts;
  // Upstream takes the JSON of the page before it sorts the rows and counts the devices.
  texts.results_json = json_by_columns(tables);
  for (std::vector<result_column>* const each :
       {&tables.latency, &tables.throughput, &tables.serving}) {
    sort_rows(*each);
    count_devices(*each, "GPU");
  }
  texts.latency_table = pipe_table(tables.latency);
  texts.throughput_table = pipe_table(tables.throughput);
  texts.serving_table = pipe_table(tables.serving);
  texts.platform_table = platform_table(machine);
  return {filled(descriptions, texts, descriptions_file), rows_text(tables)};
}

std::string read_descriptions(const std::optional<std::string>& named) {
  const std::string file = named.value_or(descriptions_name);
  std::error_code unknown;
  if (fs::exists(file, unknown)) return base::read_file(file) + "\n";
  return named ? file + " not found.\n" : std::string(usual_descriptions());
}

result_tables convert_folder(const fs::path& folder,
                             const std::optional<std::string>& descriptions) {
  result_tables tables = read_results(folder);
  const converted_texts texts =
      converted(tables, read_machine("/"), read_descriptions(descriptions),
                descriptions.value_or(descriptions_name));
  experiment::write_durably(folder / page_name, texts.page);
  experiment::write_durably(folder / rows_name, texts.rows);
  return tables;
}

}  // namespace inferbench::perf
