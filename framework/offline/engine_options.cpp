#include "offline/engine_options.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "options/refusal.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_number.hpp"

namespace inferbench::offline {

namespace {

using options::node;

/// The table below `at` with this name; a value of another type is replaced.
node& table_in(node& at, std::string_view name) {
  node* found = at.find(name);
  if (found == nullptr || !found->is(node::kind::table)) found = &at.set(name, node::table());
  return *found;
}

/// Whether a text can be JSON that is no text: an object, a list, a number or a word.
bool looks_like_json(std::string_view text) {
  if (text.empty()) return false;
  const char first = text.front();
  return first == '{' || first == '[' || first == '-' || (first >= '0' && first <= '9') ||
         text == "true" || text == "false" || text == "null";
}

std::size_t depth_of(const node& value) {
  std::size_t deepest = 0;
  for (const node& each : value.items)
    deepest = std::max(deepest, depth_of(each));
  return deepest + 1;
}

/// A list of values becomes items of the list in the table.
void append(node& list, node value) {
  if (value.is(node::kind::list))
    for (node& each : value.items)
      list.items.push_back(std::move(each));
  else
    list.items.push_back(std::move(value));
}

node value_of_option(const engine_option& option, bool adds) {
  if (option.values.empty()) return node::of(true);
  if (option.values.size() == 1 && !adds) return value_of_text(option.values.front());
  node list = node::list();
  for (const std::string& each : option.values) {
    if (!adds) {
      list.items.push_back(value_of_text(each));
      continue;
    }
    for (const std::string_view part : base::split(each, ','))
      list.items.push_back(value_of_text(std::string(part)));
  }
  return list;
}

}  // namespace

const std::string* engine_options::text(std::string_view name) const {
  const auto last = std::ranges::find(all_.rbegin(), all_.rend(), name, &engine_option::name);
  return last == all_.rend() || last->values.empty() ? nullptr : &last->values.front();
}

std::optional<std::int64_t> engine_options::whole(std::string_view name) const {
  const std::string* given = text(name);
  if (given == nullptr) return std::nullopt;
  const auto value = pytext::python_int(*given);
  if (!value)
    throw options::usage_error("\"" + base::one_line(*given) + "\" is not a whole number", {},
                               {"--" + std::string(name)});
  return value;
}

std::optional<bool> engine_options::toggle(std::string_view name) const {
  const std::string off = "no-" + std::string(name);
  for (auto each = all_.rbegin(); each != all_.rend(); ++each) {
    if (each->name != name && each->name != off) continue;
    const bool yes = each->name == name;
    if (each->values.empty()) return yes;
    const bool is_true = base::equal_no_case(each->values.front(), "true");
    if (is_true || base::equal_no_case(each->values.front(), "false")) return is_true == yes;
    throw options::usage_error(
        "\"" + base::one_line(each->values.front()) + "\" is neither true nor false", {},
        {"--" + each->name});
  }
  return std::nullopt;
}

bool engine_options::has(std::string_view name) const {
  const std::string off = "no-" + std::string(name);
  return std::ranges::any_of(all_, [&](const engine_option& each) {
    return each.name == name || each.name == off ||
           (each.name.starts_with(name) && each.name.size() > name.size() &&
            (each.name[name.size()] == '.' || each.name[name.size()] == '+'));
  });
}

node engine_options::table() const {
  node out = node::table();
  for (const engine_option& each : all_) {
    if (each.values.empty() && each.name.starts_with("no-") &&
        each.name.find('.') == std::string::npos) {
      out.set(destination_of(each.name.substr(3)), node::of(false));
      continue;
    }
    const auto dot = std::min(each.name.find('.'), each.name.size());
    const std::string path = destination_of(each.name.substr(0, dot)) + each.name.substr(dot);
    try {
      put_member(out, path, value_of_option(each, each.name.ends_with('+')));
    } catch (const base::error& e) {
      throw options::usage_error(e.message(), e.remedy(), {"--" + each.name});
    }
  }
  return out;
}

node value_of_text(const std::string& text) {
  if (text == "True") return node::of(true);
  if (text == "False") return node::of(false);
  if (text == "None") return node{};
  if (!looks_like_json(text)) return node::of(text);
  try {
    return pytext::read_json_node(text, "the value");
  } catch (const base::error&) {
    return node::of(text);  // "10.0.0.1", "{(256, 256, 1): 0.5}"
  }
}

void put_member(node& table, std::string_view path, node value) {
  const bool adds = path.ends_with('+');
  if (adds) path.remove_suffix(1);
  const auto parts = base::split(path, '.');
  if (parts.size() + depth_of(value) > static_cast<std::size_t>(options::deepest))
    throw base::error("is nested more than " + std::to_string(options::deepest) + " levels deep",
                      "make it flatter");
  if (std::ranges::any_of(parts, [](std::string_view part) { return part.empty(); }))
    throw base::error("the name has an empty part", "write --NAME.KEY");
  node* at = &table;
  for (const std::string_view part : std::span(parts).first(parts.size() - 1))
    at = &table_in(*at, part);
  if (!adds) {
    at->set(parts.back(), std::move(value));
    return;
  }
  node* list = at->find(parts.back());
  if (list == nullptr || !list->is(node::kind::list)) list = &at->set(parts.back(), node::list());
  append(*list, std::move(value));
}

void add_words(const engine_option& option, std::vector<std::string>& to) {
  // A single value that begins with a dash would be taken for a flag.
  if (option.values.size() == 1) {
    to.push_back("--" + option.name + "=" + option.values.front());
    return;
  }
  to.push_back("--" + option.name);
  to.insert(to.end(), option.values.begin(), option.values.end());
}

std::string destination_of(std::string_view name) {
  std::string out(name);
  std::ranges::replace(out, '-', '_');
  return out;
}

}  // namespace inferbench::offline
