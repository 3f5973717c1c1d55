#include "sweep/benchmark_command.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "sweep/command.hpp"

namespace inferbench::sweep {

namespace {

/// The text of a value after --set KEY=. Lists and tables are JSON, which options of every type
/// that has lists or tables can read.
std::string setting_text(const options::node& value) {
  switch (value.type) {
    case options::node::kind::text:
    case options::node::kind::big: return value.text;
    case options::node::kind::real: return base::shortest(value.real);
    default: return options::to_json(value);
  }
}

constexpr std::array<std::string_view, 2> output_flags{"--output-json", "--output_json"};

/// The command without the flags for the result, and without their values.
std::vector<std::string> without_output(const std::vector<std::string>& command) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const std::string_view word = command[i];
    if (std::ranges::find(output_flags, word) != output_flags.end())
      ++i;  // its value
    else if (std::ranges::find(output_flags, word.substr(0, word.find('='))) == output_flags.end())
      out.push_back(command[i]);
  }
  return out;
}

}  // namespace

std::vector<std::string> with_parameters(const plan& what, const item& bench) {
  if (what.result_reporter.empty()) return applied(what.bench_command, bench);
  std::vector<std::string> out = what.bench_command;
  for (std::size_t i = 0; i < bench.table().items.size(); ++i) {
    if (bench.table().names[i] == name_key) continue;
    out.emplace_back("--set");
    out.push_back(bench.table().names[i] + "=" + setting_text(bench.table().items[i]));
  }
  return out;
}

std::vector<std::string> with_parameters(const plan& what, const item& serve, const item& bench) {
  if (what.does != kind::startup) return with_parameters(what, bench);
  return applied(applied(what.bench_command, serve), bench);
}

std::vector<std::string> benchmark_command(const plan& what, const item& serve, const item& bench,
                                           const std::filesystem::path& result) {
  if (what.does != kind::startup) return benchmark_command(what, bench, result);
  std::vector<std::string> out = without_output(with_parameters(what, serve, bench));
  out.emplace_back(output_flags.front());
  out.push_back(result.string());
  return out;
}

std::vector<std::string> benchmark_command(const plan& what, const item& bench,
                                           const std::filesystem::path& result) {
  std::vector<std::string> out = with_parameters(what, bench);
  if (what.result_reporter.empty()) {
    const std::string folder = result.parent_path().string();
    for (const std::string& word :
         {std::string("--percentile-metrics"), std::string("ttft,tpot,itl,e2el"),
          std::string("--save-result"), std::string("--result-dir"),
          folder.empty() ? std::string(".") : folder, std::string("--result-filename"),
          result.filename().string()})
      out.push_back(word);
    return out;
  }
  out.emplace_back("--reporter");
  // Absolute, because a relative path would be in the folder of run.result-dir.
  out.push_back(what.result_reporter + "=" +
                std::filesystem::absolute(result).lexically_normal().string());
  return out;
}

item with_num_prompts(const plan& what, const item& bench, std::int64_t count) {
  return bench.with(what.prompts_key, options::node::of(count));
}

}  // namespace inferbench::sweep
