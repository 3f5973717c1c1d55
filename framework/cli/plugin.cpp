#include <algorithm>
#include <filesystem>
#include <map>
#include <ranges>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/child.hpp"
#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "cli/plugin_argument.hpp"
#include "cli/plugin_check.hpp"
#include "cli/plugin_new.hpp"
#include "config/keys.hpp"
#include "options/forwarding.hpp"
#include "options/option.hpp"
#include "plugin/library.hpp"
#include "plugin/search.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;
using plugin::described;

constexpr const char* plugin_usage =
    "usage: inferbench plugin list [--plugin-dir DIR]...\n"
    "       inferbench plugin show ID|FILE|FILE:ID [--plugin-dir DIR]...\n"
    "       inferbench plugin check ID|FILE|FILE:ID [FLAGS]\n"
    "       inferbench plugin new KIND NAME [FLAGS]\n\n"
    "list   every plugin on the search path, folder by folder, and what an earlier folder hides;\n"
    "       each library is looked at in a process of its own\n"
    "show   what one plugin is, and its options\n"
    "check  whether it keeps the contract: the conformance kit\n"
    "new    a project to begin with, in C++, C or Rust\n";

/// The arguments that are not flags; --plugin-dir DIR and --plugin-dir=DIR fill `folders`.
std::vector<std::string> words(arguments args, std::vector<fs::path>& folders) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    if (a == "--plugin-dir") {
      if (++i == args.size()) throw base::error("--plugin-dir needs a folder");
      folders.emplace_back(args[i]);
    } else if (a.starts_with("--plugin-dir=")) {
      folders.emplace_back(a.substr(a.find('=') + 1));
    } else if (a.starts_with("-")) {
      throw base::error("unknown flag " + a, "see inferbench plugin --help");
    } else {
      out.push_back(a);
    }
  }
  return out;
}

// Prints what the folder `folder` of the search path offers. Returns whether every library of it
// can be used.
bool list_folder(const fs::path& folder, ifb_kind kind, std::span<const described> all,
                 std::span<const plugin::hidden_file> hidden) {
  const auto lies_here = [&](const fs::path& file) { return file.parent_path() == folder; };
  const auto listed = [&](const described& d) {
    return d.kind == kind && !d.later && lies_here(d.found_at);
  };
  const auto unlisted = [&](const plugin::hidden_file& h) {
    return h.kind == kind && lies_here(h.file);
  };
  if (std::ranges::none_of(all, listed) && std::ranges::none_of(hidden, unlisted)) return true;
  cli::print("  {}\n", folder.string());
  bool good = true;
  for (const described& d : all | std::views::filter(listed)) {
    if (!d.trouble.empty())
      cli::print("    {:<16} cannot be used: {}\n", d.name, d.trouble);
    else if (d.name != d.id)
      cli::print("    {:<16} {:<8} the same as {}\n", d.name, d.version, d.id);
    else
      cli::print("    {:<16} {:<8} {}\n", d.name, d.version, d.summary);
    good = good && d.trouble.empty();
  }
  for (const plugin::hidden_file& h : hidden | std::views::filter(unlisted))
    cli::print("    {:<16} hidden by {}\n", h.name, h.by.string());
  return good;
}

// Names the folders of --plugin-dir in which no library lies.
void tell_of_empty(std::span<const fs::path> given) {
  for (const fs::path& folder : given) {
    const plugin::search_path alone{{fs::absolute(folder)}};
    if (std::ranges::all_of(plugin::all_kinds, [&](const ifb_kind kind) {
          return plugin::files_of(kind, alone).empty();
        }))
      cli::print(
          "{} holds no plugins; inferbench looks for them in its folders backends, datasets, "
          "reporters, tokenizers and scorers\n",
          alone.folders.front().string());
  }
}

// `given`: the folders of --plugin-dir.
int list_all(const plugin::search_path& search, std::span<const fs::path> given) {
  const auto all = plugin::list(search);
  if (all.empty()) {
    std::string tried;
    for (const fs::path& folder : search.folders)
      tried += "\n  " + folder.string();
    throw base::error("no plugins found below" + tried,
                      "build them, or name their folder with --plugin-dir");
  }
  const auto hidden = plugin::hidden_files(search);
  bool good = true;
  for (const ifb_kind kind : plugin::all_kinds) {
    cli::print("{}s\n", plugin::name_of(kind));
    std::set<fs::path> seen;  // the search path may have a folder twice
    for (const fs::path& each : search.folders) {
      const fs::path folder = each / plugin::folder_of(kind);
      if (seen.insert(folder).second) good = list_folder(folder, kind, all, hidden) && good;
    }
  }
  if (all.back().later) cli::print("skipped\n");
  for (const described& d : all)
    if (d.later) cli::print("  {}: {}\n", d.found_at.string(), sentence_of_later(d));
  tell_of_empty(given);
  return good ? done : incomplete;
}

std::string type_name(ifb_type type) {
  static const std::map<ifb_type, const char*> names{
      {IFB_STRING, "text"},        {IFB_INT, "integer"},       {IFB_FLOAT, "number"},
      {IFB_BOOL, "true or false"}, {IFB_DURATION, "duration"}, {IFB_SIZE, "size"},
      {IFB_PATH, "path"},          {IFB_CHOICE, "choice"},     {IFB_STRINGS, "list of text"},
      {IFB_JSON, "any value"}};
  const auto at = names.find(type);
  return at == names.end() ? "unknown type" : at->second;
}

/// The flag that sets an option in serve: the option's own flag or a general flag.
std::string spelling(const described& d, const described::option& o) {
  const auto keys = config::host_keys();
  const options::option declared = options::option_of(o, d.kind, d.id);
  const std::string_view flag = options::flag_for(declared, keys);
  return flag.empty() ? "TOML only" : "flag --" + std::string(flag);
}

/// How a run selects the plugin.
std::string use_of(ifb_kind kind, const std::string& name) {
  const std::string in_file = " use = \"" + name + "\"";
  switch (kind) {
    case IFB_BACKEND: return "--backend " + name + ", or in TOML [backend]" + in_file;
    case IFB_DATASET: return "--dataset-name " + name + ", or in TOML [dataset]" + in_file;
    case IFB_TOKENIZER: return "--tokenizer-mode " + name + ", or in TOML [tokenizer]" + in_file;
    case IFB_SCORER: return "--scorer " + name + ", or in TOML [scorer]" + in_file;
    default: return "--reporter " + name + ", or in TOML [[reporter]]" + in_file;
  }
}

void print(const described& d, const std::string& name) {
  if (!d.trouble.empty()) throw base::error(d.file.string() + " cannot be used: " + d.trouble);
  cli::print("{} {} {}: {}\n", plugin::name_of(d.kind), d.id, d.version, d.summary);
  cli::print("  licence     {}\n  file        {}\n  sha256      {}\n  built with  {}\n", d.license,
             d.file.string(), base::sha256_of_file(d.file.string()), d.sdk);
  cli::print("  use         {}\n", use_of(d.kind, name));
  for (const std::string& id : d.interfaces)
    cli::print("  offers      {}\n", id);
  if (!d.options.empty()) cli::print("  options\n");
  for (const auto& o : d.options) {
    std::string kind = type_name(o.type);
    if (!o.choices.empty()) {
      kind = "one of";
      for (const std::string& c : o.choices)
        kind += " " + c;
    }
    if ((o.flags & IFB_OPT_REQUIRED) != 0) kind += ", required";
    if (!o.fallback.empty()) kind += ", default " + o.fallback;
    const char* const note = (o.flags & IFB_OPT_SECRET) != 0 ? " (secret)" : "";
    cli::print("    {} ({}; {})\n      {}{}\n", o.name, spelling(d, o), kind, o.help, note);
  }
}

// `name`: how the user named the library. If `id` is empty, all plugins of the library are shown.
int show_library(const fs::path& file, const std::string& name, const std::string& id) {
  const auto all = plugin::describe_all(file);
  bool found = false;
  for (const described& d : all) {
    if (!d.trouble.empty() && !d.later) print(d, name);  // throws the reason
    if (!id.empty() && id != d.id) continue;
    found = true;
    if (!d.later)
      print(d, all.size() == 1 ? name : name + ":" + d.id);
    else if (!id.empty() || all.size() == 1)
      throw base::error(sentence_of_later(d), "use a later release of inferbench");
    else
      cli::print("{}; it is skipped\n", sentence_of_later(d));
  }
  if (!found) no_such_plugin(file.string(), id, all);
  return done;
}

int show_one(const std::string& text, const plugin::search_path& search) {
  const plugin::wanted what = plugin_of_argument(text);
  if (what.is_path) return show_library(fs::absolute(what.name), what.name, what.id);
  std::vector<std::string> names;
  bool found = false;
  for (const described& d : plugin::list(search)) {
    names.push_back(d.name);
    if (d.name != text) continue;
    if (d.later) throw base::error(sentence_of_later(d), "use a later release of inferbench");
    print(d, text);
    found = true;
  }
  if (found) return done;
  if (!what.id.empty())
    for (const ifb_kind kind : plugin::all_kinds)
      if (const auto files = plugin::files_called(kind, what.name, search); !files.empty())
        return show_library(files.front(), what.name, what.id);
  const std::string meant = base::did_you_mean(text, names);
  throw base::error("no plugin " + text,
                    meant.empty() ? "inferbench plugin list shows what there is" : meant);
}

}  // namespace

int plugin(arguments args) {
  if (args.empty()) {
    return print_usage(plugin_usage, true);
  }
  // For internal use: these commands run in the child processes that inspect libraries for list and
  // show, and that run the tests of check.
  if (args[0] == "probe" && args.size() > 1) return plugin::probe_main(args.subspan(1));
  if (args[0] == "check-one" && args.size() == 2) return check::child_main(args[1]);
  if (args[0] == "check") return plugin_check(args.subspan(1));
  if (args[0] == "new") return plugin_new(args.subspan(1));
  if (asks_for_help(args)) {
    cli::print("{}", plugin_usage);
    return done;
  }

  std::vector<fs::path> folders;
  const auto rest = words(args, folders);
  const auto search = plugin::search_path::standard(folders);
  if (rest.size() == 1 && rest[0] == "list") return list_all(search, folders);
  if (rest.size() == 2 && rest[0] == "show") return show_one(rest[1], search);
  std::string command = "inferbench plugin";
  for (const std::string& word : rest)
    command += " " + word;
  throw base::error(
      "invalid command: " + command,
      "the commands are list, show PLUGIN, check and new; see inferbench plugin --help");
}

}  // namespace inferbench::cli
