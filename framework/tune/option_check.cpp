#include "tune/option_check.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "config/catalog.hpp"
#include "config/request.hpp"
#include "options/refusal.hpp"
#include "scripts/flag_names.hpp"
#include "tune/tune_commands.hpp"
#include "tune/tuning_bench.hpp"

namespace inferbench::tune {

namespace {

constexpr const char* bench_flag = "--bench-options";
constexpr const char* find_flag = "--find-options";
// A command of this program begins with the name of the program and its own name.
constexpr std::size_t words_of_name = 2;

constexpr const char* own_load = "the tuning decides how many requests it sends, and how fast";
constexpr const char* own_address = "give --serve-cmd or --port";
constexpr const char* own_files = "the tuning names its files itself";
constexpr const char* own_runs = "leave the flag out";

struct decided_flag {
  std::string_view name;
  const char* remedy;
};

// Without --backend, --dataset-name and --ignore-eos, which the user may replace.
constexpr decided_flag decided_flags[] = {
    {"base-url", own_address},
    {"host", own_address},
    {"port", own_address},
    {"model", "give --model to tune"},
    {"random-input-len", "give --input-len to tune"},
    {"input-len", "give --input-len to tune"},
    {"random-prefix-len", "give --min-cache-hit-pct to tune"},
    {"random-output-len", "give --output-len to tune"},
    {"output-len", "give --output-len to tune"},
    {"goodput", "give --max-latency-allowed-ms to tune"},
    {"percentile-metrics", "the tuning needs the latencies that it asks for"},
    {"request-rate", own_load},
    {"num-prompts", own_load},
    {"num-runs", own_runs},
    {"dry-run", own_runs},
    {"profile", "the last step of the tuning makes the profile"},
    {"journal", own_files},
    {"save-result", own_files},
    {"append-result", own_files},
    {"result-dir", own_files},
    {"result-filename", own_files},
    // The flags of `find`:
    {"over", "the tuning looks for a request rate"},
    {"json", own_files},
};

/// The name of the flag of a word: "--Result_dir=x" has "Result-dir", and other words an empty
/// name.
std::string name_of(const std::string& word) {
  if (!word.starts_with("--")) return {};
  std::string out = word.substr(2, word.find_first_of("=.", 2) - 2);
  std::ranges::replace(out, '_', '-');
  return out;
}

/// A flag may be shortened.
void refuse_decided(const std::vector<std::string>& words, const char* flag) {
  for (const std::string& word : words) {
    const std::string name = name_of(word);
    if (name.empty()) continue;
    for (const decided_flag& each : decided_flags)
      if (each.name.starts_with(name))
        throw options::usage_error("the tuning sets --" + std::string(each.name) + " itself",
                                   each.remedy, {flag, 0, 0});
  }
}

/// An error of `work` gets the flag of tune as its place.
template <typename function>
void placed_at(const char* flag, function work) {
  const auto message = [](const base::error& e) {
    return (e.where().known() ? e.where().text() + ": " : std::string()) + e.message();
  };
  try {
    work();
  } catch (const options::usage_error& e) {
    throw options::usage_error(message(e), e.remedy(), {flag, 0, 0});
  } catch (const base::error& e) {
    throw base::error(message(e), e.remedy(), {flag, 0, 0});
  }
}

void read_commands(const tune_request& request, const command_readers& readers) {
  const tuned_pair options{request.seqs.front(), request.tokens.front()};
  const std::string address = "http://localhost:" + std::to_string(request.port);
  const auto read = [](const command_reader& reader, const std::vector<std::string>& words) {
    reader(std::span(words).subspan(words_of_name));
  };
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const bool profile : {false, true})
    if (!profile || request.profile)
      read(readers.serve,
           benchmark_words(request, {options, infinite, 1, profile}, address, request.base));
  if (request.search == rate_search::find)
    read(readers.find, search_words(request, {options, 1, 2}, address, request.base));
}

scripts::flag_names own_names() {
  scripts::flag_names out;
  out.add("random-input-len", "input-len");
  out.add("random-prefix-len", "min-cache-hit-pct");
  out.add("random-output-len", "output-len");
  out.add("goodput", "max-latency-allowed-ms");
  out.add("goal", "max-latency-allowed-ms");
  return out;
}

void require_measurement(const config::request& read) {
  if (!read.help.empty() || read.print_config)
    throw options::usage_error("the command would measure nothing",
                               "leave out --help and --print-config");
}

}  // namespace

command_readers own_readers(const options::environment& env) {
  return {.serve =
              [&env](std::span<const std::string> args) {
                config::installed_catalog plugins;
                require_measurement(config::parse_serve(args, env, plugins));
              },
          .find =
              [&env](std::span<const std::string> args) {
                config::installed_catalog plugins;
                require_measurement(config::parse_find(args, env, plugins).load);
              }};
}

void require_options(const tune_request& request, const command_readers& readers) {
  refuse_decided(request.bench_options, bench_flag);
  refuse_decided(request.find_options, find_flag);
  // One group of words is added after the other, so that an error is that of the last group.
  tune_request part = request;
  part.bench_options.clear();
  part.find_options.clear();
  own_names().told_by([&] { read_commands(part, readers); });
  if (!request.bench_options.empty()) {
    part.bench_options = request.bench_options;
    placed_at(bench_flag, [&] { read_commands(part, readers); });
  }
  if (request.find_options.empty()) return;
  part.find_options = request.find_options;
  placed_at(find_flag, [&] { read_commands(part, readers); });
}

}  // namespace inferbench::tune
