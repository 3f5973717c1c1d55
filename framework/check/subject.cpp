#include "check/subject.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/check.hpp"
#include "options/flag_value.hpp"
#include "options/node.hpp"
#include "options/option.hpp"
#include "plugin/load.hpp"

namespace inferbench::check {

namespace {

constexpr std::size_t most_findings = 10;

// A value for a required option that was not given. Empty if a guess could do harm or would
// certainly be wrong.
std::string stand_in(const options::option& option) {
  switch (option.type) {
    case IFB_STRING: return "m";
    case IFB_CHOICE: return option.choices.empty() ? "" : option.choices.front();
    case IFB_BOOL: return "false";
    case IFB_INT:
    case IFB_SIZE:
    case IFB_FLOAT:
      return option.minimum == 0 && option.maximum == 0
                 ? "1"
                 : std::to_string(static_cast<std::int64_t>(std::ceil(option.minimum)));
    case IFB_DURATION: return "1";
    case IFB_JSON: return "{}";
    default: return {};
  }
}

void judge_names(const recorded_options& more, std::span<const ifb_option* const> options) {
  std::vector<std::string> names;
  for (const ifb_option* o : options)
    names.emplace_back(o->name);
  for (const auto& [name, value, bare] : more.options) {
    if (std::ranges::find(names, name) != names.end()) continue;
    const std::string meant = base::did_you_mean(name, names);
    throw base::error("there is no option " + name,
                      meant.empty() ? "see the options with inferbench plugin show" : meant,
                      {more.name, 0, 0});
  }
}

// The recorded value as a value of TOML: a number is not a valid string, but a string may be a
// valid number.
options::node node_of_recorded(const options::option& option, const recorded_option& said,
                               const recorded_options& more, const base::source_position& where) {
  const bool of_text =
      option.type == IFB_STRING || option.type == IFB_PATH || option.type == IFB_CHOICE;
  if (said.bare && of_text) {
    options::node out = options::parse_json_node(said.value, more.name);
    out.where = where;
    return out;
  }
  std::string text = said.value;
  // Recordings may contain 0 and 1 for booleans.
  if (option.type == IFB_BOOL && (text == "0" || text == "1"))
    text = text == "0" ? "false" : "true";
  // A URL is not a path relative to the folder.
  if (option.type == IFB_PATH && !text.empty() && !text.starts_with('~') &&
      text.find("://") == std::string::npos)
    text = (more.folder / text).lexically_normal().string();
  return options::node_of_text(option, std::span(&text, 1), where);
}

}  // namespace

subject::subject(const task& given, outcome& out)
    : given_(given), out_(out), environment_(options::environment::of_process()) {}

void subject::add(finding what) {
  const std::lock_guard lock(mutex_);
  if (!what.what.empty() && out_.findings.size() < most_findings &&
      std::ranges::find(out_.findings, what) == out_.findings.end())
    out_.findings.push_back(std::move(what));
}

void subject::fail(std::string what, std::string remedy) {
  add({true, std::move(what), std::move(remedy)});
}

void subject::warn(std::string what, std::string remedy) {
  add({false, std::move(what), std::move(remedy)});
}

void subject::note(std::string text) { out_.notes.push_back(std::move(text)); }

void subject::skip(std::string why) { throw skipped{std::move(why)}; }

bool subject::full() const noexcept {
  const std::lock_guard lock(mutex_);
  return out_.findings.size() >= most_findings;
}

bool subject::late(double part) const {
  const std::chrono::duration<double> gone = std::chrono::steady_clock::now() - began_;
  return gone > part * std::chrono::duration<double>(given_.limit);
}

const plugin::loaded& subject::plugin() {
  if (plugin_.plugin != nullptr) return plugin_;
  const plugin::library* in = nullptr;
  try {
    in = &plugin::open_checked(given_.file);
  } catch (const base::error& e) {
    skip(e.message());
  }
  const auto found = plugin::find_in(*in, given_.kind, given_.id);
  if (!found)
    skip("the library holds no " + std::string(plugin::name_of(given_.kind)) + " " + given_.id);
  plugin_ = *found;
  return plugin_;
}

std::string subject::called() {
  return std::string(plugin::name_of(given_.kind)) + " " + given_.id;
}

std::vector<std::string> subject::ids() {
  static_cast<void>(plugin());
  std::vector<std::string> out;
  for (const ifb_plugin& p : plugin::open_checked(given_.file).content.plugins)
    if (p.kind == given_.kind) out.emplace_back(p.id);
  return out;
}

void subject::leave_behind() {
  const std::lock_guard lock(mutex_);
  out_.left_behind = true;
}

std::vector<options::option_value> subject::values() { return values({}); }

std::vector<options::option_value> subject::values(const recorded_options& more) {
  std::map<std::string, std::string> said;
  std::map<std::string, recorded_option> recorded;
  for (const auto& [name, value] : given_.settings)
    said[name] = value;
  for (const recorded_option& each : more.options)
    recorded[each.name] = each;
  if (!more.lenient) judge_names(more, plugin().options());
  std::vector<options::option_value> out;
  for (const ifb_option* declared : plugin().options()) {
    const options::option option = options::option_of(*declared, given_.kind, given_.id);
    std::string text;
    const auto at = said.find(option.name);
    const auto fixed = recorded.find(option.name);
    if (fixed != recorded.end()) {
      // A wrong value throws an error and does not skip the test, because the recording itself is
      // wrong.
      const base::source_position where{more.name, 0, 0};
      out.push_back(options::check(option, node_of_recorded(option, fixed->second, more, where),
                                   environment_));
      continue;
    }
    if (at != said.end()) {
      text = at->second;
    } else if (option.fallback || !option.required) {
      try {
        out.push_back(options::fallback_of(option, environment_));
      } catch (const base::error&) {
        skip("the default of option " + option.name + " cannot be read: see the test options");
      }
      continue;
    } else {
      text = stand_in(option);
      if (text.empty())
        skip("option " + option.name + " is required: give one with --set " + option.name +
             "=VALUE");
    }
    try {
      const base::source_position where{"--set " + option.name, 0, 0};
      const std::string texts[] = {text};
      out.push_back(
          options::check(option, options::node_of_text(option, texts, where), environment_));
    } catch (const base::error& e) {
      skip(e.what());
    }
  }
  return out;
}

std::string name_of_status(ifb_status status) {
  switch (status) {
    case IFB_OK: return "IFB_OK";
    case IFB_END: return "IFB_END";
    case IFB_MORE: return "IFB_MORE";
    case IFB_SKIP: return "IFB_SKIP";
    case IFB_E_CONFIG: return "IFB_E_CONFIG";
    case IFB_E_UNSUPPORTED: return "IFB_E_UNSUPPORTED";
    case IFB_E_IO: return "IFB_E_IO";
    case IFB_E_PROTOCOL: return "IFB_E_PROTOCOL";
    case IFB_E_REMOTE: return "IFB_E_REMOTE";
    case IFB_E_TIMEOUT: return "IFB_E_TIMEOUT";
    case IFB_E_CANCELLED: return "IFB_E_CANCELLED";
    case IFB_E_MEMORY: return "IFB_E_MEMORY";
    case IFB_E_INTERNAL: return "IFB_E_INTERNAL";
    case IFB_E_DATA: return "IFB_E_DATA";
    default: return "status " + std::to_string(status);
  }
}

}  // namespace inferbench::check
