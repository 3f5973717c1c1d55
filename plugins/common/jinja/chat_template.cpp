#include "chat_template.hpp"

#include "common/jinja/library/builtins.hpp"
#include "common/jinja/machine/interpreter.hpp"
#include "common/jinja/python/json.hpp"
#include "common/jinja/python/unicode.hpp"
#include "common/jinja/syntax/parser.hpp"
#include "common/jinja/syntax/scope.hpp"

namespace jinja {

namespace {

template <typename Read>
std::string run(const program& of, const options& how, const Read& read) {
  interpreter machine(of, how);
  try {
    const value context = read(machine);
    if (!context.is(kind::dict)) raise_type("the context is not an object");
    return machine.run(context);
  } catch (const error& cause) {
    throw error(cause, of.name, machine.line);
  }
}

}  // namespace

chat_template compile(std::string_view source, std::string name) {
  auto made = std::make_shared<program>();
  made->name = std::move(name);
  try {
    if (!unicode::valid(source)) raise("UnicodeDecodeError", "the template is not valid UTF-8");
    constant_pool pool(*made);
    made->root.body = parser(source, pool).run();
    resolve(*made);
  } catch (const error& cause) {
    throw error(cause, made->name, 1);
  }
  return chat_template(std::move(made));
}

std::vector<std::string> chat_template::variables() const {
  std::vector<std::string> out;
  for (const value& name : program_->names)
    if (find_global(name.text()) == nullptr) out.emplace_back(name.text());
  return out;
}

std::string chat_template::render(std::string_view json_context, const options& how) const {
  return run(*program_, how, [&](rendering& r) { return read_json(r, json_context); });
}

std::string chat_template::render(const rapidjson::Value& context, const options& how) const {
  return run(*program_, how, [&](rendering& r) { return read_json(r, context); });
}

}  // namespace jinja
