#include "check/kit.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/child.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/option.hpp"

namespace inferbench::check {

namespace {

namespace fs = std::filesystem;
using plugin::described;

class scratch {
 public:
  scratch() {
    std::string name = (fs::temp_directory_path() / "inferbench-check-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw base::error("cannot make a folder below " + fs::temp_directory_path().string() + ": " +
                        std::strerror(errno));
    path_ = name;
  }
  scratch(const scratch&) = delete;
  scratch& operator=(const scratch&) = delete;
  ~scratch() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

bool chosen(const test& t, const std::vector<std::string>& only) {
  const std::string_view name = t.name;
  return only.empty() || std::ranges::any_of(only, [&](const std::string& o) {
           return !o.empty() && name.starts_with(o);
         });
}

void check_names(const wanted& what) {
  std::vector<std::string> names;
  for (const test& t : tests())
    names.emplace_back(t.name);
  for (const std::string& o : what.only) {
    const std::vector<std::string> one = {o};
    if (std::ranges::any_of(tests(), [&](const test& t) { return chosen(t, one); })) continue;
    const std::string meant = base::did_you_mean(o, names);
    throw base::error("there is no test " + o,
                      meant.empty() ? "see all tests with inferbench plugin check --list" : meant);
  }
}

// Throws base::error unless at least one of the plugins that have an option accepts its value.
void check_settings(const wanted& what, const std::vector<described>& plugins) {
  if (plugins.empty()) return;  // the options of the plugins are not known
  const auto environment = options::environment::of_process();
  for (const auto& [name, value] : what.settings) {
    std::vector<std::string> names;
    std::optional<base::error> refused;
    bool taken = false;
    for (const described& d : plugins)
      for (const auto& declared : d.options) {
        names.push_back(declared.name);
        if (declared.name != name) continue;
        const options::option option = options::option_of(declared, d.kind, d.id);
        const std::string texts[] = {value};
        try {
          std::ignore = options::check(
              option, options::node_of_text(option, texts, {"--set " + name, 0, 0}), environment);
          taken = true;
        } catch (const base::error& e) {
          refused = e;
        }
      }
    if (taken) continue;
    if (refused) throw *refused;
    const std::string meant = base::did_you_mean(name, names);
    throw base::error("--set " + name + ": there is no such option",
                      meant.empty() ? "see the options with inferbench plugin show" : meant);
  }
}

// The plugins to be tested. Empty if the library cannot be described; the tests of the library
// report the reason. Throws base::error if the plugin that `what` names does not exist.
std::vector<described> plugins_of(const wanted& what) {
  std::vector<described> out = plugin::describe(what.file, true);
  if (!out.empty() && !out.front().trouble.empty()) return {};
  if (!what.id.empty())
    std::erase_if(out, [&](const described& d) { return d.kind != what.kind || d.id != what.id; });
  if (out.empty())
    throw base::error(what.file.string() + " holds no " + std::string(plugin::name_of(what.kind)) +
                      " " + what.id);
  return out;
}

// Adds a finding if the plugin has written output, but only once for the same text. Tests whose
// names begin with "file-" are excluded, because the dynamic linker may write before any code of
// the plugin runs.
void judge_output(outcome& out, const test& t, std::set<std::string>& known) {
  if (out.said == verdict::crashed || out.output.empty()) return;
  if (std::string_view(t.name).starts_with("file-") || !known.insert(out.output).second) return;
  constexpr std::size_t most = 100;
  std::string text = base::valid_utf8(out.output.substr(0, most));
  std::ranges::replace(text, '\n', ' ');
  out.findings.push_back(
      {true, "the plugin writes to standard output or error: \"" + text + "\"",
       "log through the host, and print through its console service (rule R9 in abi.h)"});
  settle(out);
}

}  // namespace

std::string result::plugin() const {
  return kind == 0 ? "library" : std::string(plugin::name_of(kind)) + " " + id;
}

std::size_t report::count(verdict v) const {
  return static_cast<std::size_t>(
      std::ranges::count_if(results, [&](const result& r) { return r.said.said == v; }));
}

bool report::good() const { return count(verdict::failed) + count(verdict::crashed) == 0; }

report check(const wanted& what, const std::function<void(const result&)>& each) {
  check_names(what);
  const auto plugins = plugins_of(what);
  if (!plugins.empty()) check_settings(what, plugins);
  report out;
  out.file = what.file;
  out.sha256 = base::sha256_of_file(what.file.string());
  std::set<std::string> written;
  const auto run = [&](const test& t, const described* of) {
    result& r = out.results.emplace_back();
    r.what = &t;
    task given{.file = what.file,
               .test = t.name,
               .settings = what.settings,
               .transcripts = what.transcripts,
               .limit = what.limit};
    if (of != nullptr) {
      r.kind = given.kind = of->kind;
      r.id = given.id = of->id;
      r.version = of->version;
    }
    const scratch folder;
    given.folder = folder.path();
    if (what.in_process) {
      // Reporters write to the working directory if their options name no folder.
      const fs::path before = fs::current_path();
      if (r.kind == IFB_REPORTER) fs::current_path(given.folder);
      r.said = run_here(given);
      fs::current_path(before);
    } else {
      r.said = run_in_child(given, what.command);
    }
    judge_output(r.said, t, written);
    each(r);
  };
  for (const test& t : tests())
    if (t.of_library && chosen(t, what.only)) run(t, nullptr);
  for (const described& d : plugins)
    for (const test& t : tests()) {
      if (t.of_library || !chosen(t, what.only)) continue;
      if (t.kind != 0 && t.kind != d.kind) continue;
      if (t.interface_id != nullptr &&
          std::ranges::find(d.interfaces, t.interface_id) == d.interfaces.end())
        continue;
      run(t, &d);
    }
  return out;
}

}  // namespace inferbench::check
