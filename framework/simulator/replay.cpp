#include "simulator/replay.hpp"

#include <string_view>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

/// The recorded answer in `in`. It has no pieces if `in` has no body.
recorded_answer answer_of(const base::json_value& in) {
  recorded_answer out;
  const base::json_value* const body = base::find(in, "body");
  if (body == nullptr || !body->IsArray()) return out;
  for (const auto& piece : body->GetArray()) {
    const std::string_view text = base::text_of(&piece);
    if (!text.empty()) out.pieces.emplace_back(text);
  }
  out.content_type = base::text_of(base::find(in, "type"));
  if (out.content_type.empty()) out.content_type = "text/event-stream; charset=utf-8";
  const std::string_view line = base::text_of(base::find(in, "status"));  // for example "429 Too
                                                                          // Many Requests"
  const auto status = base::parse_int(std::string(line.substr(0, line.find(' '))));
  if (status && *status >= 200 && *status <= 599) out.status = static_cast<int>(*status);
  return out;
}

}  // namespace

std::vector<recorded_answer> read_recorded(const std::string& path) {
  const rapidjson::Document json = base::parse_json(base::read_file(path), path);
  std::vector<recorded_answer> out;
  if (json.IsArray())
    for (const auto& entry : json.GetArray())
      if (recorded_answer answer = answer_of(entry); !answer.pieces.empty())
        out.push_back(std::move(answer));
  if (out.empty())
    throw base::error(path + " has no recorded answer",
                      "write a list of them, [{\"body\": [\"data: Hi\\n\\n\"]}]");
  return out;
}

}  // namespace inferbench::simulator
