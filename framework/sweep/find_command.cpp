#include "sweep/find_command.hpp"

#include <cstddef>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "sweep/benchmark_command.hpp"

namespace inferbench::sweep {

namespace {

constexpr std::size_t words_to_find = 2;  // inferbench find

/// The number of words up to "serve"; 0: the command is not this program's.
std::size_t words_to_serve(const std::vector<std::string>& command) {
  if (std::filesystem::path(command.front()).filename() != "inferbench") return 0;
  const std::size_t at = command.size() > 1 && command[1] == "bench" ? 2 : 1;
  return command.size() > at && command[at] == "serve" ? at + 1 : 0;
}

}  // namespace

std::vector<std::string> as_find(const std::vector<std::string>& serve, const find_flags& limits) {
  const std::size_t begin = words_to_serve(serve);
  if (begin == 0)
    throw base::error(
        "the certified search judges each request, so its benchmark must be "
        "inferbench serve, not " +
            serve.front(),
        "write --bench-cmd \"inferbench serve ...\", or choose --sla-search spline",
        {"--bench-cmd"});
  std::vector<std::string> out{serve.front(), "find"};
  out.insert(out.end(), serve.begin() + static_cast<std::ptrdiff_t>(begin), serve.end());
  out.insert(out.end(), limits.begin(), limits.end());
  return out;
}

std::vector<std::string> find_command(const plan& what, const item& bench, const sla_set& criteria,
                                      const std::filesystem::path& folder,
                                      const std::filesystem::path& result) {
  std::vector<std::string> out = with_parameters(what, bench);
  for (const criterion& each : criteria) {
    out.emplace_back("--goal");
    out.push_back(each.goal());
  }
  for (const std::string& each : what.reporters) {
    out.emplace_back("--reporter");
    out.push_back(each);
  }
  const std::string place = folder.string();
  for (std::string word : {std::string("--result-dir"), place.empty() ? std::string(".") : place,
                           std::string("--json"), result.string()})
    out.push_back(std::move(word));
  return out;
}

std::size_t searches_of(const plan& what) {
  return what.serve_items.size() * what.bench_items.size() * what.sla_sets.size();
}

void require_own_tables(std::span<const std::string> reporters, const plan& what,
                        const std::string& flag) {
  for (const std::string& each : reporters) {
    const std::size_t equals = each.find('=');
    if (equals == std::string::npos) continue;
    const std::string given = base::one_line(each);
    const std::string file = base::one_line(each.substr(equals));
    if (file == "=-" && !what.show_stdout)
      throw options::usage_error(
          given + " prints, and the sweep drops the standard output of a search",
          "add --show-stdout, or leave out =-", {flag});
    if (file != "=-" && searches_of(what) > 1)
      throw options::usage_error(
          given + " names one file, and each of the " + std::to_string(searches_of(what)) +
              " searches has a table of its own",
          "leave out " + file + ": each search then writes into its folder", {flag});
  }
}

std::vector<std::string> find_arguments(const std::vector<std::string>& command) {
  return {command.begin() + static_cast<std::ptrdiff_t>(words_to_find), command.end()};
}

}  // namespace inferbench::sweep
