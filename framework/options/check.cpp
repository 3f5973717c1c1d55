#include "options/check.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/text.hpp"
#include "base/units.hpp"
#include "options/flag_value.hpp"
#include "options/refusal.hpp"
#include "options/toml.hpp"

namespace inferbench::options {

namespace {

using base::shortest;

void check_range(const option& declared, const node& given, double value) {
  if (!ranged(declared)) {
    const bool measure = declared.type == IFB_DURATION || declared.type == IFB_SIZE;
    if (measure && value < 0) out_of_range(declared, given);
    return;
  }
  const bool low = declared.above ? value > declared.minimum : value >= declared.minimum;
  if (!low || !(value <= declared.maximum)) out_of_range(declared, given);
}

double number_of(const option& declared, const node& given) {
  if (given.is(node::kind::real)) return given.real;
  if (given.is(node::kind::integer)) return static_cast<double>(given.integer);
  unexpected(declared, given);
}

// The value of a duration or a size: a text with a unit, or a number without a unit.
std::int64_t measure_of(const option& declared, const node& given) {
  const bool time = declared.type == IFB_DURATION;
  std::optional<std::int64_t> out;
  if (given.is(node::kind::text))
    out = time ? base::parse_duration(given.text) : base::parse_size(given.text);
  else if (given.is(node::kind::integer))
    out = time ? base::parse_duration(std::to_string(given.integer)) : given.integer;
  else if (given.is(node::kind::real))
    out = time ? base::duration_of_seconds(given.real) : base::size_of_bytes(given.real);
  if (!out) unexpected(declared, given);
  return *out;
}

// Returns the text of a node. Refuses a NUL character, because it would end the text in a path that
// is passed to the system.
std::string text_of(const option& declared, const node& given) {
  if (!given.is(node::kind::text)) unexpected(declared, given);
  if (given.text.find('\0') != std::string::npos)
    complain(declared, given.where, "the text holds a zero character", "leave it out");
  return given.text;
}

// Whether a text option also accepts a number, because its default is a number. An example is a
// length: 512 or "uniform(1, 9)".
bool takes_numbers(const option& declared) {
  return declared.fallback && !declared.fallback->empty() && declared.fallback->front() >= '0' &&
         declared.fallback->front() <= '9';
}

// Sets `key` in a list of KEY<separator>VALUE. If the list contains the key already, its value is
// replaced.
void put(std::vector<std::string>& list, const std::string& key, char separator,
         const std::string& value) {
  const std::string start = key + separator;
  for (std::string& item : list)
    if (item.starts_with(start)) {
      item = start + value;
      return;
    }
  list.push_back(start + value);
}

struct entry {
  std::string key;
  node value;
};

// The remedy for an item of a list of pairs or goals that cannot be read.
std::string way_to_write(const option& declared) {
  if (declared.shape == form::goals)
    return "write for example " + declared.choices.front() + ":200";
  return "write it as " + value_name_of(declared) + ", in quotes where it holds blanks";
}

// The members of a table, or the items of a list split at `separator`. Messages do
// not show an item of a secret, so they give its position.
std::vector<entry> entries_of(const option& declared, const node& given, char separator) {
  std::vector<entry> out;
  if (given.is(node::kind::table)) {
    for (std::size_t i = 0; i < given.items.size(); ++i)
      out.push_back({given.names[i], given.items[i]});
  } else if (given.is(node::kind::list)) {
    for (std::size_t i = 0; i < given.items.size(); ++i) {
      const node& item = given.items[i];
      const std::string text = text_of(declared, item);
      const auto at = text.find(separator);
      const std::string key(base::trim(std::string_view(text).substr(0, at)));
      if (at == std::string::npos || key.empty())
        complain(declared, item.where,
                 (declared.secret ? "item " + std::to_string(i + 1) + ": " : "") + "expected " +
                     value_name_of(declared) + ", not " + shown(declared, item),
                 way_to_write(declared));
      node value = node::of(std::string(base::trim(std::string_view(text).substr(at + 1))));
      value.where = item.where;
      out.push_back({key, std::move(value)});
    }
  } else {
    unexpected(declared, given);
  }
  return out;
}

std::vector<std::string> pairs_of(const option& declared, const node& given) {
  std::vector<std::string> out;
  for (const entry& e : entries_of(declared, given, '=')) {
    if (e.key.empty() || e.key.find('=') != std::string::npos)
      complain(declared, e.value.where, in_quotes(e.key) + " cannot be a key",
               "give it a name without =");
    if (!e.value.is(node::kind::text))
      complain(declared, e.value.where,
               "expected a text for " + e.key + ", not " + shown(declared, e.value),
               "write it in quotes");
    (void)text_of(declared, e.value);
    put(out, e.key, '=',
        e.value.variable.empty() ? escape_variable(e.value.text) : "${" + e.value.variable + "}");
  }
  return out;
}

std::vector<std::string> goals_of(const option& declared, const node& given) {
  std::vector<std::string> out;
  for (const entry& e : entries_of(declared, given, ':')) {
    if (std::ranges::find(declared.choices, e.key) == declared.choices.end()) {
      option keys;
      keys.type = IFB_CHOICE;
      keys.choices = declared.choices;
      const std::string near = base::did_you_mean(e.key, declared.choices);
      complain(declared, e.value.where, "expected " + noun(keys) + ", not " + in_quotes(e.key),
               near.empty() ? remedy_of(keys) : near);
    }
    std::optional<double> ms;
    if (e.value.is(node::kind::text))
      ms = base::parse_number(e.value.text);
    else if (e.value.is(node::kind::integer) || e.value.is(node::kind::real))
      ms = number_of(declared, e.value);
    if (!ms || !(*ms >= 0))
      complain(declared, e.value.where,
               "expected a number of milliseconds of at least 0 for " + e.key + ", not " +
                   shown(declared, e.value),
               given.is(node::kind::table) ? "write for example " + e.key + " = 200.0"
                                           : "write for example " + e.key + ":200");
    put(out, e.key, ':', shortest(*ms));
  }
  return out;
}

std::vector<std::string> list_of(const option& declared, const node& given) {
  if (declared.shape == form::pairs) return pairs_of(declared, given);
  if (declared.shape == form::goals) return goals_of(declared, given);
  node items = given;
  if (given.is(node::kind::text) && declared.shape == form::plain) {
    items = node::list();  // a text means a list with one item
    items.items.push_back(given);
  } else if (given.is(node::kind::text)) {
    items = node::list();
    for (const std::string_view part : base::split(given.text, ',')) {
      if (declared.shape == form::names && base::trim(part).empty()) continue;
      node item = node::of(std::string(base::trim(part)));
      item.where = given.where;
      items.items.push_back(std::move(item));
    }
  }
  if (!items.is(node::kind::list)) unexpected(declared, given);
  std::vector<std::string> out;
  for (const node& item : items.items) {
    if (declared.shape != form::numbers) {
      out.push_back(text_of(declared, item));
      continue;
    }
    option one = declared;
    one.type = IFB_FLOAT;
    one.shape = form::plain;
    node number = item;
    if (item.is(node::kind::text)) {
      const auto value = base::parse_number(item.text);
      if (!value) out_of_range(one, item);
      number = node::of(*value);
      number.text = item.text;
      number.where = item.where;
    }
    const double value = number_of(one, number);
    check_range(one, number, value);
    out.push_back(shortest(value));
  }
  return out;
}

// The author forgot the quotes of a text: the remedy is the default as it is written in the source.
std::string remedy_for_default(const option& declared) {
  const std::string& text = *declared.fallback;
  const bool in_quotes = declared.type == IFB_STRING || declared.type == IFB_PATH ||
                         declared.type == IFB_CHOICE || declared.type == IFB_DURATION ||
                         declared.type == IFB_SIZE;
  if (in_quotes && base::one_line(text) == text && text.find_first_of("\"'\\") == std::string::npos)
    return fmt::format(R"(write "\"{}\"")", text);
  return "report it to the plugin's author";
}

[[noreturn]] void wrong_default(const option& declared, std::string_view why) {
  throw base::error(
      fmt::format("{} {} is at fault: the default {} of option {} {}", declared.table,
                  declared.plugin, base::one_line(*declared.fallback), declared.name, why),
      remedy_for_default(declared));
}

}  // namespace

option_value check(const option& declared, const node& given, const environment& env) {
  if (!given.variable.empty() && declared.type != IFB_STRING) {
    node typed = node_of_text(declared, std::span(&given.text, 1), given.where);
    option_value out = check(declared, typed, env);
    out.variable = given.variable;
    return out;
  }
  option_value out;
  out.type = declared.type;
  out.is_set = true;
  out.where = given.where;
  out.variable = given.variable;
  switch (declared.type) {
    case IFB_INT:
      if (!given.is(node::kind::integer)) unexpected(declared, given);
      out.integer = given.integer;
      check_range(declared, given, static_cast<double>(out.integer));
      break;
    case IFB_FLOAT:
      out.number = number_of(declared, given);
      check_range(declared, given, out.number);
      break;
    case IFB_BOOL:
      if (!given.is(node::kind::boolean)) unexpected(declared, given);
      out.integer = given.boolean ? 1 : 0;
      break;
    case IFB_DURATION:
    case IFB_SIZE:
      out.integer = measure_of(declared, given);
      check_range(declared, given, static_cast<double>(out.integer));
      break;
    case IFB_PATH: out.text = env.expand(text_of(declared, given)); break;
    case IFB_CHOICE:
      out.text = text_of(declared, given);
      if (std::ranges::find(declared.choices, out.text) == declared.choices.end()) {
        const std::string near = base::did_you_mean(out.text, declared.choices);
        misread(declared, given.where,
                "expected " + noun(declared) + ", not " + shown(declared, given),
                near.empty() ? remedy_of(declared) : near);
      }
      break;
    case IFB_STRINGS: out.list = list_of(declared, given); break;
    case IFB_JSON: {
      node inner;
      const node& value =
          given.is(node::kind::text) && holds_json(given.text, inner) ? inner : given;
      out.is_set = !value.is(node::kind::null);
      if (out.is_set) out.text = to_json(value);
      break;
    }
    default:
      out.text = takes_numbers(declared) && given.is(node::kind::integer)
                     ? std::to_string(given.integer)
                     : text_of(declared, given);
      break;
  }
  return out;
}

node default_of(const option& declared) {
  const std::string place = "default of " + declared.path();
  try {
    node out = parse_toml_literal(*declared.fallback, place);
    out.where.file = place;
    return out;
  } catch (const base::error&) {
    if (declared.plugin.empty()) throw;
    wrong_default(declared, "is not TOML");
  }
}

option_value fallback_of(const option& declared, const environment& env) {
  option_value out;
  if (declared.fallback) {
    const node given = default_of(declared);
    try {
      out = check(declared, given, env);
    } catch (const base::error& why) {
      if (declared.plugin.empty()) throw;
      std::string_view reason = why.message();
      const std::string key = declared.path() + ": ";
      if (reason.starts_with(key)) reason.remove_prefix(key.size());
      wrong_default(declared, fmt::format("is not valid: {}", reason));
    }
    out.where = {};
  }
  out.type = declared.type;
  return out;
}

}  // namespace inferbench::options
