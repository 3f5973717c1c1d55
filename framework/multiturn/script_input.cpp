#include "multiturn/script_input.hpp"

#include <string_view>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"

namespace inferbench::multiturn {

namespace {

std::string_view name_of(const ifb::json_value& name) {
  return {name.GetString(), name.GetStringLength()};
}

/// "uniform(min=12, max=18)" for a distribution; for any other value its Python text.
std::string parameter_text(const ifb::json_value& value) {
  const std::string_view kind = base::text_of(base::find(value, "distribution"));
  if (kind.empty()) return base::one_line(pytext::python_text(value));
  std::string out;
  for (const auto& member : value.GetObject()) {
    if (name_of(member.name) == "distribution") continue;
    out += out.empty() ? "" : ", ";
    out += std::string(name_of(member.name)) + "=" + pytext::python_text(member.value);
  }
  return base::one_line(std::string(kind) + "(" + out + ")");
}

/// Adds the members of an object, and those of its inner objects that are no distributions.
void add_parameters(const ifb::json_value& object, const std::string& prefix, script_input& to) {
  for (const auto& member : object.GetObject()) {
    const std::string name = prefix + std::string(name_of(member.name));
    const bool inner =
        member.value.IsObject() && base::find(member.value, "distribution") == nullptr;
    if (inner && prefix.empty())
      add_parameters(member.value, name + ".", to);
    else
      to.parameters.emplace_back(base::one_line(name), parameter_text(member.value));
  }
}

}  // namespace

script_input read_script_input(const std::string& path) {
  const ifb::json_document file = pytext::read_json_document(base::read_file(path), path);
  script_input out;
  if (file.IsArray()) {
    out.conversations = file.Size();
    if (out.conversations == 0) throw base::error(path + ": the list has no conversation");
    return out;
  }
  const ifb::json_value* const number = base::find(file, "num_conversations");
  if (!file.IsObject() || number == nullptr || !number->IsUint64() || number->GetUint64() == 0)
    throw base::error(path +
                          ": neither a list of conversations nor a configuration with "
                          "\"num_conversations\", a whole number above 0",
                      "docs/conversations.md shows both");
  out.conversations = static_cast<std::size_t>(number->GetUint64());
  out.generated = true;
  add_parameters(file, "", out);
  return out;
}

}  // namespace inferbench::multiturn
