#include "perf/result_tables.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <inferbench/json_reader.hpp>

#include "base/error.hpp"
#include "experiment/result_file.hpp"
#include "options/node.hpp"
#include "perf/recorded_command.hpp"
#include "perf/refinement.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;
using options::node;

constexpr double ms_per_s = 1000;
constexpr const char* no_result = "no result of a serving, latency or throughput test";

constexpr column_title latency_titles[] = {
    {"test_name", "Test name"},           {"gpu_type", "GPU"},
    {"avg_latency", "Mean latency (ms)"}, {"P50", "Median latency (ms)"},
    {"P99", "P99 latency (ms)"},
};

constexpr column_title throughput_titles[] = {
    {"test_name", "Test name"},
    {"gpu_type", "GPU"},
    {"num_requests", "# of req."},
    {"total_num_tokens", "Total # of tokens"},
    {"elapsed_time", "Elapsed time (s)"},
    {"requests_per_second", "Tput (req/s)"},
    {"tokens_per_second", "Tput (tok/s)"},
};

constexpr column_title serving_titles[] = {
    {"test_name", "Test name"},
    {"model_id", "Model"},
    {"dataset_name", "Dataset Name"},
    {"input_len", "Input Len"},
    {"output_len", "Output Len"},
    {"tp_size", "TP Size"},
    {"pp_size", "PP Size"},
    {"dtype", "dtype"},
    {"gpu_type", "GPU"},
    {"completed", "# of req."},
    {"qps", "qps"},
    {"max_concurrency", "# of max concurrency."},
    {"request_throughput", "Tput (req/s)"},
    {"total_token_throughput", "Total Token Tput (tok/s)"},
    {"output_throughput", "Output Tput (tok/s)"},
    {"mean_ttft_ms", "Mean TTFT (ms)"},
    {"median_ttft_ms", "Median TTFT (ms)"},
    {"p99_ttft_ms", "P99 TTFT (ms)"},
    {"std_ttft_ms", "STD TTFT (ms)"},
    {"mean_tpot_ms", "Mean TPOT (ms)"},
    // Comparisons find the times per output token by these two short titles.
    {"median_tpot_ms", "Median"},
    {"p99_tpot_ms", "P99"},
    {"std_tpot_ms", "STD TPOT (ms)"},
    {"mean_itl_ms", "Mean ITL (ms)"},
    {"median_itl_ms", "Median ITL (ms)"},
    {"p99_itl_ms", "P99 ITL (ms)"},
};

/// A value of the record that comes from an option of a recorded command.
struct copied_option {
  const char* command;
  const char* option;
  const char* key;
};

constexpr copied_option copied_options[] = {
    {"server_command", "--tensor-parallel-size", "tp_size"},
    {"server_command", "--pipeline-parallel-size", "pp_size"},
    {"server_command", "--dtype", "dtype"},
    {"client_command", "--dataset-name", "dataset_name"},
    {"client_command", "--random-input-len", "input_len"},
    {"client_command", "--random-output-len", "output_len"},
    {"client_command", "--request-rate", "qps"},
};

/// A value of a result as a cell.
node cell_of(const ifb::json_value& value) {
  if (value.IsNull()) return {};
  if (value.IsBool()) return node::of(value.GetBool());
  if (value.IsInt64()) return node::of(value.GetInt64());
  if (value.IsUint64()) {
    node out;
    out.type = node::kind::big;
    out.text = std::to_string(value.GetUint64());
    return out;
  }
  if (value.IsNumber()) return node::of(value.GetDouble());
  if (value.IsString()) return node::of(std::string(ifb::text_of(&value)));
  return pytext::read_json_node(pytext::python_json(value, 0), "a result");
}

/// The record with the members of the object that the titles name.
void take_members(result_record& into, const ifb::json_value& object,
                  std::span<const column_title> titles) {
  for (const column_title& each : titles)
    if (const ifb::json_value* const value = ifb::find(&object, each.key); value != nullptr)
      into.insert_or_assign(std::string(each.key), cell_of(*value));
}

node in_ms(const ifb::json_value* seconds, const std::string& name, const fs::path& file) {
  if (seconds == nullptr || !seconds->IsNumber())
    throw base::error("the result has no number " + name, "run the test again", {file.string()});
  // As in Python, a whole number times 1000 stays whole.
  constexpr std::int64_t limit = std::int64_t{1} << 52U;
  if (seconds->IsInt64() && !seconds->IsDouble())
    if (const std::int64_t n = seconds->GetInt64(); n > -limit && n < limit)
      return node::of(n * 1000);
  return node::of(seconds->GetDouble() * ms_per_s);
}

void take_latencies(result_record& into, const ifb::json_value& result, const fs::path& file) {
  const ifb::json_value* const percentiles = ifb::find(&result, "percentiles");
  for (const char* const each : {"10", "25", "50", "75", "90", "99"})
    into.insert_or_assign(std::string("P") + each, in_ms(ifb::find(percentiles, each),
                                                         std::string("percentiles.") + each, file));
  into.insert_or_assign("avg_latency",
                        in_ms(ifb::find(&result, "avg_latency"), "avg_latency", file));
}

void take_options(result_record& into, const ifb::json_value& commands, const fs::path& file) {
  for (const char* const name : {"server_command", "client_command"}) {
    const ifb::json_value* const line = ifb::find(&commands, name);
    if (line == nullptr || !line->IsString())
      throw base::error(std::string("there is no text ") + name, "run the test again",
                        {file.string()});
    const recorded_options found = recorded_options_of(ifb::text_of(line), file.string());
    for (const copied_option& each : copied_options)
      if (const auto at = found.find(each.option);
          each.command == std::string_view(name) && at != found.end())
        into.insert_or_assign(each.key, at->second);
  }
}

/// Whether `perf run` or `perf convert` wrote the file without being a test's result.
bool is_own_output(const fs::path& file) {
  const std::string name = file.filename().string();
  return name == rows_name || name.ends_with(search_file_ending);
}

/// The files *.json directly in the folder, by name.
std::vector<fs::path> json_files(const fs::path& folder) {
  std::error_code problem;
  if (!fs::is_directory(folder, problem))
    throw base::error(
        folder.string() + (fs::exists(folder, problem) ? " is not a folder" : " does not exist"),
        "name the folder of the results by --result");
  std::vector<fs::path> out;
  for (fs::directory_iterator each(folder, problem), end; !problem && each != end;
       each.increment(problem)) {
    std::error_code unknown;
    // The name is built as it was given: it tells the kind of a result.
    if (each->path().extension() == ".json" && !each->is_directory(unknown))
      out.push_back(folder / each->path().filename());
  }
  if (problem)
    throw base::error("cannot read the folder " + folder.string() + ": " + problem.message());
  std::ranges::sort(out);
  return out;
}

/// The results in three groups.
class result_reader {
 public:
  void read(const fs::path& file) {
    const std::optional<test_kind> kind = kind_of_path(file.string());
    fs::path beside = file;
    beside.replace_extension(".commands");
    std::error_code unknown;
    if (!kind) return skip(file, std::string("it is ") + no_result);
    if (!fs::exists(beside, unknown))
      return skip(file, "there is no " + beside.filename().string());
    const auto result = experiment::read_result(file);
    const auto commands = experiment::read_result(beside);
    result_record record;
    switch (*kind) {
      case test_kind::latency:
        take_latencies(record, *result, file);
        take_members(record, *commands, latency_titles);
        name(record, file);
        latency.push_back(std::move(record));
        return;
      case test_kind::throughput:
        take_members(record, *result, throughput_titles);
        take_members(record, *commands, throughput_titles);
        name(record, file);
        throughput.push_back(std::move(record));
        return;
      case test_kind::serving:
        take_members(record, *result, serving_titles);
        take_members(record, *commands, serving_titles);
        take_options(record, *commands, beside);
        name(record, file);
        serving.push_back(std::move(record));
        return;
      case test_kind::startup: break;
    }
  }

  std::vector<result_record> latency;
  std::vector<result_record> throughput;
  std::vector<result_record> serving;
  std::vector<std::string> notices;

 private:
  void skip(const fs::path& file, const std::string& why) {
    // A notice about a file that is in every folder would tell the user nothing.
    if (!is_own_output(file)) notices.push_back("Skipped " + file.string() + ": " + why);
  }

  static void name(result_record& record, const fs::path& file) {
    record.insert_or_assign("test_name", node::of(file.stem().string()));
  }
};

}  // namespace

std::optional<test_kind> kind_of_path(std::string_view path) {
  for (const test_kind each : {test_kind::serving, test_kind::latency, test_kind::throughput})
    if (path.find(name_of(each)) != std::string_view::npos) return each;
  return std::nullopt;
}

result_tables read_results(const fs::path& folder) {
  result_reader all;
  for (const fs::path& each : json_files(folder))
    all.read(each);
  if (all.latency.empty() && all.throughput.empty() && all.serving.empty())
    all.notices.push_back("There is " + std::string(no_result) + " in " + folder.string());
  return {columns_of(all.latency, latency_titles, true),
          columns_of(all.throughput, throughput_titles, true),
          columns_of(all.serving, serving_titles, false), std::move(all.notices)};
}

}  // namespace inferbench::perf
