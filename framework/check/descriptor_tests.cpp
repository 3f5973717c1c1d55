// Tests of a plugin's description of itself.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <inferbench/abi.h>
#include <inferbench/draft/batch_engine.h>
#include <inferbench/draft/scorer.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "check/instance_under_test.hpp"
#include "check/subject.hpp"
#include "check/test.hpp"
#include "check/utf8.hpp"
#include "options/check.hpp"
#include "plugin/complete.hpp"
#include "plugin/option_names.hpp"

namespace inferbench::check {

namespace {

bool lower(char c) { return c >= 'a' && c <= 'z'; }
bool digit(char c) { return c >= '0' && c <= '9'; }

// Whether a name consists of lower-case letters, digits, "-" and "_", so that it is valid in TOML
// keys, flags and file names.
bool plain_name(std::string_view name) {
  if (name.empty() || !(lower(name.front()) || digit(name.front()))) return false;
  return std::ranges::all_of(name,
                             [](char c) { return lower(c) || digit(c) || c == '-' || c == '_'; });
}

// Whether a version has the form MAJOR.MINOR.PATCH[-PRERELEASE][+BUILD] of semver.org.
bool semver(std::string_view version) {
  const std::string_view core = version.substr(0, version.find_first_of("-+"));
  const auto numbers = base::split(core, '.');
  const auto number = [](std::string_view n) {
    return !n.empty() && std::ranges::all_of(n, digit) && (n.size() == 1 || n.front() != '0');
  };
  const auto tail = version.substr(core.size());
  const auto fine = [](char c) {
    return lower(c) || digit(c) || (c >= 'A' && c <= 'Z') || c == '-' || c == '.' || c == '+';
  };
  return numbers.size() == 3 && std::ranges::all_of(numbers, number) &&
         std::ranges::all_of(tail, fine) && (tail.empty() || tail.size() > 1);
}

void check_sentence(subject& s, const std::string& what, std::string_view text) {
  if (text.empty())
    s.fail(what + " is empty", "write one sentence");
  else if (!is_utf8(text))
    s.fail(what + " is not UTF-8", "write texts in UTF-8 (rule R1 in abi.h)");
  else if (text.find('\n') != std::string_view::npos)
    s.fail(what + " has more than one line", "write one sentence");
  else if (!text.ends_with('.') || text.ends_with(".."))
    s.warn(what + " is not a sentence: \"" + std::string(text) + "\"",
           "end the sentence with one full stop");
}

void check_option(subject& s, const ifb_option& o, const options::option& option) {
  const std::string what = "option " + option.name;
  if (!plain_name(option.name) || option.name.find('_') != std::string::npos)
    s.fail(what + " is not in kebab-case", "use lower-case letters, digits and -");
  check_sentence(s, "the help of " + what, o.help);
  if (o.flag != nullptr && !plain_name(o.flag))
    s.fail("the flag of " + what + " cannot be typed: \"" + std::string(o.flag) + "\"",
           "use lower-case letters, digits and -, without dashes in front");
  if (std::isnan(o.minimum) || std::isnan(o.maximum) || o.minimum > o.maximum)
    s.fail(what + " takes nothing: its minimum is above its maximum", "correct the range");
  if ((o.flags & IFB_OPT_GENERAL) != 0 && !plugin::is_general(s.given().kind, option.name, o.flags))
    s.warn(what + " has IFB_OPT_GENERAL, but this host has no general option with this name",
           "drop the flag, or use a name of GENERAL OPTIONS in abi.h");
  if ((o.flags & IFB_OPT_REQUIRED) != 0 && o.fallback != nullptr)
    s.warn(what + " is required and has a default", "drop the default, or IFB_OPT_REQUIRED");
  std::set<std::string> choices;
  for (const std::string& choice : option.choices)
    if (!choices.insert(choice).second)
      s.fail(std::string(what).append(" has the choice \"").append(choice).append("\" twice"),
             "drop one of the two");
  if (o.fallback == nullptr) return;
  try {
    static_cast<void>(options::fallback_of(option, options::environment::of_process()));
  } catch (const base::error& e) {
    s.fail(e.message(), e.remedy().starts_with("write")
                            ? e.remedy()
                            : "write the default as in TOML: texts, durations and paths in quotes, "
                              "numbers and booleans without");
  }
}

void judge_reserved(subject& s, const ifb_tokenizer& table) {
  if (table.reserved != 0) s.add(reserved_is_set("the ifb_tokenizer", table.reserved));
}

// A search by name opens the file with this name in the folder of the kind.
void check_file_name(subject& s) {
  namespace fs = std::filesystem;
  const fs::path& file = s.plugin().file;
  const std::string& id = s.given().id;
  const std::string folder = plugin::folder_of(s.given().kind);
  if (file.stem() == id || s.ids().size() != 1 || file.parent_path().filename() != folder) return;
  std::error_code none;
  if (fs::equivalent(file.parent_path() / (id + ".so"), file, none)) return;
  const std::string name = file.stem().string();
  s.warn("the name of the file, " + file.filename().string() + ", is not the id of its plugin, " +
             id + ": a run finds the plugin only as " + name + ":" + id,
         "name the file " + id + ".so");
}

}  // namespace

void check_descriptor(subject& s) {
  const ifb_plugin& plugin = *s.plugin().plugin;
  check_file_name(s);
  if (!plain_name(plugin.id))
    s.fail("the id \"" + std::string(plugin.id) + "\" cannot be a file name and a flag",
           "use lower-case letters, digits, - and _");
  if (!semver(plugin.version))
    s.fail("the version \"" + std::string(plugin.version) + "\" is not MAJOR.MINOR.PATCH",
           "number versions as semver.org says");
  check_sentence(s, "the summary", plugin.summary);
  if (*plugin.license == '\0')
    s.warn("the plugin has no licence", "name a licence as SPDX does: Apache-2.0, MIT, ...");
}

void check_options(subject& s) {
  std::set<std::string> flags;
  for (const ifb_option* o : s.plugin().options()) {
    if (s.full()) return;
    const options::option option = options::option_of(*o, s.given().kind, s.given().id);
    check_option(s, *o, option);
    if (!option.flag.empty() && !flags.insert(option.flag).second)
      s.fail("two options have the flag --" + option.flag, "give another flag to one option");
  }
}

void check_interfaces(subject& s) {
  const ifb_plugin& plugin = *s.plugin().plugin;
  struct capability {
    ifb_kind kind;
    const char* id;
  };
  constexpr capability known[] = {
      {IFB_BACKEND, IFB_HTTP_CODEC},      {IFB_BACKEND, IFB_ENGINE},
      {IFB_BACKEND, IFB_BATCH_ENGINE},    {IFB_DATASET, IFB_DATASET_OPS},
      {IFB_REPORTER, IFB_REPORTER_OPS},   {IFB_REPORTER, IFB_TABLE_REPORTER_OPS},
      {IFB_TOKENIZER, IFB_TOKENIZER_OPS}, {IFB_SCORER, IFB_SCORER_OPS}};
  const plugin::loaded& offered = s.plugin();
  std::set<std::string> listed;
  for (const char* const* id = plugin.interfaces; *id != nullptr; ++id) {
    listed.insert(*id);
    const void* const table = offered.query(*id);
    if (table == nullptr)
      s.fail("the plugin lists " + std::string(*id) + ", but query does not answer this id",
             "drop the id from interfaces, or return its table in query");
    else if (offered.query(*id) != table)
      s.fail("query answers " + std::string(*id) + " with another table each time",
             "return the address of one static table");
  }
  bool any = false;
  std::vector<std::string_view> expected;
  for (const capability& c : known) {
    const void* const table = offered.query(c.id);
    if (c.kind != plugin.kind) {
      if (table != nullptr)
        s.warn("query answers " + std::string(c.id) + ", which belongs to another kind of plugin",
               "compare the id in query");
      continue;
    }
    expected.emplace_back(c.id);
    if (table == nullptr) continue;
    any = true;
    if (!listed.contains(c.id))
      s.fail("query answers " + std::string(c.id) + ", but the plugin does not list this id",
             "add the id to interfaces");
    if (const auto lacks = plugin::lack_of(c.id, table))
      s.fail("the plugin's table of " + std::string(c.id) + " has no " + lacks->member,
             "fill in the member, and set struct_size to the size of the struct");
    if (c.kind == IFB_TOKENIZER) judge_reserved(s, *static_cast<const ifb_tokenizer*>(table));
  }
  if (!any)
    s.fail("the plugin offers no interface that this host can use for its kind",
           fmt::format("offer {}", fmt::join(expected, " or ")));
  for (const char* const id : {"", "inferbench.check.unknown/1", "inferbench.http-codec/999"})
    if (offered.query(id) != nullptr)
      s.fail("query answers the unknown id \"" + std::string(id) + "\"",
             "return NULL for every id that the plugin does not list");
}

}  // namespace inferbench::check
