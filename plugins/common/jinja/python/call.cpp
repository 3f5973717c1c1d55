#include "call.hpp"

#include <algorithm>

#include "python.hpp"

namespace jinja {

namespace {

std::string plural(std::size_t count, const char* one, const char* many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

std::string full_name(const signature& is) {
  return is.owner == nullptr ? is.name : std::string(is.owner) + "." + is.name;
}

[[noreturn]] void too_many(const signature& is, std::size_t got) {
  const std::size_t most = is.size();
  if (is.how == manner::python) {
    const std::size_t least = is.required + is.hidden;
    const std::size_t all = most + is.hidden;
    raise_type(std::string(is.name) + "() takes " +
               (least < all ? "from " + std::to_string(least) + " to " : "") +
               plural(all, "positional argument", "positional arguments") + " but " +
               std::to_string(got + is.hidden) + (got + is.hidden == 1 ? " was" : " were") +
               " given");
  }
  if (most == 0)
    raise_type(full_name(is) + "() takes no arguments (" + std::to_string(got) + " given)");
  if (most == 1 && is.required == 1)
    raise_type(full_name(is) + "() takes exactly one argument (" + std::to_string(got) + " given)");
  if (is.how == manner::keywords)
    raise_type(std::string(is.name) + "() takes at most " + plural(most, "argument", "arguments") +
               " (" + std::to_string(got) + " given)");
  raise_type(std::string(is.name) + " expected " + (is.required == most ? "" : "at most ") +
             plural(most, "argument", "arguments") + ", got " + std::to_string(got));
}

[[noreturn]] void too_few(const signature& is, const values& bound, std::size_t got) {
  if (is.how == manner::python) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < is.required; ++i)
      if (bound[i].missing()) names.push_back(quoted(is.parameters[i]));
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (i > 0) list += names.size() == 2 ? " and " : i + 1 == names.size() ? ", and " : ", ";
      list += names[i];
    }
    raise_type(
        std::string(is.name) + "() missing " +
        plural(names.size(), "required positional argument", "required positional arguments") +
        ": " + list);
  }
  if (is.how == manner::positional && is.size() == 1)
    raise_type(full_name(is) + "() takes exactly one argument (" + std::to_string(got) + " given)");
  raise_type(std::string(is.name) + " expected " + (is.required == is.size() ? "" : "at least ") +
             plural(is.required, "argument", "arguments") + ", got " + std::to_string(got));
}

void bind_named(const signature& is, values& bound, const named_argument& named) {
  const std::string_view name = named.name.text();
  const std::size_t count = is.size();
  std::size_t at = 0;
  while (at < count && is.parameters[at] != name)
    ++at;
  if (at == count) {
    if (is.how == manner::keywords)
      raise_type("'" + std::string(name) + "' is an invalid keyword argument for " + is.name +
                 "()");
    raise_type(std::string(is.name) + "() got an unexpected keyword argument " + quoted(name));
  }
  if (!bound[at].missing())
    raise_type(is.how == manner::python
                   ? std::string(is.name) + "() got multiple values for argument " + quoted(name)
                   : "argument for " + std::string(is.name) + "() given by name (" + quoted(name) +
                         ") and position (" + std::to_string(at + 1) + ")");
  bound[at] = named.content;
}

}  // namespace

std::size_t signature::size() const noexcept {
  return static_cast<std::size_t>(std::ranges::find_if(parameters, &std::string_view::empty) -
                                  parameters.begin());
}

value invoke(rendering& r, const signature& is, const value& self, arguments& given) {
  r.step();
  if (is.open != nullptr) return is.open(r, self, given);
  if (is.how == manner::positional && !given.named.empty())
    raise_type(full_name(is) + "() takes no keyword arguments");
  const std::size_t got = given.given.size();
  if (got > is.size()) too_many(is, got);
  const std::size_t before = self.missing() ? 0 : 1;
  values bound = std::move(given.given);
  bound.resize(is.size());
  for (const named_argument& named : given.named)
    bind_named(is, bound, named);
  for (std::size_t i = 0; i < is.required; ++i)
    if (bound[i].missing()) too_few(is, bound, got + given.named.size());
  if (before != 0) bound.insert(bound.begin(), self);
  return is.run(r, bound.data());
}

std::int64_t index_of(const value& argument) {
  if (argument.is_whole()) return argument.integer();
  raise_type("'" + type_name(argument) + "' object cannot be interpreted as an integer");
}

value call(rendering& r, const value& called, arguments& given) {
  switch (called.what()) {
    case kind::undefined: raise_undefined(called);
    case kind::macro: return r.call_macro(called, given);
    case kind::native: {
      const auto& native = called.as<native_object>();
      return invoke(r, *native.what_is_called, native.self, given);
    }
    case kind::joiner: {
      auto& joiner = called.as<joiner_object>();
      return std::exchange(joiner.used, true) ? joiner.separator : r.text("");
    }
    case kind::loop:
      if (given.given.size() == 1 && given.named.empty())
        raise_type("The loop must have the 'recursive' marker to be called recursively.");
      [[fallthrough]];
    default: raise_type("'" + type_name(called) + "' object is not callable");
  }
}

}  // namespace jinja
