#include "common/jinja/library/builtins.hpp"
#include "common/jinja/python/escape.hpp"
#include "common/jinja/python/iterate.hpp"
#include "common/jinja/python/python.hpp"
#include "interpreter.hpp"

namespace jinja {

namespace {

// Python allows a thousand frames, and each call of a macro takes several of them.
constexpr int deepest_macro = 190;

/// Sets a variable and restores it when it goes out of scope.
template <typename T>
class scoped_value {
 public:
  scoped_value(T& where, T what) : where_(where), before_(std::exchange(where, std::move(what))) {}
  scoped_value(const scoped_value&) = delete;
  scoped_value& operator=(const scoped_value&) = delete;
  ~scoped_value() { where_ = std::move(before_); }

 private:
  T& where_;
  T before_;
};

}  // namespace

std::string interpreter::run(const value& context) {
  const auto& variables = context.as<dict_object>();
  for (const value& name : program_.names) {
    const value* const given = variables.find(name.text());
    const signature* const global = given == nullptr ? find_global(name.text()) : nullptr;
    context_.push_back(given != nullptr    ? *given
                       : global != nullptr ? make<native_object>(*global, value())
                                           : value());
  }
  std::string text;
  sink = &text;
  const value frame = make<frame_object>(nullptr, program_.root.slots);
  frame_ = &frame.as<frame_object>();
  enter(program_.root.entry);
  run(program_.root.body);
  return text;
}

interpreter::flow interpreter::run(const std::vector<stmt>& body) {
  for (const stmt& one : body) {
    const flow after = run(one);
    if (after != flow::on) return after;
  }
  return flow::on;
}

interpreter::flow interpreter::run(const stmt& of) {
  step();
  line = of.line;
  switch (of.what) {
    case verb::output: output(of); break;
    case verb::loop: return loop(of);
    case verb::condition: return condition(of);
    case verb::assign: {
      require_name_spaces(of.targets[0]);
      assign(of.targets[0], evaluate(of.parts[0]));
      break;
    }
    case verb::assign_block:
    case verb::filter_block: return captured(of);
    case verb::with: return with(of);
    case verb::macro: define_macro(of); break;
    case verb::call_block:
    case verb::generation: call_block(of); break;
    case verb::stop: return flow::stop;
    case verb::next: return flow::next;
  }
  return flow::on;
}

void interpreter::output(const stmt& of) {
  for (const expr& part : of.parts) {
    if (part.what == op::constant) {
      append_str(*this, *sink, part.content);
      continue;
    }
    line = part.line;
    append_str(*this, *sink, evaluate(part));
  }
}

interpreter::flow interpreter::condition(const stmt& of) {
  for (std::size_t i = 0; i < of.parts.size(); ++i) {
    line = of.parts[i].line;
    if (truth(*this, evaluate(of.parts[i]))) return run(of.blocks[i]);
  }
  return of.blocks.size() > of.parts.size() ? run(of.blocks.back()) : flow::on;
}

interpreter::flow interpreter::block(const std::vector<stmt>& body, const scope& in) {
  enter(in);
  const flow after = run(body);
  leave(in);
  return after;
}

interpreter::flow interpreter::loop(const stmt& of) {
  value over = evaluate(of.parts[0]);
  if (of.filter.what != op::nothing) over = filtered(of, over);
  const value iterator = iterate(*this, over);
  value state;
  if (of.loop_slot >= 0) state = make<loop_object>(over, iterator);
  bool any = false;
  flow after = flow::on;
  value item;
  while (after != flow::stop) {
    if (state.missing()) {
      if (!advance(*this, iterator, item)) break;
      assign(of.targets[0], item);
    } else {
      auto& loop = state.as<loop_object>();
      if (!loop.advance(*this)) break;
      assign(of.targets[0], loop.current);
      frame_->locals[static_cast<std::size_t>(of.loop_slot)] = state;
    }
    enter(of.inner);
    after = run(of.blocks[0]);
    // Like in Jinja2, `else` runs if every iteration ended in `break` or `continue`.
    any = any || after == flow::on;
  }
  leave(of.inner);
  return any ? flow::on : block(of.blocks[1], of.otherwise);
}

value interpreter::filtered(const stmt& of, const value& over) {
  const value around(frame_);
  value iterator = iterate(*this, over);
  value own;
  return make_generator(*this, "root.<locals>.t_1",
                        [this, &of, around, iterator, own](rendering&, value& next) mutable {
                          if (own.missing()) {
                            own = make<frame_object>(&around.as<frame_object>(), of.code->slots);
                            const scoped_value<frame_object*> inside(frame_,
                                                                     &own.as<frame_object>());
                            enter(of.code->entry);
                          }
                          value item;
                          while (advance(*this, iterator, item)) {
                            next = keep(of, own.as<frame_object>(), item);
                            if (!next.missing()) return true;
                          }
                          return false;
                        });
}

value interpreter::keep(const stmt& loop, frame_object& in, const value& item) {
  const scoped_value<frame_object*> inside(frame_, &in);
  const expr& target = loop.targets[1];
  assign(target, item);
  if (!truth(*this, evaluate(loop.filter))) return {};
  if (target.what == op::tuple) return evaluate(target);
  return item;
}

interpreter::flow interpreter::captured(const stmt& of) {
  std::string text;
  flow after = flow::on;
  enter(of.inner);
  {
    const scoped_value<std::string*> inside(sink, &text);
    after = run(of.blocks[0]);
  }
  if (after != flow::on) return after;
  value result = this->text(std::move(text));
  if (of.filter.what != op::nothing) {
    const scoped_value<value> inside(buffer_, result);
    result = evaluate(of.filter);
  }
  if (of.what == verb::filter_block)
    write(result);
  else
    assign(of.targets[0], result);
  leave(of.inner);
  return flow::on;
}

interpreter::flow interpreter::with(const stmt& of) {
  enter(of.inner);
  for (std::size_t i = 0; i < of.parts.size(); ++i)
    assign(of.targets[i], evaluate(of.parts[i]));
  const flow after = run(of.blocks[0]);
  if (after == flow::on) leave(of.inner);
  return after;
}

void interpreter::define_macro(const stmt& of) {
  assign(of.targets[0], make<macro_object>(*of.code, of.targets[0].content, value(frame_)));
}

void interpreter::call_block(const stmt& of) {
  const value body = make<macro_object>(*of.code, value::none(), value(frame_));
  if (of.what == verb::call_block) {
    write(call_expression(of.parts[0], &body));
    return;
  }
  arguments none;
  append_str(*this, *sink, call_macro(body, none));
}

/// Python joins the output of these blocks without calling str() on it, so the text must be a
/// string.
void interpreter::write(const value& text) {
  if (!text.is(kind::text))
    raise_type("sequence item 0: expected str instance, " + type_name(text) + " found");
  append_str(*this, *sink, text);
}

void interpreter::assign(const expr& target, const value& to) {
  if (target.what == op::name) {
    variable(target.at) = to;
  } else if (target.what == op::tuple) {
    unpack(target, to);
  } else {
    const value of = variable(target.at);
    if (!of.is(kind::name_space))
      raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
    auto& members = of.as<name_space_object>();
    if (value* const known = members.find(target.names[0].text())) {
      *known = to;
    } else {
      members.members.emplace_back(target.names[0], to);
      allow(members.members.size() * sizeof(value));
    }
  }
}

void interpreter::unpack(const expr& target, const value& from) {
  const std::size_t wanted = target.items.size();
  if (!iterable(from)) raise_type("cannot unpack non-iterable " + type_name(from) + " object");
  values items;
  const value iterator = iterate(*this, from);
  value item;
  while (items.size() <= wanted && advance(*this, iterator, item))
    items.push_back(item);
  if (items.size() > wanted)
    raise_value("too many values to unpack (expected " + std::to_string(wanted) + ")");
  if (items.size() < wanted)
    raise_value("not enough values to unpack (expected " + std::to_string(wanted) + ", got " +
                std::to_string(items.size()) + ")");
  for (std::size_t i = 0; i < wanted; ++i)
    assign(target.items[i], items[i]);
}

void interpreter::require_name_spaces(const expr& target) {
  if (target.what == op::member && !variable(target.at).is(kind::name_space))
    raise("TemplateRuntimeError", "cannot assign attribute on non-namespace object");
  for (const expr& item : target.items)
    require_name_spaces(item);
}

void interpreter::enter(const scope& into) {
  work(into.loads.size() * sizeof(value));
  for (const load& of : into.loads) {
    value& to = frame_->locals[of.slot];
    switch (of.what) {
      case load::from::nowhere: to = value(); break;
      case load::from::outer: to = variable(of.outer); break;
      case load::from::context: to = context_[of.name]; break;
    }
  }
}

void interpreter::leave(const scope& from) {
  for (const std::uint32_t slot : from.leaves)
    frame_->locals[slot] = value();
}

value interpreter::call_macro(const value& macro, arguments& given) {
  const auto& called = macro.as<macro_object>();
  const function& code = *called.code;
  const auto name = [&] {
    return called.called.is_none() ? std::string("None") : quoted(called.called.text());
  };
  const std::size_t count = code.parameters.size();
  const value frame = make<frame_object>(&called.closure.as<frame_object>(), code.slots);
  values& locals = frame.as<frame_object>().locals;
  const auto take = [&](std::string_view wanted) {
    for (auto at = given.named.begin(); at != given.named.end(); ++at)
      if (at->name.text() == wanted) {
        value out = std::move(at->content);
        given.named.erase(at);
        return out;
      }
    return value();
  };
  for (std::size_t i = 0; i < count; ++i)
    locals[code.parameter_slots[i]] =
        i < given.given.size() ? given.given[i] : take(code.parameters[i].text());
  if (code.caller >= 0) {
    const value caller = take("caller");
    locals[static_cast<std::size_t>(code.caller)] =
        caller.missing() || caller.is_none() ? undefined("No caller defined") : caller;
  }
  if (code.kwargs >= 0) {
    auto* const rest = rendering::dict(given.named.size());
    locals[static_cast<std::size_t>(code.kwargs)] = value(rest);
    for (const named_argument& named : given.named)
      rest->put(named.name, named.content);
  } else if (!given.named.empty()) {
    for (const named_argument& named : given.named)
      if (named.name.text() == "caller")
        raise_type("macro " + name() +
                   " was invoked with two values for the special caller "
                   "argument. This is most likely a bug.");
    raise_type("macro " + name() + " takes no keyword argument " +
               quoted(given.named[0].name.text()));
  }
  if (code.varargs >= 0) {
    values rest;
    if (given.given.size() > count)
      rest.assign(given.given.begin() + static_cast<std::ptrdiff_t>(count), given.given.end());
    locals[static_cast<std::size_t>(code.varargs)] = tuple(std::move(rest));
  } else if (given.given.size() > count) {
    raise_type("macro " + name() + " takes not more than " + std::to_string(count) +
               " argument(s)");
  }
  return run_body(code, frame);
}

value interpreter::run_body(const function& code, const value& frame) {
  if (macro_depth >= deepest_macro) raise("RecursionError", "maximum recursion depth exceeded");
  stack.check();
  step();
  const int line_before = line;
  std::string text;
  {
    const scoped_value<int> deeper(macro_depth, macro_depth + 1);
    const scoped_value<frame_object*> inside(frame_, &frame.as<frame_object>());
    const scoped_value<std::string*> into(sink, &text);
    enter(code.entry);
    const std::size_t required = code.parameters.size() - code.defaults.size();
    for (std::size_t i = 0; i < code.parameters.size(); ++i) {
      value& local = frame_->locals[code.parameter_slots[i]];
      if (!local.missing()) continue;
      value given =
          i < required
              ? undefined("parameter " + quoted(code.parameters[i].text()) + " was not provided")
              : evaluate(code.defaults[i - required]);
      local = std::move(given);
    }
    run(code.body);
  }
  line = line_before;
  return this->text(std::move(text));
}

}  // namespace jinja
