#include "row_template.hpp"

namespace hf {

namespace {

// Jinja drops a newline at the end of a template.
std::string kept_whole(std::string_view source) {
  std::string out(source);
  if (out.ends_with('\n')) out += '\n';
  return out;
}

}  // namespace

row_template::row_template(std::string_view source)
    : compiled_(jinja::compile(kept_whole(source), "template")),
      variables_(compiled_.variables()) {}

row_template row_template::of_condition(std::string_view expression) {
  std::string source = "{% if ";
  source.append(expression).append(" %}true{% endif %}");
  return row_template(source);
}

std::string row_template::render(const rapidjson::Value& context) const {
  static const jinja::options strict = [] {
    jinja::options out;
    out.strict = true;
    return out;
  }();
  return compiled_.render(context, strict);
}

}  // namespace hf
