#include "possible_answers.hpp"

#include <algorithm>
#include <stdexcept>

#include <rapidjson/document.h>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>

#include "json_text.hpp"

namespace bfcl {

namespace {

/// Whether a value is {NAME: {ARGUMENT: [VALUE, ...], ...}}.
bool is_answer(const rapidjson::Value& call) {
  if (!call.IsObject() || call.MemberCount() != 1) return false;
  const rapidjson::Value& arguments = call.MemberBegin()->value;
  return arguments.IsObject() && std::ranges::all_of(arguments.GetObject(), [](const auto& each) {
           return each.value.IsArray();
         });
}

bool are_answers(const rapidjson::Value* calls) {
  return calls != nullptr && calls->IsArray() && !calls->Empty() &&
         std::ranges::all_of(calls->GetArray(), is_answer);
}

/// The answers of a line in the form of the scorer; `calls` are answers.
std::string expected_text(const files::json_row& row, const rapidjson::Value& calls) {
  ifb::json_writer out;
  out.begin_array();
  try {
    for (const auto& each : calls.GetArray()) {
      const auto& call = *each.MemberBegin();
      out.begin_object();
      out.member("name", ifb::text_of(&call.name));
      out.key("allowed");
      out.raw(json_of(call.value));
      out.end_object();
    }
  } catch (const std::length_error& e) {
    row.refuse(e.what());
  }
  out.end_array();
  return out.take();
}

}  // namespace

bool has_json_answers(std::string_view category) noexcept {
  return category != "java" && category != "javascript";
}

possible_answers::possible_answers(ifb::host host, const std::string& path) : file_(host, path) {
  std::uint64_t others = 0;
  std::uint64_t repeated = 0;
  for (std::uint64_t row = 0; row < file_.rows(); ++row) {
    file_.read(row, row_);
    const std::string_view id = ifb::text_of(ifb::find(row_.object(), "id"));
    const rapidjson::Value* const calls = ifb::find(row_.object(), "ground_truth");
    if (id.empty() || !are_answers(calls)) {
      ++others;
      continue;
    }
    static_cast<void>(expected_text(row_, *calls));  // refuses deep answers before the run
    if (!rows_.try_emplace(std::string(id), row).second) ++repeated;
  }
  if (others != 0)
    host.warn(path + ": " + std::to_string(others) + (others == 1 ? " line has" : " lines have") +
              " no id or no calls with allowed values; such questions have no expected calls");
  if (repeated != 0)
    host.warn(path + ": " + std::to_string(repeated) +
              (repeated == 1 ? " line repeats" : " lines repeat") +
              " the id of an earlier line; the first answer with the id counts");
}

std::string possible_answers::expected(std::string_view id) {
  const auto at = rows_.find(std::string(id));
  if (at == rows_.end()) return {};
  file_.read(at->second, row_);
  const rapidjson::Value* const calls = ifb::find(row_.object(), "ground_truth");
  if (!are_answers(calls)) row_.refuse("the line has changed during the run");
  return expected_text(row_, *calls);
}

}  // namespace bfcl
