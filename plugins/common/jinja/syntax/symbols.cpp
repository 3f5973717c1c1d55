#include "symbols.hpp"

namespace jinja {

std::optional<variable> symbols::find(const object* name) const {
  for (const symbols* at = this; at != nullptr; at = at->parent_) {
    const auto found = at->index_.find(name);
    if (found != at->index_.end()) return at->loads_[found->second].of;
  }
  return std::nullopt;
}

symbols::loading* symbols::known(const object* name) {
  const auto found = index_.find(name);
  return found == index_.end() ? nullptr : &loads_[found->second];
}

symbols::loading& symbols::define(const object* name, action how, variable outer) {
  const auto next = static_cast<std::uint32_t>(owner_->slots.size());
  const auto [at, fresh] = owner_->slots.try_emplace({level_, name}, next);
  if (fresh) owner_->code->slots = next + 1;
  loading* out = known(name);
  if (out == nullptr) {
    index_.emplace(name, loads_.size());
    out = &loads_.emplace_back();
  }
  out->name = name;
  out->of = {owner_, at->second};
  out->how = how;
  out->outer = outer;
  return *out;
}

void symbols::mark_stored(loading& of) {
  if (of.stored) return;
  of.stored = true;
  stores_.push_back(of.name);
}

void symbols::use(const object* name) {
  if (!find(name)) define(name, action::context);
}

void symbols::store(const object* name) {
  loading* of = known(name);
  if (of == nullptr) {
    // Before the assignment, the name has the value of an outer scope, or no value.
    const auto outer = parent_ == nullptr ? std::nullopt : parent_->find(name);
    of = outer ? &define(name, action::outer, *outer) : &define(name, action::nowhere);
  }
  mark_stored(*of);
}

variable symbols::declare(const object* name) {
  loading& of = define(name, action::parameter);
  mark_stored(of);
  return of.of;
}

symbols::branch symbols::take_back(std::size_t loads, std::size_t stores) {
  branch out;
  for (std::size_t i = stores; i < stores_.size(); ++i) {
    out.stores.push_back(stores_[i]);
    known(stores_[i])->stored = false;
  }
  stores_.resize(stores);
  for (std::size_t i = loads; i < loads_.size(); ++i) {
    index_.erase(loads_[i].name);
    out.loads.push_back(loads_[i]);
  }
  loads_.resize(loads);
  return out;
}

void symbols::merge(const std::vector<branch>& branches) {
  for (const branch& one : branches)
    for (const loading& of : one.loads)
      define(of.name, of.how, of.outer);
  // If only some branches assign a name, it keeps its outer value in the other branches.
  for (const branch& one : branches)
    for (const object* name : one.stores) {
      if (known(name)->stored) continue;
      const auto outer = parent_ == nullptr ? std::nullopt : parent_->find(name);
      mark_stored(outer ? define(name, action::outer, *outer) : define(name, action::context));
    }
}

}  // namespace jinja
