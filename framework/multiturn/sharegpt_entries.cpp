#include "multiturn/sharegpt_entries.hpp"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "pytext/python_json.hpp"

namespace inferbench::multiturn {

namespace {

/// The text of a member. Throws base::error, with the name of the entry, for any other value.
std::string text_member(const ifb::json_value& of, const char* name, const std::string& entry) {
  const ifb::json_value* const value = base::find(of, name);
  if (value == nullptr || !value->IsString())
    throw base::error(fmt::format("{}: no \"{}\" that is a text", entry, name));
  return std::string(base::text_of(value));
}

sharegpt_entry entry_of(const ifb::json_value& value, const std::string& name, std::size_t number) {
  sharegpt_entry out{text_member(value, "id", name), {}, number};
  const ifb::json_value* const turns = base::find(value, "conversations");
  if (turns == nullptr || !turns->IsArray())
    throw base::error(name + ": no \"conversations\" that is a list");
  for (const ifb::json_value& turn : turns->GetArray())
    out.turns.push_back({text_member(turn, "from", name), text_member(turn, "value", name)});
  return out;
}

}  // namespace

sharegpt_file parse_sharegpt(std::string_view text, const std::string& path) {
  const ifb::json_document file = pytext::read_json_document(text, path);
  if (!file.IsArray()) throw base::error(path + ": not a list of conversations");
  sharegpt_file out;
  out.entries.reserve(file.Size());
  std::size_t number = 0;
  for (const ifb::json_value& each : file.GetArray()) {
    ++number;
    try {
      out.entries.push_back(entry_of(each, fmt::format("{}: entry {}", path, number), number));
    } catch (const base::error& e) {
      if (++out.left_out == 1) out.first_fault = e.what();
    }
  }
  if (out.entries.empty() && out.left_out != 0)
    throw base::error(
        fmt::format("{}; no entry of the file has the form of ShareGPT", out.first_fault),
        "give a list of {\"id\", \"conversations\": [{\"from\", \"value\"}, ...]}");
  return out;
}

}  // namespace inferbench::multiturn
