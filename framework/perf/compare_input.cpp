#include "perf/compare_input.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_number.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

constexpr std::array<std::string_view, 5> concurrency_spellings{
    concurrency_title, "# of max concurrency", "Max Concurrency", "max_concurrency", "Concurrency"};
constexpr std::array<std::string_view, 4> row_members{"results", "serving_results", "benchmarks",
                                                      "data"};
constexpr std::array<std::string_view, 3> test_name_spellings{"Test name", "test_name",
                                                              "Test Name"};

/// A size that a split can be made by: its title and the other spellings, the title first.
struct parallel_size {
  std::array<std::string_view, 3> spellings;
  [[nodiscard]] std::string_view title() const noexcept { return spellings.front(); }
};
constexpr parallel_size tensor_size{{"TP Size", "tp_size", "tensor_parallel_size"}};
constexpr parallel_size pipeline_size{{"PP Size", "pp_size", "pipeline_parallel_size"}};

std::optional<double> whole_number_in(const ifb::json_value& cell) {
  if (!cell.IsNumber() || cell.IsDouble()) return std::nullopt;
  return cell.GetDouble();
}

/// Whether the column has only whole numbers from 1, and more than one.
bool counts_concurrency(const compared_file& in, std::string_view title) {
  std::set<double> values;
  for (const ifb::json_value* row : in.rows) {
    const ifb::json_value* const cell = ifb::find(*row, title);
    if (cell == nullptr) continue;
    const auto value = whole_number_in(*cell);
    if (!value || *value < 1) return false;
    values.insert(*value);
  }
  return values.size() > 1;
}

bool some_row_has(const compared_file& in, std::string_view title) {
  return std::ranges::any_of(
      in.rows, [&](const ifb::json_value* row) { return ifb::find(*row, title) != nullptr; });
}

std::int64_t size_in(const ifb::json_value& row, const parallel_size& which) {
  // Beyond this a number is no count of devices.
  constexpr double most = 1e6;
  for (const std::string_view name : which.spellings) {
    const ifb::json_value* const cell = ifb::find(row, name);
    if (cell == nullptr) continue;
    std::optional<double> value;
    if (cell->IsNumber()) value = cell->GetDouble();
    if (cell->IsString()) value = pytext::python_float(ifb::text_of(cell));
    return value && *value >= 1 && *value <= most && *value == std::floor(*value)
               ? static_cast<std::int64_t>(*value)
               : 1;
  }
  return 1;
}

/// Gives the row the size under its title, at the place of the first spelling.
void set_size(ifb::json_value& row, const parallel_size& which, std::int64_t size,
              ifb::json_document::AllocatorType& memory) {
  bool placed = false;
  for (auto at = row.MemberBegin(); at != row.MemberEnd();) {
    const std::string_view name = ifb::text_of(&at->name);
    if (std::ranges::find(which.spellings, name) == which.spellings.end()) {
      ++at;
    } else if (placed) {
      at = row.EraseMember(at);
    } else {
      at->name.SetString(rapidjson::StringRef(which.title().data(), which.title().size()));
      at->value.SetInt64(size);
      placed = true;
      ++at;
    }
  }
  if (!placed)
    row.AddMember(rapidjson::StringRef(which.title().data(), which.title().size()),
                  ifb::json_value(size), memory);
}

std::string folder_or_name(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return path;
  const std::size_t last = path.find_last_not_of('/', slash);
  return last == std::string::npos ? "/" : path.substr(0, last + 1);
}

}  // namespace

const ifb::json_value* compared_file::cell(const ifb::json_value& row,
                                           std::string_view title) const {
  return ifb::find(row, title == concurrency_title ? std::string_view(concurrency) : title);
}

bool compared_file::has(std::string_view title) const {
  return some_row_has(*this, title == concurrency_title ? std::string_view(concurrency) : title);
}

std::string_view compared_test_name(const ifb::json_value& row) {
  for (const std::string_view name : test_name_spellings)
    if (const ifb::json_value* const cell = ifb::find(row, name); cell != nullptr)
      return ifb::text_of(cell);
  return {};
}

compared_file parse_compared_file(std::string_view text, const std::string& path) {
  compared_file out;
  out.path = path;
  out.document = pytext::read_json_document(text, path);
  const ifb::json_value* rows = &out.document;
  if (rows->IsObject()) {
    const ifb::json_value* found = nullptr;
    for (const std::string_view name : row_members) {
      const ifb::json_value* const member = ifb::find(*rows, name);
      if (found == nullptr && member != nullptr && member->IsArray()) found = member;
    }
    rows = found;
  }
  if (rows == nullptr || !rows->IsArray())
    throw base::error(
        "expected an array of rows, or an object with the array under results, serving_results, "
        "benchmarks or data",
        "name a benchmark_results.json, which `inferbench perf convert` writes", {path, 0, 0});
  for (const ifb::json_value& row : rows->GetArray()) {
    if (!row.IsObject())
      throw base::error("row " + std::to_string(out.rows.size() + 1) + " is not an object", {},
                        {path, 0, 0});
    out.rows.push_back(&row);
  }
  return out;
}

void find_concurrency(compared_file& in) {
  for (const std::string_view title : concurrency_spellings)
    if (some_row_has(in, title)) {
      in.concurrency = title;
      return;
    }
  for (const ifb::json_value* row : in.rows)
    for (const auto& member : row->GetObject()) {
      const std::string_view title = ifb::text_of(&member.name);
      if (base::lower_case(title).find("concurr") == std::string::npos) continue;
      if (!counts_concurrency(in, title)) continue;
      in.concurrency = title;
      return;
    }
  throw base::error(
      in.rows.empty() ? "the file has no rows" : "no column has the concurrency of the rows",
      "rows of serving tests have \"" + std::string(concurrency_title) + "\"", {in.path, 0, 0});
}

void label_files(std::span<compared_file> files) {
  std::map<std::string, std::size_t> folders;
  std::map<std::string, std::size_t> paths;
  for (const compared_file& file : files)
    ++folders[folder_or_name(file.path)];
  std::set<std::string> taken;
  for (compared_file& file : files) {
    const std::string folder = folder_or_name(file.path);
    const std::string stem = folders[folder] == 1 ? folder : file.path;
    file.label = stem;
    for (std::size_t n = 2; !taken.insert(file.label).second; ++n)
      file.label = stem + " (" + std::to_string(n) + ")";
  }
}

std::vector<parallelism_piece> split_by_parallelism(const compared_file& whole) {
  std::map<std::pair<std::int64_t, std::int64_t>, ifb::json_value> pieces;
  ifb::json_document out;
  auto& memory = out.GetAllocator();
  for (const ifb::json_value* row : whole.rows) {
    if (base::lower_case(compared_test_name(*row)).find("serving") == std::string::npos) continue;
    const std::int64_t tensor = size_in(*row, tensor_size);
    const std::int64_t pipeline = size_in(*row, pipeline_size);
    ifb::json_value copy(*row, memory);
    set_size(copy, tensor_size, tensor, memory);
    set_size(copy, pipeline_size, pipeline, memory);
    ifb::json_value& piece = pieces[{tensor, pipeline}];
    if (!piece.IsArray()) piece.SetArray();
    piece.PushBack(copy, memory);
  }
  if (pieces.empty())
    throw base::error("the file has no rows of serving tests",
                      "a single file is split by the parallel sizes of its serving tests; the name "
                      "of such a test contains \"serving\"",
                      {whole.path, 0, 0});
  std::vector<parallelism_piece> all;
  for (const auto& [sizes, rows] : pieces)
    all.push_back({"splits/tp" + std::to_string(sizes.first) + "_pp" +
                       std::to_string(sizes.second) + "/benchmark_results.json",
                   pytext::python_json(rows, 2) + "\n"});
  return all;
}

}  // namespace inferbench::perf
