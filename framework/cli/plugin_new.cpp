#include "cli/plugin_new.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "cli/output.hpp"
#include "plugin/search.hpp"

namespace inferbench::cli {

namespace {

namespace fs = std::filesystem;

constexpr const char* new_usage =
    "usage: inferbench plugin new KIND NAME [--lang LANGUAGE] [--directory DIR]\n\n"
    "Writes a project that builds, passes inferbench plugin check and can be used as it is.\n\n"
    "  KIND             backend, engine, dataset, reporter, tokenizer or scorer; an engine is a\n"
    "                   backend that performs its requests itself\n"
    "  NAME             of the plugin: small letters, digits, - and _; none that is taken\n"
    "  --lang LANGUAGE  c++, c or rust; c++ if not given; a scorer is in c++ or c\n"
    "  --directory DIR  the folder to write; NAME if not given\n";

const std::vector<std::string> kinds{"backend",  "engine",    "dataset",
                                     "reporter", "tokenizer", "scorer"};
const std::vector<std::string> languages{"c++", "c", "rust"};

[[noreturn]] void new_misused(const std::string& what) {
  throw base::error(what, "see inferbench plugin new --help");
}

void check_choice(const char* what, const std::string& given,
                  const std::vector<std::string>& choices) {
  if (std::ranges::find(choices, given) != choices.end()) return;
  const std::string meant = base::did_you_mean(given, choices);
  throw base::error(fmt::format("{} is none of the {}s: {}", given, what, fmt::join(choices, ", ")),
                    meant);
}

/// Throws base::error if the SDK has no interface for plugins of this kind in this language.
void check_interface(const std::string& kind, const std::string& language) {
  // The Rust layer of the SDK contains no drafts, and the interface of scorers is a draft.
  if (kind == "scorer" && language == "rust")
    throw base::error("the SDK has no interface for a scorer in rust", "choose c++ or c");
}

bool small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

/// Throws base::error if the name cannot be a file name, a flag and a part of identifiers.
void check_name(const std::string& name) {
  const auto separator = [](char c) { return c == '-' || c == '_'; };
  const bool letters = std::ranges::all_of(
      name, [&](char c) { return small_letter(c) || digit(c) || separator(c); });
  const bool doubled = std::ranges::adjacent_find(name, [&](char a, char b) {
                         return separator(a) && separator(b);
                       }) != name.end();
  if (name.size() <= 64 && letters && !doubled && small_letter(name.front()) &&
      !separator(name.back()))
    return;
  throw base::error("\"" + name + "\" is not a valid plugin name",
                    "small letters, digits, and single - or _ between them; at most 64, the first "
                    "of them a letter");
}

/// Returns the kind of the plugin in a project: the plugin in a project of kind engine is a
/// backend.
std::string plugin_kind(const std::string& kind) { return kind == "engine" ? "backend" : kind; }

/// `kind` is a kind of plugins. Throws base::error if the name is in use: a plugin could hide
/// another plugin with the same name, and both would have the same flags.
void check_free(const std::string& kind, const std::string& name) {
  const std::string remedy = "choose another name; inferbench plugin list shows those in use";
  if (kind == "tokenizer" && (name == "auto" || name == "none"))
    throw base::error(name + " has a meaning of its own where a tokenizer is named", remedy);
  for (const ifb_kind each : plugin::all_kinds) {
    if (plugin::name_of(each) != kind) continue;
    // Aliases are files, too, so the libraries need not be opened.
    for (const auto& [known, file] : plugin::files_of(each, plugin::search_path::standard({})))
      if (known == name)
        throw base::error(fmt::format("there is a {} {} already, {}", kind, name, file.string()),
                          remedy);
  }
}

struct project {
  std::string kind;
  std::string name;
  std::string language = "c++";
  fs::path folder;
};

project read_project(arguments args) {
  project out;
  std::vector<std::string> words;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& a = args[i];
    const auto equals = a.find('=');
    const std::string flag = a.substr(0, equals);
    if (flag != "--lang" && flag != "--directory") {
      if (a.starts_with("-")) new_misused("unknown flag " + a);
      words.push_back(a);
      continue;
    }
    if (equals == std::string::npos && ++i == args.size()) new_misused(flag + " needs a value");
    const std::string value = equals == std::string::npos ? args[i] : a.substr(equals + 1);
    if (value.empty()) new_misused(flag + " needs a value");
    if (flag == "--lang")
      out.language = value;
    else
      out.folder = value;
  }
  if (words.size() != 2 || words[1].empty())
    new_misused("inferbench plugin new takes a kind and a name");
  out.kind = words[0];
  out.name = words[1];
  check_choice("kind", out.kind, kinds);
  check_choice("language", out.language, languages);
  check_interface(out.kind, out.language);
  check_name(out.name);
  check_free(plugin_kind(out.kind), out.name);
  if (out.folder.empty()) out.folder = out.name;
  return out;
}

/// The folder that contains the program's bin folder, both in the build tree and after
/// installation.
fs::path prefix_of_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored).parent_path().parent_path();
}

fs::path find_template(const project& p) {
  const fs::path below = fs::path("share/inferbench/templates") / p.kind / p.language;
  std::vector<std::string> tried;
  for (const fs::path& prefix : {prefix_of_program(), fs::path("/usr/local"), fs::path("/usr")}) {
    std::error_code ignored;
    if (fs::is_directory(prefix / below, ignored)) return prefix / below;
    tried.push_back((prefix / below).string());
  }
  throw base::error(fmt::format("there is no template of a {} in {} (tried {})", p.kind, p.language,
                                fmt::join(tried, ", ")),
                    "install inferbench with its component sdk");
}

/// "my-example" in camel case, as the name of a Rust type: "MyExample".
std::string camel_case(std::string_view name) {
  std::string out;
  bool first = true;
  for (const char c : name) {
    const bool separator = c == '-' || c == '_';
    if (!separator) out += first && small_letter(c) ? static_cast<char>(c - 'a' + 'A') : c;
    first = separator;
  }
  return out;
}

/// A template is a project with the name my-example. This class replaces the name by the name of
/// the new plugin.
class renaming {
 public:
  explicit renaming(const std::string& name) {
    std::string identifier = name;
    std::ranges::replace(identifier, '-', '_');
    pairs_ = {{{"my-example", name}, {"my_example", identifier}, {"MyExample", camel_case(name)}}};
  }
  [[nodiscard]] std::string operator()(std::string_view text) const {
    std::string out;
    while (!text.empty()) {
      const auto hit = std::ranges::find_if(
          pairs_, [&](const auto& pair) { return text.starts_with(pair.first); });
      out += hit == pairs_.end() ? std::string(1, text.front()) : hit->second;
      text.remove_prefix(hit == pairs_.end() ? 1 : hit->first.size());
    }
    return out;
  }

 private:
  std::array<std::pair<std::string_view, std::string>, 3> pairs_;
};

void write_file(const fs::path& from, const fs::path& to, const renaming& rename) {
  const std::string text = base::read_file(from.string());
  std::ofstream out(to, std::ios::binary);
  out << rename(text);
  if (!out.flush()) throw base::error("cannot write " + to.string());
}

/// Writes the files of the project. Returns their paths, sorted and relative to the folder.
std::vector<fs::path> write(const project& p, const fs::path& from) {
  std::error_code problem;
  if (fs::exists(fs::symlink_status(p.folder, problem)) &&
      !(fs::is_directory(p.folder, problem) && fs::is_empty(p.folder, problem)))
    throw base::error(p.folder.string() + " exists, and nothing is overwritten",
                      "name another folder with --directory");
  const renaming rename(p.name);
  const auto new_name = [&](const fs::path& old) {
    return fs::path(rename(old.lexically_relative(from).string()));
  };
  std::vector<fs::path> out;
  try {
    std::set<fs::path> names;
    for (const auto& entry : fs::recursive_directory_iterator(from))
      if (!names.insert(new_name(entry.path())).second)
        throw base::error("the project has a file " + new_name(entry.path()).string() + " already",
                          "choose another name");
    fs::create_directories(p.folder);
    for (const auto& entry : fs::recursive_directory_iterator(from)) {
      const fs::path name = new_name(entry.path());
      if (entry.is_directory()) {
        fs::create_directories(p.folder / name);
        continue;
      }
      fs::create_directories((p.folder / name).parent_path());
      write_file(entry.path(), p.folder / name, rename);
      out.push_back(name);
    }
  } catch (const fs::filesystem_error& e) {
    throw base::error("cannot write " + p.folder.string() + ": " + e.code().message());
  }
  std::ranges::sort(out);
  return out;
}

/// The arguments of an example command that uses the library.
std::string use_of(const project& p, const std::string& library) {
  if (p.kind == "engine")
    return "serve --backend " + library + " --tokenizer-mode bytes --num-prompts 5";
  if (p.kind == "backend")
    return "serve --backend " + library +
           " --model MODEL --tokenizer-mode bytes --base-url http://127.0.0.1:8000 --num-prompts 5";
  if (p.kind == "dataset")
    return "dataset show --dataset-name " + library + " --dataset-path " +
           base::shell_word((p.folder / "lines.txt").string()) +
           " --tokenizer-mode bytes --num-prompts 5";
  if (p.kind == "scorer")
    // The tokenizer of bytes has no chat template, and the server applies its own to a chat.
    return "serve --backend openai-chat --model MODEL --tokenizer-mode bytes --base-url "
           "http://127.0.0.1:8000 --dataset-name custom --dataset-path " +
           base::shell_word((p.folder / "questions.jsonl").string()) +
           " --skip-chat-template --num-prompts 4 --scorer " + library;
  if (p.kind == "reporter") return "report RUN.journal --reporter " + library;
  return "tokenizer info --tokenizer-mode " + library;
}

void tell(const project& p, const std::vector<fs::path>& files) {
  const std::string folder = base::shell_word(p.folder.string());
  const std::string build = base::shell_word((p.folder / "build").string());
  cli::print("{} {} in {}:\n", p.kind, p.name, p.folder.string());
  for (const fs::path& file : files)
    cli::print("  {}\n", file.string());
  const fs::path prefix = prefix_of_program();
  std::error_code ignored;
  // If this folder does not exist, the SDK is in a folder that CMake searches by default.
  const std::string where = fs::is_directory(prefix / "share/cmake/inferbench-sdk", ignored)
                                ? " " + base::shell_word("-DCMAKE_PREFIX_PATH=" + prefix.string())
                                : "";
  const std::string library = base::shell_word(
      (p.folder / "build/lib/inferbench/plugins" / (plugin_kind(p.kind) + "s") / (p.name + ".so"))
          .string());
  cli::print("\nBuild, check and use it:\n  cmake -S {} -B {}{} && cmake --build {}\n", folder,
             build, where, build);
  cli::print("  ctest --test-dir {} --output-on-failure\n", build);
  // The library is given as a path and not as a name, because a path contains a slash.
  cli::print("  inferbench {}\n", use_of(p, library));
}

}  // namespace

int plugin_new(arguments args) {
  if (args.empty() || asks_for_help(args)) {
    return print_usage(new_usage, args.empty());
  }
  const project p = read_project(args);
  const auto files = write(p, find_template(p));
  tell(p, files);
  return done;
}

}  // namespace inferbench::cli
