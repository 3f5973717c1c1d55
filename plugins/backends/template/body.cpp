#include "body.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <inferbench/json_writer.hpp>

#include "backends/bodies/json.hpp"

namespace template_backend {
namespace {

std::string key_text(const std::string& name) { return bodies::quoted(name) + ":"; }

}  // namespace

body::body(const document& from, const value& tree, parameters& shared,
           const std::vector<std::string>& extra) {
  make(from, tree, shared, root_);
  const auto rest = shared.rest();
  if (!rest.empty()) {
    node* target = &root_;
    for (const std::string& name : extra) {
      const std::string key = key_text(name);
      auto at = std::ranges::find(target->keys, key);
      if (at == target->keys.end()) {
        target->keys.push_back(key);
        target->items.emplace_back().what = kind::object;
        at = target->keys.end() - 1;
      }
      target = &target->items[static_cast<std::size_t>(at - target->keys.begin())];
      if (target->what != kind::object)
        from.refuse(tree.line, "extra-body names " + name + " of the body, which is not a table",
                    "name a table, or leave extra-body out");
    }
    for (const auto& m : rest)
      set(*target, m.key, m.value);
  }
  fold(root_);
}

void body::set(node& object, const std::string& name, std::string json) {
  const std::string key = key_text(name);
  node made;
  made.json = std::move(json);
  const auto at = std::ranges::find(object.keys, key);
  if (at != object.keys.end()) {
    object.items[static_cast<std::size_t>(at - object.keys.begin())] = std::move(made);
    return;
  }
  object.keys.push_back(key);
  object.items.push_back(std::move(made));
}

bool body::make(const document& from, const value& read, parameters& shared, node& out) {
  switch (read.what) {
    case value::kind::boolean: out.json = read.boolean ? "true" : "false"; return true;
    case value::kind::integer: out.json = std::to_string(read.integer); return true;
    case value::kind::number:
      if (!std::isfinite(read.number))
        from.refuse(read.line, "JSON has no inf and no nan", "write a number or a text");
      ifb::append_python_float(out.json, read.number);
      return true;
    case value::kind::text: {
      pattern text(from, read, shared);
      if (text.never()) return false;
      if (text.only_json() != nullptr) {
        out.json = *text.only_json();
      } else if (text.only_slot() != slot::none) {
        out.what = kind::slot;
        out.filled = text.only_slot();
      } else if (text.constant()) {
        out.json = bodies::quoted(text.own_text());
      } else {
        out.what = kind::text;
        out.pieces.push_back(std::move(text));
      }
      return true;
    }
    case value::kind::list:
      out.what = kind::list;
      for (const value& one : read.items) {
        if (node item; make(from, one, shared, item)) out.items.push_back(std::move(item));
      }
      return true;
    case value::kind::table: break;
  }
  out.what = kind::object;
  for (std::size_t i = 0; i < read.names.size(); ++i) {
    node item;
    if (!make(from, read.items[i], shared, item)) continue;
    out.keys.push_back(key_text(read.names[i]));
    out.items.push_back(std::move(item));
  }
  return true;
}

/// Joins every part that is the same in all requests into one JSON text.
void body::fold(node& made) {
  if (made.what != kind::object && made.what != kind::list) return;
  bool constant = true;
  for (node& item : made.items) {
    fold(item);
    constant = constant && item.what == kind::json;
  }
  if (!constant) return;
  const bool object = made.what == kind::object;
  made.json = object ? "{" : "[";
  for (std::size_t i = 0; i < made.items.size(); ++i) {
    if (i != 0) made.json += ',';
    if (object) made.json += made.keys[i];
    made.json += made.items[i].json;
  }
  made.json += object ? '}' : ']';
  made.what = kind::json;
  made.items.clear();
}

bool body::uses(const node& in, template_backend::slot what) {
  if (in.what == kind::slot) return in.filled == what;
  if (in.what == kind::text) return in.pieces.front().uses(what);
  return std::ranges::any_of(in.items, [&](const node& one) { return uses(one, what); });
}

bool body::stays(const node& one, const request_values& of) {
  if (one.what == kind::slot) return of.has(one.filled);
  return one.what != kind::text || one.pieces.front().has_all(of);
}

void body::put(const node& one, bodies::gather_list& out, const request_values& of, bool lasts) {
  switch (one.what) {
    case kind::json: return lasts ? out.refer(one.json) : out.copy(one.json);
    case kind::slot: return of.put_json(one.filled, out);
    case kind::text: return out.quote(out.keep(one.pieces.front().text(of)));
    case kind::object:
    case kind::list: break;
  }
  const bool object = one.what == kind::object;
  out.copy(object ? "{" : "[");
  bool first = true;
  for (std::size_t i = 0; i < one.items.size(); ++i) {
    if (!stays(one.items[i], of)) continue;
    if (!first) out.copy(",");
    first = false;
    if (object) out.copy(one.keys[i]);
    put(one.items[i], out, of, lasts);
  }
  out.copy(object ? "}" : "]");
}

}  // namespace template_backend
