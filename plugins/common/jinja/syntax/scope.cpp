#include "scope.hpp"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "common/jinja/library/builtins.hpp"
#include "common/jinja/python/raise.hpp"
#include "names.hpp"
#include "symbols.hpp"

namespace jinja {

namespace {

class resolver {
 public:
  explicit resolver(program& of) : program_(of) {}

  void run() {
    local_function& main = functions_.emplace_back();
    main.code = &program_.root;
    if (reads(program_.root.body, "self")) raise_unsupported("the variable 'self'");
    symbols names(nullptr, &main, 0);
    symbol_visitor(names).all(program_.root.body);
    bind(program_.root.body, {names, false, false});
    enter(names, program_.root.entry);
  }

 private:
  struct context {
    const symbols& names;
    /// Whether the code is in a condition, in which an unknown filter is an error only if it is
    /// executed.
    bool soft;
    bool in_loop;
  };

  place place_of(const context& in, const expr& of) const {
    const auto found = in.names.find(name_of(of));
    if (!found)
      throw error("AssertionError",
                  "Tried to resolve a name to a reference that was unknown to the frame (" +
                      quoted(of.content.text()) + ")",
                  of.line);
    return place_of(*in.names.owner(), *found);
  }

  static place place_of(const local_function& from, const variable& of) {
    place out{0, of.slot};
    for (const local_function* at = &from; at != of.owner; at = at->outer)
      ++out.hops;
    return out;
  }

  std::uint32_t index_of(const object* name) {
    const auto [at, fresh] =
        indices_.try_emplace(name, static_cast<std::uint32_t>(program_.names.size()));
    if (fresh) program_.names.emplace_back(const_cast<object*>(name));  // NOLINT: of this program
    return at->second;
  }

  /// Fills in the variables that are set when a scope is entered, and the variables that are
  /// removed when it is left.
  void enter(const symbols& names, scope& into) {
    for (const symbols::loading& of : names.loads()) {
      into.leaves.push_back(of.of.slot);
      load made;
      made.slot = of.of.slot;
      switch (of.how) {
        case symbols::action::parameter: continue;
        case symbols::action::nowhere: made.what = load::from::nowhere; break;
        case symbols::action::outer:
          made.what = load::from::outer;
          made.outer = place_of(*names.owner(), of.outer);
          break;
        case symbols::action::context:
          made.what = load::from::context;
          made.name = index_of(of.name);
          break;
      }
      into.loads.push_back(made);
    }
  }

  void bind(expr& of, const context& in) {
    context inside = in;
    switch (of.what) {
      case op::name:
      case op::member: of.at = place_of(in, of); break;
      case op::condition: inside.soft = true; break;
      case op::filter:
      case op::test: {
        const bool filter = of.what == op::filter;
        of.function = filter ? find_filter(of.content.text()) : find_test(of.content.text());
        if (of.function == nullptr && !in.soft)
          throw error("TemplateAssertionError",
                      std::string("No ") + (filter ? "filter" : "test") + " named " +
                          quoted(of.content.text()) + ".",
                      of.line);
        break;
      }
      default: break;
    }
    for_each_operand(of, [&](expr& operand) { bind(operand, inside); });
  }

  void bind(std::vector<expr>& exprs, const context& in) {
    for (expr& one : exprs)
      bind(one, in);
  }

  void bind(std::vector<stmt>& body, const context& in) {
    for (stmt& one : body)
      bind(one, in);
  }

  void bind(stmt& of, const context& in) {
    switch (of.what) {
      case verb::output: bind(of.parts, in); break;
      case verb::condition: {
        const context soft{in.names, true, in.in_loop};
        bind(of.parts, soft);
        for (auto& block : of.blocks)
          bind(block, soft);
        break;
      }
      case verb::loop: loop(of, in); break;
      case verb::assign:
        bind(of.parts, in);
        bind(of.targets, in);
        break;
      case verb::assign_block:
      case verb::filter_block: {
        symbols names(&in.names, in.names.owner(), in.names.level() + 1);
        symbol_visitor inside(names);
        inside.all(of.blocks[0]);
        if (of.what == verb::filter_block) inside.visit(of.filter);
        bind(of.blocks[0], {names, false, in.in_loop});
        bind(of.targets, in);
        bind(of.filter, {names, false, in.in_loop});
        enter(names, of.inner);
        break;
      }
      case verb::with: {
        symbols names(&in.names, in.names.owner(), in.names.level() + 1);
        symbol_visitor inside(names);
        inside.all(of.targets);
        inside.all(of.blocks[0]);
        bind(of.parts, in);
        bind(of.targets, {names, false, in.in_loop});
        bind(of.blocks[0], {names, false, in.in_loop});
        enter(names, of.inner);
        break;
      }
      case verb::macro:
      case verb::call_block:
      case verb::generation:
        body(of, in);
        bind(of.parts, in);
        bind(of.targets, in);
        break;
      case verb::stop:
      case verb::next:
        if (!in.in_loop)
          throw error(
              "SyntaxError",
              of.what == verb::stop ? "'break' outside loop" : "'continue' not properly in loop",
              of.line);
    }
  }

  void loop(stmt& of, const context& in) {
    names_in(of, [](std::string_view name, use ctx, int line) {
      if (ctx == use::store && name == "loop")
        throw error("TemplateAssertionError",
                    "Can't assign to special loop variable in for-loop target", line);
    });
    symbols names(&in.names, in.names.owner(), in.names.level() + 1);
    if (reads(of.blocks[0], "loop"))
      of.loop_slot = static_cast<std::int32_t>(names.declare(name_named("loop")).slot);
    symbol_visitor inside(names);
    inside.visit(of.targets[0], true);
    inside.all(of.blocks[0]);
    if (of.filter.what != op::nothing) loop_filter(of, in);
    bind(of.parts, in);
    bind(of.targets[0], {names, false, true});
    bind(of.blocks[0], {names, false, true});
    enter(names, of.inner);

    symbols otherwise(&in.names, in.names.owner(), in.names.level() + 1);
    symbol_visitor(otherwise).all(of.blocks[1]);
    bind(of.blocks[1], {otherwise, false, in.in_loop});
    enter(otherwise, of.otherwise);
  }

  void loop_filter(stmt& of, const context& in) {
    of.code = std::make_unique<function>();
    local_function& own = functions_.emplace_back();
    own.code = of.code.get();
    own.outer = in.names.owner();
    symbols names(&in.names, &own, in.names.level() + 1);
    symbol_visitor inside(names);
    inside.visit(of.targets[0], true);
    inside.visit(of.filter);
    of.targets.push_back(of.targets[0]);
    bind(of.targets[1], {names, false, false});
    bind(of.filter, {names, false, false});
    enter(names, of.code->entry);
  }

  /// Resolves the names of a macro, or of the body of a call.
  void body(stmt& of, const context& in) {
    function& code = *of.code;
    local_function& own = functions_.emplace_back();
    own.code = &code;
    own.outer = in.names.owner();
    symbols names(&in.names, &own, in.names.level() + 1);
    const auto collect = [&] {
      code.parameter_slots.clear();
      for (const value& parameter : code.parameters)
        code.parameter_slots.push_back(names.declare(parameter.get()).slot);
      symbol_visitor inside(names);
      inside.all(code.defaults);
      inside.all(code.body);
    };
    collect();
    const auto is_parameter = [&](std::string_view name) {
      return std::ranges::find(code.parameters, name, &value::text) != code.parameters.end();
    };
    const auto special = [&](std::string_view name) {
      if (is_parameter(name) || !reads(code.body, name)) return std::int32_t{-1};
      return static_cast<std::int32_t>(names.declare(name_named(name)).slot);
    };
    code.explicit_caller = is_parameter("caller");
    if (code.explicit_caller && reads(code.body, "caller")) require_default(of);
    code.caller = special("caller");
    code.kwargs = special("kwargs");
    code.varargs = special("varargs");
    collect();
    bind(code.defaults, {names, false, false});
    bind(code.body, {names, false, false});
    enter(names, code.entry);
  }

  static void require_default(const stmt& of) {
    const auto& names = of.code->parameters;
    const auto at = static_cast<std::size_t>(
        std::ranges::find(names, std::string_view("caller"), &value::text) - names.begin());
    if (at + of.code->defaults.size() >= names.size()) return;
    throw error("TemplateAssertionError",
                "When defining macros or call blocks the special \"caller\" argument must be "
                "omitted or be given a default.",
                of.line);
  }

  /// Returns the constant pool's object for a name that occurs in the template.
  const object* name_named(std::string_view name) {
    const object*& out = special_[std::string(name)];
    for (auto at = program_.constants.begin(); out == nullptr; ++at)
      if ((*at)->what == kind::text && static_cast<text_object&>(**at).view == name)
        out = at->get();
    return out;
  }

  program& program_;
  std::deque<local_function> functions_;
  std::unordered_map<const object*, std::uint32_t> indices_;
  std::map<std::string, const object*> special_;
};

}  // namespace

void resolve(program& of) { resolver(of).run(); }

}  // namespace jinja
