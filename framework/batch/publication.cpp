#include "batch/publication.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include <inferbench/run_description.hpp>

#include "base/error.hpp"
#include "base/scratch_file.hpp"
#include "base/text.hpp"
#include "config/named_reporter.hpp"
#include "config/request.hpp"
#include "records/journal.hpp"
#include "run/environment.hpp"
#include "run/journal_path.hpp"
#include "run/output_places.hpp"
#include "run/replay_journal.hpp"
#include "run/resolved.hpp"
#include "sweep/command.hpp"

namespace inferbench::batch {

namespace {

using options::node;

config::report_request report_of(const std::string& journal, const publication_places& places,
                                 const options::environment& env, config::catalog& plugins) {
  std::vector<std::string> words{journal};
  for (const std::string& each : places.reporters)
    words.insert(words.end(), {"--reporter", each});
  words.insert(words.end(), places.plugin_flags.begin(), places.plugin_flags.end());
  return config::parse_report(words, env, plugins);
}

bool is_secret(std::string_view name) {
  static constexpr std::array<std::string_view, 7> endings{
      "key", "token", "password", "secret", "header", "headers", "authorization"};
  return std::ranges::any_of(endings, [&](std::string_view end) {
    return name.size() >= end.size() &&
           base::equal_no_case(name.substr(name.size() - end.size()), end);
  });
}

void cut_secrets(node& in) {
  // NAME=VALUE with a secret name, and passwords in addresses.
  if (in.is(node::kind::text)) in.text = sweep::without_secrets({in.text}).front();
  for (std::size_t i = 0; i < in.items.size(); ++i) {
    const bool named = in.is(node::kind::table) && is_secret(in.names[i]);
    // A secret of digits is a number, and headers are a list.
    if (named && !in.items[i].is(node::kind::null))
      in.items[i] = node::of(std::string("(cut)"));
    else
      cut_secrets(in.items[i]);
  }
}

std::string plan_json(const published_run& about) {
  node offline = node::table();
  offline.set("benchmark", node::of(about.benchmark));
  offline.set("engine", node::of(about.engine.description));
  offline.set("load_s", node::of(static_cast<double>(about.engine.load_ns) / 1e9));
  if (about.engine.has_tied_clock())
    offline.set("clock_bound_ns", node::of(static_cast<std::int64_t>(about.engine.clock_bound_ns)));
  node arguments = about.arguments;
  cut_secrets(arguments);
  offline.set("arguments", std::move(arguments));
  node out = node::table();
  out.set("offline", std::move(offline));
  return options::to_json(out, options::non_finite::written);
}

ifb::run_description description_of(const published_run& about, const batch_outcome& measured) {
  ifb::run_description out;
  out.endpoint_type = out.backend = about.backend;
  out.model_id = about.model;
  out.tokenizer_id = about.model;  // the engine counts tokens: figures of tokens are shown
  out.num_prompts = out.planned = static_cast<std::int64_t>(measured.answers.size());
  out.steady_state.wanted = false;
  // Figures of times that the engine does not know would be wrong. So would be the times between
  // the tokens of several outputs, which come at the same time.
  const bool several = std::ranges::any_of(
      measured.answers, [](const batch_answer& each) { return each.outputs > 1; });
  if (several && measured.detail != time_detail::end)
    out.selected = {"ttft", "e2el"};
  else if (measured.detail == time_detail::events)
    out.selected = {"ttft", "tpot", "itl", "e2el"};
  else if (measured.detail == time_detail::first_and_last)
    out.selected = {"ttft", "tpot", "e2el"};
  else
    out.selected = {"e2el"};
  out.percentiles = {50, 90, 99};
  return out;
}

void write_journal(const std::string& path, const published_run& about,
                   const batch_outcome& measured, const base::clock& clock, base::log& log) {
  const std::int64_t ended_unix = clock.unix_now();
  const std::uint64_t now = clock.now();
  const auto since_begin =
      static_cast<std::int64_t>(now > measured.began_ns ? now - measured.began_ns : 0);
  const std::int64_t began_unix = ended_unix - since_begin;
  const records::run_information information{
      run::run_name(began_unix), measured.began_ns, began_unix,
      run::config_json(plan_json(about), description_of(about, measured)),
      run::environment_json(about.plugins)};
  records::journal journal(path, information, clock, log);
  for (const batch_answer& each : measured.answers)
    journal.append(each.record);
  journal.end({began_unix + static_cast<std::int64_t>(measured.elapsed_ns),
               measured.elapsed_ns,
               false,
               measured.answers.size(),
               {}});
}

/// Refuses two results in one regular file: the second would replace the first.
class distinct_files {
 public:
  void add(const std::string& path, const std::string& flag) {
    if (path == config::standard_output) return;
    std::error_code none;
    const std::filesystem::path whole = std::filesystem::weakly_canonical(path, none);
    if (none ||
        (std::filesystem::exists(whole, none) && !std::filesystem::is_regular_file(whole, none)))
      return;
    const auto [at, is_new] = flags_.try_emplace(whole, flag);
    if (!is_new)
      throw base::error(path + " is also the file of " + at->second, "name another file",
                        {flag, 0, 0});
  }

 private:
  std::map<std::filesystem::path, std::string> flags_;
};

}  // namespace

void require_publication(const publication_places& places, const options::environment& env,
                         config::catalog& plugins) {
  if (places.journal) run::require_writable_file(*places.journal, "--journal");
  distinct_files files;
  if (places.result) files.add(*places.result, "--output-json");
  if (places.journal) files.add(*places.journal, "--journal");
  if (places.reporters.empty()) return;
  const config::report_request asked = report_of("requests.journal", places, env, plugins);
  run::require_places(asked.reporters, {});
  for (const options::plugin_choice& each : asked.reporters)
    if (const options::option_value* file = each.find("file");
        file != nullptr && !file->text.empty())
      files.add(file->text, "--reporter");
}

bool publish(const published_run& about, const batch_outcome& measured,
             const publication_places& places, const options::environment& env,
             config::catalog& plugins, const base::clock& clock, base::log& log,
             base::output& out) {
  if (!places.journal && places.reporters.empty()) return true;
  std::optional<base::scratch_file> unnamed;
  const std::string path = places.journal ? *places.journal : unnamed.emplace().path();
  write_journal(path, about, measured, clock, log);
  if (places.reporters.empty()) return true;
  const config::report_request asked = report_of(path, places, env, plugins);
  for (const std::string& line : asked.warnings)
    log.warning(line);
  return !run::replay_journal(path, asked.reporters, asked.server, {}, log, out).reporters_failed;
}

}  // namespace inferbench::batch
