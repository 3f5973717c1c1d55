#include "names.hpp"

namespace jinja {

void symbol_visitor::visit(const expr& of, bool declare) {
  if (of.what == op::name) {
    if (declare || of.ctx == use::parameter)
      into_.declare(name_of(of));
    else if (of.ctx == use::store)
      into_.store(name_of(of));
    else
      into_.use(name_of(of));
  } else if (of.what == op::member) {
    into_.use(name_of(of));
  }
  for_each_operand(of, [&](const expr& operand) { visit(operand, declare); });
}

void symbol_visitor::all(const std::vector<expr>& exprs, bool declare) {
  for (const expr& one : exprs)
    visit(one, declare);
}

void symbol_visitor::all(const std::vector<stmt>& body) {
  for (const stmt& one : body)
    visit(one);
}

void symbol_visitor::visit(const stmt& of) {
  switch (of.what) {
    case verb::output:
    case verb::loop:
    case verb::call_block:
    case verb::with: all(of.parts); break;
    case verb::condition: condition(of); break;
    case verb::assign:
      all(of.parts);
      visit(of.targets[0]);
      break;
    case verb::assign_block: visit(of.targets[0]); break;
    case verb::macro: into_.store(name_of(of.targets[0])); break;
    case verb::filter_block: visit(of.filter); break;
    case verb::generation:
    case verb::stop:
    case verb::next: break;
  }
}

void symbol_visitor::condition(const stmt& of) {
  visit(of.parts[0]);
  std::vector<symbols::branch> branches;
  branches.push_back(into_.apart([&] { all(of.blocks[0]); }));
  branches.push_back(into_.apart([&] {
    for (std::size_t i = 1; i < of.parts.size(); ++i) {
      visit(of.parts[i]);
      into_.merge({into_.apart([&] { all(of.blocks[i]); })});
    }
  }));
  branches.push_back(into_.apart([&] {
    if (of.blocks.size() > of.parts.size()) all(of.blocks.back());
  }));
  into_.merge(branches);
}

namespace {

void names_in(const expr& of, const name_listener& listener) {
  if (of.what == op::name) listener(of.content.text(), of.ctx, of.line);
  for_each_operand(of, [&](const expr& operand) { names_in(operand, listener); });
}

void names_in(const std::vector<stmt>& body, const name_listener& listener) {
  for (const stmt& one : body)
    jinja::names_in(one, listener);
}

}  // namespace

void names_in(const stmt& of, const name_listener& listener) {
  const auto exprs = [&](const std::vector<expr>& all) {
    for (const expr& one : all)
      names_in(one, listener);
  };
  const auto blocks = [&] {
    for (const auto& block : of.blocks)
      names_in(block, listener);
  };
  switch (of.what) {
    case verb::condition:
      for (std::size_t i = 0; i < of.blocks.size(); ++i) {
        if (i < of.parts.size()) names_in(of.parts[i], listener);
        names_in(of.blocks[i], listener);
      }
      break;
    case verb::filter_block:
      blocks();
      names_in(of.filter, listener);
      break;
    case verb::assign_block:
      exprs(of.targets);
      names_in(of.filter, listener);
      blocks();
      break;
    case verb::macro:
    case verb::call_block:
    case verb::generation:
      exprs(of.parts);
      for (const value& parameter : of.code->parameters)
        listener(parameter.text(), use::parameter, of.line);
      exprs(of.code->defaults);
      names_in(of.code->body, listener);
      break;
    case verb::loop:
      names_in(of.targets[0], listener);
      exprs(of.parts);
      blocks();
      names_in(of.filter, listener);
      break;
    default:
      exprs(of.targets);
      exprs(of.parts);
      blocks();
  }
}

bool reads(const std::vector<stmt>& body, std::string_view name) {
  bool found = false;
  bool made = false;
  names_in(body, [&](std::string_view other, use ctx, int) {
    if (other != name) return;
    if (ctx == use::load)
      found = found || !made;
    else
      made = true;
  });
  return found;
}

}  // namespace jinja
