#include "batch/offline_session.hpp"

#include <cerrno>
#include <cstdio>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "batch/server_plan.hpp"
#include "offline/inner_names.hpp"
#include "offline/offline_flags.hpp"
#include "offline/upstream.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"
#include "run/output_places.hpp"
#include "sweep/command.hpp"

namespace inferbench::batch {

namespace {

using offline::benchmark;
using offline::offline_line;
using options::node;

constexpr benchmark all_benchmarks[] = {
    benchmark::throughput,     benchmark::latency,        benchmark::startup,
    benchmark::mm_processor,   benchmark::prefix_caching, benchmark::long_document_qa,
    benchmark::prioritization,
};

bool names_file(std::span<const std::string> args) {
  return !args.empty() && args.front().ends_with(".toml");
}

node read_toml(const std::string& file, const options::environment& env) {
  return options::parse_toml(base::read_file(file), file, env);
}

/// The values of a flag that may be repeated.
std::vector<std::string> all_of(const offline_line& line, std::string_view flag) {
  std::vector<std::string> out;
  for (const offline::flag_text& each : line.given)
    if (flag == each.flag->name) out.push_back(each.text);
  return out;
}

publication_places places_of(const offline_line& line, const options::environment& env) {
  const offline::offline_values values(line);
  publication_places out;
  if (line.command == benchmark::startup) return out;
  if (const auto path = values.text("journal"); path && *path != "none")
    out.journal = env.expand(*path);
  if (out.journal && out.journal->empty())
    throw options::usage_error("the name of the file is empty", "name a file", {"--journal"});
  out.reporters = all_of(line, "reporter");
  for (const std::string& each : all_of(line, "plugin-dir"))
    out.plugin_flags.insert(out.plugin_flags.end(), {"--plugin-dir", each});
  if (values.on("allow-unsafe-plugin")) out.plugin_flags.emplace_back("--allow-unsafe-plugin");
  return out;
}

std::string command_line(const offline_line& line, std::span<const std::string> args) {
  std::vector<std::string> words{"inferbench", std::string(offline::name_of(line.command))};
  words.insert(words.end(), args.begin(), args.end());
  std::string out = "Command:";
  for (const std::string& each : sweep::without_secrets(std::move(words)))
    out += " " + base::shell_word(each);
  return out + "\n";
}

}  // namespace

offline_line read_arguments(benchmark which, std::span<const std::string> args,
                            const options::environment& env) {
  if (!names_file(args)) return offline::read_offline_line(which, args);
  const std::string& file = args.front();
  const node all = read_toml(file, env);
  const std::string name(offline::name_of(which));
  const node* const table = all.find(name);
  if (table == nullptr)
    throw base::error("there is no table [" + name + "]", "put the settings of the benchmark in it",
                      {file, 0, 0});
  if (!table->is(node::kind::table))
    throw base::error(name + " must be a table, not " + std::string(options::noun_of(*table)), {},
                      table->where);
  for (std::size_t i = 0; i < all.names.size(); ++i)
    if (all.names[i] != name)
      throw base::error(fmt::format("a file for {0} has no other tables than [{0}], but {1}", name,
                                    base::one_line(all.names[i])),
                        "put it in a file of its own", all.items[i].where);
  offline_line out = offline::read_offline_table(which, *table);
  offline_line above = offline::read_offline_line(which, args.subspan(1));
  out.help = above.help;
  std::ranges::move(above.given, std::back_inserter(out.given));
  for (const offline::engine_option& each : above.engine.all())
    out.engine.add(each);
  return out;
}

std::optional<benchmark> benchmark_of_file(const std::string& file,
                                           const options::environment& env) {
  const node all = read_toml(file, env);
  for (const benchmark each : all_benchmarks)
    if (all.find(offline::name_of(each)) != nullptr) return each;
  return std::nullopt;
}

offline_session::offline_session(const offline_line& line, std::span<const std::string> args,
                                 const options::environment& env, base::output& out)
    : line_(line),
      env_(env),
      out_(out),
      places_(places_of(line, env)),
      signals_(&log_),
      host_(config::server{}, static_cast<std::uint64_t>(line.engine.whole("seed").value_or(0)),
            clock_, log_, out),
      bar_(true),
      output_json_(offline::offline_values(line).text("output-json")) {
  std::vector<std::filesystem::path> folders;
  for (const std::string& each : all_of(line, "plugin-dir"))
    folders.emplace_back(env.expand(each));
  plugins_.look_in(std::move(folders), offline::offline_values(line).on("allow-unsafe-plugin"));
  if (output_json_ && output_json_->empty()) output_json_.reset();
  if (output_json_) {
    output_json_ = env.expand(*output_json_);
    run::require_writable_file(*output_json_, "--output-json");
  }
  places_.result = output_json_;
  require_publication(places_, env, plugins_);
  out_.write(command_line(line, args));
  out_.flush();
}

offline::installed_names offline_session::installed() {
  offline::installed_names out;
  const offline::offline_values values(line_);
  const auto add = [&](ifb_kind kind, std::string_view flag, std::vector<std::string>& to) {
    if (offline::find_flag(line_.command, flag) == nullptr || !values.given(flag)) return;
    const std::string name = values.text(flag).value_or(std::string());
    // Upstream's names count only for the commands that upstream has them for.
    if (kind == IFB_DATASET &&
        offline::upstream::dataset_family_of(name) != offline::upstream::dataset_family::other)
      return;
    const std::string plugin =
        kind == IFB_BACKEND ? offline::upstream::plugin_of(name).plugin : name;
    const bool of_serve = kind == IFB_BACKEND && !base_urls().empty();
    if (!of_serve && kind == IFB_BACKEND &&
        offline::upstream::engine_family_of(name) != offline::upstream::engine_family::other)
      return;
    if (of_serve || name.find('/') != std::string::npos || plugins_.installed(kind, plugin))
      to.push_back(name);
  };
  add(IFB_BACKEND, "backend", out.engines);
  add(IFB_DATASET, "dataset-name", out.datasets);
  return out;
}

void offline_session::warn(std::span<const std::string> lines) {
  for (const std::string& each : lines)
    log_.warning(each);
}

engine_choice offline_session::engine(const std::string& name,
                                      const offline::engine_options& given) {
  return choose_engine(plugins_, name, given, env_);
}

prompt_list offline_session::prompts(const offline::dataset_options& wanted,
                                     const std::string& tokenizer, bool chat) {
  if (tokenizer.empty() && !wanted.tokenizer && wanted.tokenizer_mode == "auto" &&
      wanted.family() != offline::upstream::dataset_family::other)
    throw base::error("no tokenizer is known, with which the prompts are counted",
                      "give --model or --tokenizer, or --tokenizer-mode bytes");
  return offline::inner_names(line_).told_by(
      [&] { return prompt_list(wanted, tokenizer, chat, places_.plugin_flags, env_, log_, out_); });
}

std::vector<std::string> offline_session::base_urls() const {
  return line_.command == benchmark::startup ? std::vector<std::string>()
                                             : all_of(line_, "base-url");
}

std::unique_ptr<http_executor> offline_session::server(
    const std::string& backend, std::int64_t outputs,
    std::vector<std::pair<std::string, std::string>> flags,
    const offline::engine_options& passed_on) {
  // Outputs of these two scripts may end early.
  const bool ends =
      line_.command == benchmark::prefix_caching || line_.command == benchmark::long_document_qa;
  const bool greedy = ends || line_.command == benchmark::mm_processor;
  return offline::inner_names(line_).told_by([&] {
    config::request asked = server_plan({.backend = backend,
                                         .base_urls = base_urls(),
                                         .outputs = outputs,
                                         .temperature = greedy ? "0" : "1",
                                         .ignores_eos = !ends,
                                         .dataset_flags = std::move(flags),
                                         .plugin_flags = places_.plugin_flags},
                                        passed_on, env_);
    warn(asked.warnings);
    // Until watch(), a signal ends the process at once: nothing here looks for one.
    return std::make_unique<http_executor>(std::move(asked.plan), clock_, log_, out_, signals_);
  });
}

run::cancel_on_signal offline_session::watch(batch_executor& engine) {
  signals_.hold();
  return {signals_.flag(), [this, &engine] {
            host_.cancel();
            engine.cancel();
          }};
}

engine_facts offline_session::load(batch_executor& engine) {
  signals_.end_set_up();  // an engine may forget a cancel that comes before the call
  engine_facts out = engine.load();
  signals_.end_set_up();
  if (out.clock_bound_ns != 0 && out.has_tied_clock() && !told_of_clock_.exchange(true))
    log_.info(fmt::format("the times of {} agree with this program's clock within {:.3g} us",
                          out.description.empty() ? "the engine" : out.description,
                          static_cast<double>(out.clock_bound_ns) / 1e3));
  return out;
}

void offline_session::end_if_stopped() const {
  if (signals_.came()) throw base::error("the benchmark was stopped before its end");
}

void offline_session::show_progress(std::size_t done, std::size_t all) {
  if (done == 0) iterating_since_ = clock_.now();
  bar_.draw({all, done, 0, done < all ? 1U : 0U, clock_.now() - iterating_since_, 0});
  if (done == all) bar_.end();
}

bench_console offline_session::console() {
  return {out_, log_, [this] { end_if_stopped(); },
          [this](const char*, std::size_t done, std::size_t all) { show_progress(done, all); },
          places_.journal || !places_.reporters.empty()};
}

startup::startup_console offline_session::startup_console() {
  return {out_, log_, [this] { end_if_stopped(); },
          [this](const char*, std::size_t done, std::size_t all) { show_progress(done, all); }};
}

void offline_session::write_file(const std::string& path, const std::string& text) {
  std::FILE* const file = std::fopen(path.c_str(), "we");
  const auto refuse = [&](int reason) {
    throw base::error("cannot write " + path + ": " + std::system_category().message(reason),
                      "the result is printed above; name another file with --output-json");
  };
  if (file == nullptr) refuse(errno);
  base::output to(file);
  to.write(text);
  to.finish();
  const int reason = to.reason();
  std::fclose(file);
  if (reason != 0) refuse(reason);
}

void offline_session::report(const std::string& text, const node& result, int indent,
                             std::span<const offline::pytorch_metric> metrics,
                             const std::string& model) {
  out_.write(text);
  out_.flush();
  if (!output_json_) return;
  write_file(*output_json_, offline::result_text(result, indent));
  if (metrics.empty() || !offline::wants_pytorch(env_, output_json_)) return;
  write_file(offline::pytorch_path(*output_json_),
             offline::pytorch_text({offline::arguments_of(line_), model, *output_json_}, metrics));
}

void offline_session::report_metric(const std::string& key, const offline::pytorch_metric& metric,
                                    const std::string& model) {
  if (!offline::wants_pytorch(env_, output_json_)) return;
  write_file(offline::pytorch_path(*output_json_, key),
             offline::pytorch_text({offline::arguments_of(line_), model, *output_json_},
                                   std::span(&metric, 1)));
}

bool offline_session::publish(const std::string& backend, const std::string& model,
                              const engine_facts& facts, const options::plugin_choice& engine,
                              const batch_outcome& measured) {
  const published_run about{.benchmark = std::string(offline::name_of(line_.command)),
                            .backend = backend,
                            .model = model,
                            .arguments = offline::arguments_of(line_),
                            .engine = facts,
                            .plugins = {&engine}};
  return batch::publish(about, measured, places_, env_, plugins_, clock_, log_, out_);
}

}  // namespace inferbench::batch
