#include "cli/plugin_check.hpp"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/kit.hpp"
#include "check/print.hpp"
#include "cli/output.hpp"
#include "cli/plugin_argument.hpp"
#include "plugin/gate.hpp"
#include "plugin/library.hpp"
#include "plugin/load.hpp"
#include "plugin/search.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* check_usage =
    "usage: inferbench plugin check FILE|FILE:ID|ID [FLAGS]\n\n"
    "Runs the conformance kit on a library, or on one of its plugins: each test in a process of\n"
    "its own. Exit status 0 when nothing failed or crashed, 1 otherwise.\n\n"
    "  --plugin-dir DIR       where an ID is looked for first; may be repeated\n"
    "  --allow-unsafe-plugin  take a file that other users could have changed\n"
    "  --only TEST            this test, or the tests whose names begin with it; may be repeated\n"
    "  --set OPTION=VALUE     an option of the plugin; may be repeated\n"
    "  --transcripts DIR      recorded exchanges of a backend\n"
    "  --time-limit SECONDS   of each test; 10 if not given\n"
    "  --in-process           no child processes: for a debugger\n"
    "  --json FILE            the report as JSON; - is standard output\n"
    "  --junit FILE           the report as JUnit's XML\n"
    "  --list                 the tests, and nothing else\n";

struct check_arguments {
  std::string what;
  std::vector<fs::path> folders;
  bool allow_unsafe = false;
  std::string json;
  std::string junit;
  bool list = false;
  check::wanted kit;
};

[[noreturn]] void check_misused(const std::string& what) {
  throw base::error(what, "see inferbench plugin check --help");
}

std::chrono::milliseconds limit_of(const std::string& text) {
  constexpr double most = 24 * 3600;
  const auto seconds = base::parse_float(text);
  if (!seconds || !(*seconds > 0) || *seconds > most)
    check_misused("--time-limit takes seconds above 0, up to a day, not " + text);
  return std::chrono::ceil<std::chrono::milliseconds>(std::chrono::duration<double>(*seconds));
}

check_arguments read_check(arguments args) {
  check_arguments out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    std::string flag = args[i];
    std::optional<std::string> joined;
    if (const auto equals = flag.find('='); flag.starts_with("--") && equals != std::string::npos) {
      joined = flag.substr(equals + 1);
      flag.resize(equals);
    }
    const auto value = [&]() -> std::string {
      if (joined) return *joined;
      if (++i == args.size()) check_misused(flag + " needs a value");
      return args[i];
    };
    const bool is_switch =
        flag == "--allow-unsafe-plugin" || flag == "--in-process" || flag == "--list";
    if (is_switch && joined) check_misused(flag + " takes no value");
    if (flag == "--plugin-dir") {
      out.folders.emplace_back(value());
    } else if (flag == "--only") {
      out.kit.only.push_back(value());
    } else if (flag == "--set") {
      const std::string pair = value();
      const auto equals = pair.find('=');
      if (equals == std::string::npos || equals == 0)
        check_misused("--set takes OPTION=VALUE, not " + pair);
      out.kit.settings.emplace_back(pair.substr(0, equals), pair.substr(equals + 1));
    } else if (flag == "--transcripts") {
      out.kit.transcripts = fs::absolute(value());
      if (!fs::is_directory(out.kit.transcripts))
        check_misused("--transcripts takes a folder, and there is none at " +
                      out.kit.transcripts.string());
    } else if (flag == "--time-limit") {
      out.kit.limit = limit_of(value());
    } else if (flag == "--json") {
      out.json = value();
    } else if (flag == "--junit") {
      out.junit = value();
    } else if (flag == "--allow-unsafe-plugin") {
      out.allow_unsafe = true;
    } else if (flag == "--in-process") {
      out.kit.in_process = true;
    } else if (flag == "--list") {
      out.list = true;
    } else if (flag.starts_with("-")) {
      check_misused("unknown flag " + args[i]);
    } else if (out.what.empty()) {
      out.what = args[i];
    } else {
      check_misused("plugin check takes one library, not " + out.what + " and " + args[i]);
    }
  }
  return out;
}

// Chooses one plugin of a library: the plugin with the id `id`. If `id` is empty, chooses the
// plugin that a search by name would select in the library `path`.
void choose(check_arguments& what, ifb_kind kind, const fs::path& path, const std::string& id) {
  const auto plugins = plugin::describe_all(what.kit.file, what.allow_unsafe);
  if (!plugins.front().trouble.empty() && !plugins.front().later)
    return;  // the tests report the reason
  std::vector<std::pair<ifb_kind, const char*>> ids;
  for (const plugin::described& d : plugins) {
    if (d.later && id == d.id)
      throw base::error(sentence_of_later(d), "check it with a later release of inferbench");
    if (d.later) continue;
    ids.emplace_back(d.kind, d.id.c_str());
    if (id != d.id) continue;
    what.kit.kind = d.kind;
    what.kit.id = id;
    return;
  }
  if (!id.empty()) no_such_plugin(path.string(), id, plugins);
  if (const char* const found = plugin::pick_id(ids, kind, path, what.kit.file, false)) {
    what.kit.kind = kind;
    what.kit.id = found;
  }
}

// PATH selects the whole library, PATH:ID selects one plugin of the library, and a name selects the
// plugin that `use =` would select.
void find(check_arguments& what) {
  const plugin::wanted asked = plugin_of_argument(what.what);
  if (asked.is_path) {
    const fs::path file = fs::absolute(asked.name);
    what.kit.file = plugin::pass_gate(file, what.allow_unsafe);
    if (!asked.id.empty()) choose(what, 0, file, asked.id);
    return;
  }
  const auto search = plugin::search_path::standard(what.folders);
  std::vector<std::string> names;
  for (const ifb_kind kind : plugin::all_kinds)
    for (const auto& [name, file] : plugin::files_of(kind, search)) {
      names.push_back(name);
      if (name != asked.name) continue;
      what.kit.file = plugin::pass_gate(file, what.allow_unsafe);
      choose(what, kind, file, asked.id);
      return;
    }
  const std::string meant = base::did_you_mean(what.what, names);
  throw base::error("no plugin " + what.what,
                    meant.empty() ? "give the path of its library, with a slash" : meant);
}

// Names the plugins of the library that this release cannot test.
void tell_of_later(const check_arguments& what) {
  for (const plugin::described& d : plugin::describe_all(what.kit.file, what.allow_unsafe))
    if (d.later) cli::print("{}; it is not tested\n", sentence_of_later(d));
}

void write(const std::string& path, const std::string& text) {
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out << text << std::flush;
  if (!out.good()) throw base::error("cannot write " + path);
}

}  // namespace

int plugin_check(arguments args) {
  if (asks_for_help(args)) {
    cli::print("{}", check_usage);
    return done;
  }
  check_arguments what = read_check(args);
  if (what.list) {
    cli::print("{}", check::list_of_tests());
    return done;
  }
  if (what.what.empty())
    check_misused("no library is named: plugin check takes a library or the id of a plugin");
  find(what);
  const bool quiet = what.json == "-";
  if (!quiet) cli::print("{}\n", what.kit.file.string());
  if (!quiet && what.kit.id.empty()) tell_of_later(what);
  std::string plugin;
  const auto shown = [&](const check::result& r) {
    if (quiet) return;
    cli::print("{}", check::to_text(r, r.plugin() != plugin));
    standard_output().flush();
    plugin = r.plugin();
  };
  const check::report report = check::check(what.kit, shown);
  if (!quiet) cli::print("{}\n", check::totals_of(report));
  if (quiet)
    cli::print("{}", check::to_json(report));
  else if (!what.json.empty())
    write(what.json, check::to_json(report));
  if (!what.junit.empty()) write(what.junit, check::to_junit(report));
  return report.good() ? done : incomplete;
}

}  // namespace inferbench::cli
