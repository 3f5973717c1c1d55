#include "sweep/summary_csv.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/csv.hpp"
#include "base/text.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::sweep {

namespace {

/// A key and its value in each row; nullptr: the run does not have the key.
struct csv_column {
  std::string_view name;
  std::vector<const ifb::json_value*> cells;
};

std::vector<csv_column> columns_of(std::span<const ifb::json_value* const> runs) {
  std::vector<csv_column> out;
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t row = 0; row < runs.size(); ++row) {
    if (!runs[row]->IsObject()) continue;
    for (const auto& member : runs[row]->GetObject()) {
      const std::string_view name = ifb::text_of(&member.name);
      const auto [at, added] = places.emplace(name, out.size());
      if (added) out.push_back({name, std::vector<const ifb::json_value*>(runs.size())});
      out[at->second].cells[row] = &member.value;
    }
  }
  return out;
}

bool is_empty(const ifb::json_value* cell) {
  return cell == nullptr || cell->IsNull() || (cell->IsDouble() && std::isnan(cell->GetDouble()));
}

/// Whether a data frame stores the column as floating-point numbers: there are only numbers and
/// empty cells, and at least one of them is no whole number of 64 bits.
bool is_real(const std::vector<const ifb::json_value*>& cells) {
  bool real = false;
  bool negative = false;
  bool large = false;  // beyond a signed integer
  for (const ifb::json_value* cell : cells) {
    if (is_empty(cell)) {
      real = true;
      continue;
    }
    if (!cell->IsNumber()) return false;
    real = real || cell->IsDouble();
    negative = negative || (cell->IsInt64() && cell->GetInt64() < 0);
    large = large || (cell->IsUint64() && !cell->IsInt64());
  }
  // No type of 64 bits holds both, so the data frame keeps the objects.
  return real && !(negative && large);
}

}  // namespace

std::string summary_csv(std::span<const ifb::json_value* const> runs) {
  const std::vector<csv_column> columns = columns_of(runs);
  // A line that consists of one empty field is written as "".
  std::string out = columns.empty() ? R"("")" : "";
  std::vector<bool> real;
  for (const csv_column& column : columns) {
    out += ',';
    base::put_csv_field(out, column.name);
    real.push_back(is_real(column.cells));
  }
  out += '\n';
  for (std::size_t row = 0; row < runs.size(); ++row) {
    out += std::to_string(row);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      out += ',';
      const ifb::json_value* cell = columns[i].cells[row];
      if (is_empty(cell)) continue;
      if (real[i])
        out += base::shortest(cell->GetDouble());
      else
        base::put_csv_field(out, pytext::python_text(*cell));
    }
    out += '\n';
  }
  return out;
}

}  // namespace inferbench::sweep
