#include "common/jinja/library/builtins.hpp"
#include "common/jinja/python/python.hpp"
#include "interpreter.hpp"

namespace jinja {

value& interpreter::variable(const place& at) {
  frame_object* frame = frame_;
  for (std::uint32_t i = 0; i < at.hops; ++i)
    frame = frame->outer;
  return frame->locals[at.slot];
}

value interpreter::name(const expr& of) {
  const value& found = variable(of.at);
  return found.missing() ? undefined(quoted(of.content.text()) + " is undefined") : found;
}

value interpreter::evaluate(const expr& of) {
  step();
  switch (of.what) {
    case op::constant: return of.content;
    case op::name: return name(of);
    case op::tuple:
    case op::list: return list(of);
    case op::dict: return dict(of);
    case op::arithmetic: {
      const value left = evaluate(of.items[0]);
      return calculate(*this, of.how, left, evaluate(of.items[1]));
    }
    case op::negative: return negate(evaluate(of.items[0]));
    case op::positive: return posit(evaluate(of.items[0]));
    case op::negation: return value(!truth(*this, evaluate(of.items[0])));
    case op::conjunction:
    case op::disjunction: {
      value left = evaluate(of.items[0]);
      return truth(*this, left) == (of.what == op::disjunction) ? left : evaluate(of.items[1]);
    }
    case op::concatenation: return concatenate(of);
    case op::comparison: return compare_chain(of);
    case op::condition: return conditional(of);
    case op::filter: return filter(of);
    case op::test: return test(of);
    case op::call: return call_expression(of);
    case op::attribute: return get_attribute(*this, evaluate(of.items[0]), of.content);
    case op::item: {
      const value whole = evaluate(of.items[0]);
      return get_item(*this, whole, evaluate(of.items[1]));
    }
    case op::slice: {
      const value whole = evaluate(of.items[0]);
      const value from = evaluate(of.items[1]);
      const value to = evaluate(of.items[2]);
      return jinja::slice(*this, whole, from, to, evaluate(of.items[3]));
    }
    case op::buffer: return buffer_;
    case op::member:
    case op::nothing: break;
  }
  return {};
}

value interpreter::list(const expr& of) {
  values items;
  items.reserve(of.items.size());
  for (const expr& item : of.items)
    items.push_back(evaluate(item));
  return sequence(of.what == op::tuple ? kind::tuple : kind::list, std::move(items));
}

value interpreter::dict(const expr& of) {
  auto* const made = rendering::dict(of.items.size() / 2);
  const value out(made);
  for (std::size_t i = 0; i + 1 < of.items.size(); i += 2) {
    value key = evaluate(of.items[i]);
    value content = evaluate(of.items[i + 1]);
    walk(key);
    require_hashable(key);
    made->put(std::move(key), std::move(content));
  }
  return out;
}

value interpreter::concatenate(const expr& of) {
  values items;
  items.reserve(of.items.size());
  for (const expr& item : of.items)
    items.push_back(evaluate(item));
  std::string out;
  for (const value& item : items)
    append_str(*this, out, item);
  return text(std::move(out));
}

value interpreter::compare_chain(const expr& of) {
  value left = evaluate(of.items[0]);
  for (std::size_t i = 0; i < of.comparisons.size(); ++i) {
    value right = evaluate(of.items[i + 1]);
    if (!compare(*this, of.comparisons[i], left, right)) return value(false);
    left = std::move(right);
  }
  return value(true);
}

value interpreter::conditional(const expr& of) {
  if (truth(*this, evaluate(of.items[0]))) return evaluate(of.items[1]);
  if (of.items.size() > 2) return evaluate(of.items[2]);
  return undefined("the inline if-expression on line " + std::to_string(of.line) +
                   " evaluated to false and no else section was defined.");
}

void interpreter::arguments_of(const expr& of, std::size_t from, arguments& into) {
  into.given.reserve(of.items.size());
  for (std::size_t i = from; i < of.items.size(); ++i)
    into.given.push_back(evaluate(of.items[i]));
  for (const expr& more : of.more) {
    const value rest = evaluate(more);
    if (!iterable(rest)) raise_type("Value after * must be an iterable, not " + type_name(rest));
    for (value& item : to_values(*this, rest))
      into.given.push_back(std::move(item));
  }
  for (std::size_t i = 0; i < of.named.size(); ++i)
    into.named.push_back({of.names[i], evaluate(of.named[i])});
  for (const expr& more : of.more_named) {
    const value rest = evaluate(more);
    if (rest.is(kind::undefined)) raise_undefined(rest);
    if (!rest.is(kind::dict))
      raise_type("argument after ** must be a mapping, not " + type_name(rest));
    for (const auto& [name, content] : rest.as<dict_object>().items) {
      if (!name.is(kind::text)) raise_type("keywords must be strings");
      for (const named_argument& named : into.named)
        if (named.name.text() == name.text())
          raise_type("got multiple values for keyword argument " + quoted(name.text()));
      into.named.push_back({name, content});
    }
  }
}

value interpreter::filter(const expr& of) {
  arguments given;
  given.given.reserve(of.items.size());
  given.given.push_back(evaluate(of.items[0]));
  arguments_of(of, 1, given);
  if (of.function == nullptr)
    raise("TemplateRuntimeError", "No filter named " + quoted(of.content.text()) + " found.");
  return invoke(*this, *of.function, value(), given);
}

value interpreter::test(const expr& of) {
  arguments given;
  given.given.reserve(of.items.size());
  given.given.push_back(evaluate(of.items[0]));
  arguments_of(of, 1, given);
  if (of.function == nullptr)
    raise("TemplateRuntimeError", "No test named " + quoted(of.content.text()) + " found.");
  return invoke(*this, *of.function, value(), given);
}

value interpreter::call_expression(const expr& of, const value* caller) {
  const expr& target = of.items[0];
  value called;
  value self;
  const signature* method = nullptr;
  if (target.what == op::attribute) {
    // A method that is called directly is found without creating an object for it.
    self = evaluate(target.items[0]);
    if (self.is(kind::text) || self.is(kind::dict))
      method = find_method(self, target.content.text());
    if (method == nullptr) called = get_attribute(*this, self, target.content);
  } else {
    called = evaluate(target);
  }
  arguments given;
  arguments_of(of, 1, given);
  if (caller != nullptr) given.named.push_back({text("caller"), *caller});
  if (method != nullptr) return invoke(*this, *method, self, given);
  return jinja::call(*this, called, given);
}

}  // namespace jinja
