#include "sweep/toml_sweep.hpp"

#include <algorithm>
#include <limits>
#include <string_view>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/check.hpp"
#include "options/refusal.hpp"
#include "sweep/axes.hpp"
#include "sweep/command.hpp"
#include "sweep/runnable.hpp"

namespace inferbench::sweep {

namespace {

using options::node;
using options::usage_error;

constexpr const char* sweep_title = "sweep";
constexpr const char* server_title = "sweep.server";

options::option sweep_key(std::string table, std::string name, ifb_type type, std::string help,
                          const char* fallback = nullptr, double minimum = 0, double maximum = 0) {
  options::option out;
  out.table = std::move(table);
  out.name = std::move(name);
  out.type = type;
  out.help = std::move(help);
  if (fallback != nullptr) out.fallback = fallback;
  out.minimum = minimum;
  out.maximum = maximum;
  return out;
}

/// Reads the table [sweep]: the checked values of the keys in toml_sweep_keys(), and the tables in
/// it.
class sweep_table_reader {
 public:
  sweep_table_reader(const node& table, const options::environment& env)
      : table_(table), env_(env) {
    reject_unknown(table_, sweep_title, {"axes", "zip", "exclude", "server", "reporter"});
    server_ = table_.find("server");
    if (server_ == nullptr) return;
    require(*server_, node::kind::table, server_title, "[sweep.server]");
    reject_unknown(*server_, server_title, {"command", "after-bench", "axes", "zip"});
  }

  [[nodiscard]] const node* server() const noexcept { return server_; }

  [[nodiscard]] options::option_value value(std::string_view path) const {
    for (const options::option& key : toml_sweep_keys()) {
      if (key.path() != path) continue;
      const node* from = key.table == server_title ? server_ : &table_;
      const node* given = from == nullptr ? nullptr : from->find(key.name);
      return given == nullptr ? options::fallback_of(key, env_) : options::check(key, *given, env_);
    }
    return {};
  }
  [[nodiscard]] bool on(std::string_view path) const { return value(path).integer != 0; }
  [[nodiscard]] int whole(std::string_view path) const {
    return static_cast<int>(value(path).integer);
  }

  /// A command line as one text or as a list of words.
  static std::vector<std::string> command(const node& from, const std::string& path) {
    if (from.is(node::kind::text)) {
      try {
        return split_words(from.text, path);
      } catch (const base::error& why) {
        const bool by_flag = from.where.file.starts_with("--");
        throw usage_error((by_flag ? "" : path + ": ") + why.message(), why.remedy(), from.where);
      }
    }
    const bool words =
        from.is(node::kind::list) && !from.items.empty() &&
        std::ranges::all_of(from.items, [](const node& word) {
          return word.is(node::kind::text) && word.text.find('\0') == std::string::npos;
        });
    if (!words || from.items.front().text.empty())
      throw usage_error(path + " must be a command line: a text or a list of texts",
                        "write " + path.substr(path.rfind('.') + 1) + " = \"PROGRAM ARGUMENT...\"",
                        from.where);
    std::vector<std::string> out;
    for (const node& word : from.items)
      out.push_back(word.text);
    return out;
  }

  /// The tables of a list; empty if the key is not given.
  [[nodiscard]] std::vector<node> tables(const char* name) const {
    const node* list = table_.find(name);
    if (list == nullptr) return {};
    const std::string title = std::string(sweep_title) + "." + name;
    require(*list, node::kind::list, title, "[[" + title + "]]");
    for (const node& each : list->items)
      require(each, node::kind::table, title, "[[" + title + "]]");
    return list->items;
  }

 private:
  static void require(const node& what, node::kind type, const std::string& title,
                      const std::string& form) {
    if (what.is(type)) return;
    throw usage_error(title + " must be a " +
                          (form.starts_with("[[") ? "list of tables" : "table") + ", not " +
                          std::string(options::noun_of(what)),
                      "write " + form, what.where);
  }

  static void reject_unknown(const node& table, const std::string& title,
                             std::vector<std::string> names) {
    for (const options::option& key : toml_sweep_keys())
      if (key.table == title) names.push_back(key.name);
    for (std::size_t i = 0; i < table.names.size(); ++i) {
      if (std::ranges::find(names, table.names[i]) != names.end()) continue;
      std::string remedy = base::did_you_mean(table.names[i], names);
      if (remedy.empty())
        for (const std::string& name : names)
          remedy += (remedy.empty() ? "there is " : ", ") + name;
      throw usage_error("unknown key " + title + "." + base::one_line(table.names[i]), remedy,
                        table.items[i].where);
    }
  }

  const node& table_;
  const options::environment& env_;
  const node* server_ = nullptr;
};

void read_server(plan& into, const sweep_table_reader& from) {
  into.serve_items = {item()};
  if (from.server() == nullptr) return;
  const node& server = *from.server();
  axis_product axes(server_title, false);
  axes.add_axes(server.find("axes"));
  axes.add_zips(server.find("zip"));
  into.serve_items = axes.items();
  const node* command = server.find("command");
  if (command == nullptr)
    throw usage_error("sweep.server has no command", "add command = \"PROGRAM ARGUMENT...\"",
                      server.where);
  into.serve_command = sweep_table_reader::command(*command, "sweep.server.command");
  if (const node* after = server.find("after-bench"))
    into.after_bench = sweep_table_reader::command(*after, "sweep.server.after-bench");
  constexpr std::int64_t ns_per_s = 1'000'000'000;
  const std::int64_t wait_ns = from.value("sweep.server.ready-timeout").integer;
  into.ready_timeout_s = static_cast<std::uint64_t>((wait_ns + ns_per_s - 1) / ns_per_s);
}

void read_links(plan& into, const options::option_value& given) {
  for (const std::string& text : given.list) {
    try {
      for (link& each : parse_links(text))
        into.links.push_back(std::move(each));
    } catch (const base::error& why) {
      throw usage_error("sweep.links: " + why.message(), why.remedy(), given.where);
    }
  }
}

bool has_parameter(const plan& what, const std::string& name) {
  const auto has = [&](const std::vector<item>& items) {
    return std::ranges::any_of(items, [&](const item& each) { return each.find(name) != nullptr; });
  };
  return has(what.serve_items) || has(what.bench_items);
}

/// True if at least one combination has all values of the exclude.
bool excludes_some(const plan& what, const item& exclude) {
  plan alone;
  alone.excludes = {exclude};
  return std::ranges::any_of(what.serve_items, [&](const item& serve) {
    return std::ranges::any_of(what.bench_items,
                               [&](const item& bench) { return !runs(alone, serve, bench); });
  });
}

void read_excludes(plan& into, const sweep_table_reader& from) {
  for (const node& table : from.tables("exclude")) {
    const item exclude = flat(table);
    if (exclude.empty())
      throw usage_error("the exclude has no parameter", "add KEY = VALUE", table.where);
    for (std::size_t i = 0; i < exclude.table().items.size(); ++i)
      if (!has_parameter(into, exclude.table().names[i]))
        throw usage_error(
            "sweep.exclude: no axis has the parameter " + base::one_line(exclude.table().names[i]),
            "use the name of a parameter of an axis", exclude.table().items[i].where);
    if (!excludes_some(into, exclude))
      throw usage_error(
          "the exclude " + base::one_line(exclude.text()) + " matches no combination of the axes",
          "correct its values, or leave it out", table.where);
    into.excludes.push_back(exclude);
  }
}

void name_toml_experiment(plan& into, const options::option_value& name, std::time_t start) {
  if (name.is_set) {
    const std::string& text = name.text;
    if (text.empty() || text == "." || text == ".." || text.find('/') != std::string::npos)
      throw usage_error("sweep.name must be the name of a folder, not " + options::in_quotes(text),
                        "name the folder above it in sweep.output-dir", name.where);
    into.experiment = text;
    return;
  }
  if (into.resume)
    throw base::error("needs the name of an experiment",
                      "add name = \"NAME\" to [sweep], or --set sweep.name=NAME",
                      {"--resume", 0, 0});
  into.experiment = experiment_name(start);
}

}  // namespace

std::vector<options::option> toml_sweep_keys() {
  constexpr double most_runs = 1e6;
  constexpr double longest_wait_ns = 1e17;  // three years
  std::vector<options::option> out{
      sweep_key(sweep_title, "name", IFB_STRING, "Name of the experiment and of its folder"),
      sweep_key(sweep_title, "output-dir", IFB_PATH, "Folder of experiments", "\"results\""),
      sweep_key(sweep_title, "repeats", IFB_INT, "Runs of each combination", "3", 1, most_runs),
      sweep_key(sweep_title, "order", IFB_CHOICE, "Order of the runs", "\"upstream\""),
      sweep_key(sweep_title, "seed", IFB_INT, "Seed of the order \"shuffled\"", "0", 0,
                4294967295.0),
      sweep_key(sweep_title, "continue-on-error", IFB_BOOL,
                "Go on with the next run if a run fails", "false"),
      sweep_key(sweep_title, "warmup-prompts", IFB_INT,
                "Requests of a run before the runs of each combination; 0: no such run", "0", 0,
                std::numeric_limits<int>::max()),
      sweep_key(sweep_title, "links", IFB_STRINGS,
                "Pairs SERVER_PARAMETER=KEY: only combinations with equal values run"),
      sweep_key(sweep_title, "show-stdout", IFB_BOOL, "Show the standard output of all programs",
                "false"),
      sweep_key(server_title, "ready-timeout", IFB_DURATION,
                "Longest wait for a server that starts", "\"300s\"", 0, longest_wait_ns),
  };
  out[3].choices = {"upstream", "shuffled", "abba"};
  for (options::option& each : out) {
    each.group = sweep_title;
    each.commands = options::for_run;
  }
  return out;
}

plan plan_of(const node& sweep_table, std::vector<std::string> run_command,
             std::string result_reporter, const toml_sweep_flags& flags,
             const options::environment& env, std::time_t start) {
  const sweep_table_reader from(sweep_table, env);
  plan out;
  out.bench_command = std::move(run_command);
  out.result_reporter = std::move(result_reporter);
  out.dry_run = flags.dry_run;
  out.resume = flags.resume;
  out.show_stdout = flags.show_stdout || from.on("sweep.show-stdout");
  out.output_dir = from.value("sweep.output-dir").text;
  out.num_runs = from.whole("sweep.repeats");
  out.warmup_prompts = from.whole("sweep.warmup-prompts");
  out.continue_on_error = from.on("sweep.continue-on-error");
  const std::string order = from.value("sweep.order").text;
  out.in_order = order == "shuffled" ? plan::order::shuffled
                 : order == "abba"   ? plan::order::abba
                                     : plan::order::upstream;
  out.order_seed = static_cast<std::uint64_t>(from.value("sweep.seed").integer);
  name_toml_experiment(out, from.value("sweep.name"), start);

  read_server(out, from);
  axis_product axes(sweep_title, true);
  axes.add_axes(sweep_table.find("axes"));
  axes.add_zips(sweep_table.find("zip"));
  out.bench_items = axes.items();
  if (out.serve_items.size() * out.bench_items.size() > most_combinations)
    throw base::error(
        "the sweep has more than " + std::to_string(most_combinations) + " combinations",
        "use fewer values", sweep_table.where);
  read_links(out, from.value("sweep.links"));
  read_excludes(out, from);
  if (!some_run(out))
    throw base::error(why_none_runs(out), "correct the links and excludes", sweep_table.where);
  out.reporter_entries = from.tables("reporter");
  require_runnable(out);
  return out;
}

}  // namespace inferbench::sweep
