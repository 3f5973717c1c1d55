#include <algorithm>
#include <limits>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text.hpp"
#include "offline/offline_line.hpp"
#include "options/refusal.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::offline {

namespace {

using options::node;

std::string quoted_value(const std::string& text) { return "\"" + base::one_line(text) + "\""; }

node fallback_of(const offline_flag& flag) {
  return pytext::read_json_node(flag.fallback, flag.name);
}

[[noreturn]] void too_small(const flag_text& given, const std::string& value) {
  throw base::error("must be at least " + base::shortest(given.flag->least) + ", not " + value, {},
                    given.where);
}

}  // namespace

const flag_text* offline_values::last(std::string_view name) const {
  const auto found = std::find_if(line_.given.rbegin(), line_.given.rend(),
                                  [&](const flag_text& each) { return name == each.flag->name; });
  return found == line_.given.rend() ? nullptr : &*found;
}

const offline_flag& offline_values::flag(std::string_view name) const {
  const offline_flag* found = find_flag(line_.command, name);
  if (found == nullptr) throw base::error("no such option", {}, {"--" + std::string(name)});
  return *found;
}

bool offline_values::on(std::string_view name) const {
  const flag_text* found = last(name);
  return found != nullptr && found->text == "true";
}

std::optional<std::string> offline_values::text(std::string_view name) const {
  if (const flag_text* found = last(name)) return found->text;
  const node value = fallback_of(flag(name));
  if (value.is(node::kind::null)) return std::nullopt;
  return value.text;
}

std::optional<std::int64_t> offline_values::whole(std::string_view name) const {
  const flag_text* found = last(name);
  if (found == nullptr) {
    const node value = fallback_of(flag(name));
    if (value.is(node::kind::null)) return std::nullopt;
    return value.integer;
  }
  const auto value = pytext::python_int(found->text);
  if (!value)
    throw options::usage_error(quoted_value(found->text) + " is not a whole number", {},
                               found->where);
  if (static_cast<double>(*value) < found->flag->least)
    throw base::error("must be at least " +
                          std::to_string(static_cast<std::int64_t>(found->flag->least)) + ", not " +
                          std::to_string(*value),
                      {}, found->where);
  // The interfaces of engines and data sets have 32 bits for lengths and counts.
  if (*value > std::numeric_limits<std::int32_t>::max())
    throw base::error("must be at most " +
                          std::to_string(std::numeric_limits<std::int32_t>::max()) + ", not " +
                          std::to_string(*value),
                      {}, found->where);
  return value;
}

std::optional<double> offline_values::real(std::string_view name) const {
  const flag_text* found = last(name);
  if (found == nullptr) {
    const node value = fallback_of(flag(name));
    if (value.is(node::kind::null)) return std::nullopt;
    return value.real;
  }
  const auto value = pytext::python_float(found->text);
  if (!value)
    throw options::usage_error(quoted_value(found->text) + " is not a number", {}, found->where);
  if (*value < found->flag->least) too_small(*found, base::shortest(*value));
  return value;
}

std::string offline_values::choice(std::string_view name, std::span<const std::string> of,
                                   std::span<const std::string> also) const {
  const std::string value = text(name).value_or(std::string());
  if (std::ranges::find(of, value) != of.end() || std::ranges::find(also, value) != also.end())
    return value;
  std::vector<std::string> names(of.begin(), of.end());
  names.insert(names.end(), also.begin(), also.end());
  const std::string hint = base::did_you_mean(value, names);
  const flag_text* found = last(name);
  throw options::usage_error(
      fmt::format("{} is not one of {}", quoted_value(value), fmt::join(names, ", ")),
      !hint.empty()       ? hint
      : name == "backend" ? "choose one of them, or an installed engine; "
                            "inferbench plugin list shows them"
                          : "choose one of them",
      found != nullptr ? found->where : base::source_position{});
}

node offline_values::object(std::string_view name) const {
  node out = fallback_of(flag(name));
  bool touched = false;
  for (const flag_text& each : line_.given) {
    if (name != each.flag->name) continue;
    if (!each.member.empty()) {
      if (!touched) out = node::table();
      try {
        put_member(out, each.member, value_of_text(each.text));
      } catch (const base::error& e) {
        throw options::usage_error(e.message(), e.remedy(), each.where);
      }
    } else {
      try {
        out = pytext::read_json_node(each.text, "the value");
      } catch (const base::error& e) {
        throw options::usage_error("is not JSON: " + std::string(e.what()), {}, each.where);
      }
      if (!out.is(node::kind::table))
        throw options::usage_error(
            "must be a JSON object, not " + std::string(options::noun_of(out)), {}, each.where);
    }
    touched = true;
  }
  return out;
}

node offline_values::value(const offline_flag& flag) const {
  if (!given(flag.name)) return fallback_of(flag);
  switch (flag.type) {
    case flag_type::toggle: return node::of(on(flag.name));
    case flag_type::text:
    case flag_type::choice: return node::of(text(flag.name).value_or(std::string()));
    case flag_type::whole: return node::of(whole(flag.name).value_or(0));
    case flag_type::real: return node::of(real(flag.name).value_or(0));
    case flag_type::json: return object(flag.name);
  }
  return {};
}

node arguments_of(const offline_line& line) {
  const offline_values values(line);
  node out = node::table();
  // Upstream's command line stores these three itself; the last is a Python function.
  out.set("subparser", node::of(std::string("bench")));
  out.set("bench_type", node::of(std::string(name_of(line.command))));
  out.set("dispatch_function", node::of(std::string("<function is not JSON serializable>")));
  for (const offline_flag& each : all_offline_flags())
    if ((each.commands & bit_of(line.command)) != 0 && !each.ours)
      out.set(destination_of(each.name), values.value(each));
  node engine = line.engine.table();
  for (std::size_t i = 0; i < engine.items.size(); ++i)
    out.set(engine.names[i], std::move(engine.items[i]));
  return out;
}

}  // namespace inferbench::offline
