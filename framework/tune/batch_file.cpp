#include "tune/batch_file.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "pytext/python_json.hpp"
#include "pytext/python_text.hpp"
#include "sweep/command.hpp"

namespace inferbench::tune {

namespace {

constexpr std::string_view added[] = {batch_file::run_id, batch_file::status, batch_file::results,
                                      batch_file::gcs_results};
constexpr std::string_view result_mark = "RESULT_FILE=";
// A path has at most 4096 bytes.
constexpr std::size_t longest_line = 8192;

/// Whether the driver has added the member.
bool is_added(std::string_view key) { return std::ranges::find(added, key) != std::end(added); }

bool is_single(const ifb::json_value& value) { return !value.IsObject() && !value.IsArray(); }

bool fits(const ifb::json_value& value) {
  if (value.IsArray())
    return std::ranges::all_of(value.GetArray(), [](const ifb::json_value& each) {
      return is_single(each) && fits(each);
    });
  return !value.IsObject() && ifb::text_of(&value).find('\0') == std::string_view::npos;
}

std::string value_text(const ifb::json_value& value) {
  if (!value.IsArray()) return pytext::python_text(value);
  std::string out;
  for (const ifb::json_value& each : value.GetArray())
    out += (out.empty() ? "" : " ") + pytext::python_text(each);
  return out;
}

ifb::json_value* member_of(ifb::json_value& object, std::string_view key) {
  return const_cast<ifb::json_value*>(ifb::find(object, key));
}

}  // namespace

std::string variable_name(std::string_view key) {
  std::string out;
  for (const char c : key) {
    const char upper = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    if ((upper >= 'A' && upper <= 'Z') || (upper >= '0' && upper <= '9') || upper == '_')
      out += upper;
  }
  return out;
}

batch_file::batch_file(std::string_view text, const std::string& name)
    : document_(pytext::read_json_document(text, name)) {
  if (!document_.IsArray())
    throw base::error("the file is no array of runs",
                      R"(write for instance [{"model": "org/m", "num_seqs_list": "128 256"}])",
                      {name});
  std::size_t number = 0;
  for (const ifb::json_value& run : document_.GetArray()) {
    ++number;
    if (!run.IsObject())
      throw base::error(fmt::format("run {} is no object", number),
                        "write the variables of each run as the members of an object", {name});
    for (const auto& member : run.GetObject()) {
      const std::string_view key = ifb::text_of(&member.name);
      if (!is_added(key) && !fits(member.value))
        throw base::error(
            fmt::format("the member {} of run {} is no variable", base::one_line(key), number),
            "write a text, a number, or a list of texts and numbers", {name});
    }
  }
}

batch_variables batch_file::variables(std::size_t run) const {
  batch_variables out;
  for (const auto& member : document_[static_cast<rapidjson::SizeType>(run)].GetObject()) {
    const std::string_view key = ifb::text_of(&member.name);
    if (is_added(key) || member.value.IsNull()) continue;
    const std::string name = variable_name(key);
    if (name.size() != key.size())
      out.notices.push_back(
          name.empty() ? "the member " + base::one_line(key) + " names no variable"
                       : "the member " + base::one_line(key) + " sets the variable " + name);
    if (name.empty()) continue;
    std::erase_if(out.variables,
                  [&](const std::string& each) { return each.starts_with(name + "="); });
    out.variables.push_back(name + "=" + value_text(member.value));
  }
  return out;
}

std::string batch_file::member(std::size_t run, std::string_view key) const {
  return std::string(
      ifb::text_of(ifb::find(document_[static_cast<rapidjson::SizeType>(run)], key)));
}

void batch_file::set(std::size_t run, std::string_view key, std::string_view value) {
  auto& memory = document_.GetAllocator();
  ifb::json_value& object = document_[static_cast<rapidjson::SizeType>(run)];
  ifb::json_value text(value.data(), static_cast<rapidjson::SizeType>(value.size()), memory);
  if (ifb::json_value* const at = member_of(object, key)) {
    *at = text;
    return;
  }
  ifb::json_value name(key.data(), static_cast<rapidjson::SizeType>(key.size()), memory);
  object.AddMember(name, text, memory);
}

void batch_file::remove(std::size_t run, std::string_view key) {
  ifb::json_value& object = document_[static_cast<rapidjson::SizeType>(run)];
  for (auto at = object.MemberBegin(); at != object.MemberEnd();)
    at = ifb::text_of(&at->name) == key ? object.EraseMember(at) : at + 1;
}

std::string batch_file::text() const { return pytext::python_json(document_, 4) + "\n"; }

std::vector<std::string> batch_file::summary(std::size_t made) const {
  std::size_t good = 0;
  std::vector<std::string> others;
  for (std::size_t run = 0; run < size(); ++run) {
    const std::string state = run < made ? member(run, status) : "not run";
    if (state == "SUCCESS") {
      ++good;
      continue;
    }
    const std::string id = run < made ? member(run, run_id) : "";
    std::string line = fmt::format("  run {}: {}", run + 1, state);
    if (!id.empty()) line += ", " + base::one_line(id);
    std::string values;
    for (const std::string& each : sweep::without_secrets(variables(run).variables))
      values += (values.empty() ? "" : " ") + base::shell_word(base::one_line(each));
    if (!values.empty()) line += ", " + values;
    others.push_back(std::move(line));
  }
  std::vector<std::string> out{
      fmt::format("{} runs: {} succeeded, {} did not", size(), good, others.size())};
  out.insert(out.end(), others.begin(), others.end());
  return out;
}

void result_line::add(std::string_view piece) {
  for (const char c : piece) {
    if (c == '\n') {
      if (!too_long_ && line_.starts_with(result_mark)) path_ = line_.substr(result_mark.size());
      line_.clear();
      too_long_ = false;
    } else if (line_.size() < longest_line) {
      line_ += c;
    } else {
      too_long_ = true;
    }
  }
}

}  // namespace inferbench::tune
