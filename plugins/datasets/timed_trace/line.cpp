#include "line.hpp"

#include <cmath>
#include <optional>

#include <rapidjson/error/en.h>

#include <inferbench/guard.hpp>
#include <inferbench/text.hpp>

#include "chunks.hpp"
#include "datasets/common/json_array.hpp"

namespace {

// This limit is far above any real request; a larger number cannot be a length.
constexpr double most_tokens = 16'777'216;

class reader {
 public:
  reader(const rapidjson::Value& object, const std::string& place)
      : object_(object), place_(place) {}

  [[nodiscard]] double number(const std::string& label, const char* flag) const {
    const auto* value = files::find(object_, label);
    if (value == nullptr) missing(label, flag);
    if (!value->IsNumber() || !std::isfinite(value->GetDouble()))
      refuse("\"" + label + "\" is not a number");
    return value->GetDouble();
  }

  [[nodiscard]] std::uint32_t tokens(const std::string& label, const char* flag) const {
    const double value = number(label, flag);
    if (value != std::floor(value) || value < 0 || value > most_tokens)
      refuse("\"" + label + "\" is not a whole number from 0 to " +
             std::to_string(static_cast<int>(most_tokens)));
    return static_cast<std::uint32_t>(value);
  }

  [[nodiscard]] std::vector<std::uint64_t> hashes(const std::string& label) const {
    std::vector<std::uint64_t> out;
    const auto* list = files::find(object_, label);
    if (list == nullptr) return out;
    if (!list->IsArray()) refuse("\"" + label + "\" is not a list");
    out.reserve(list->Size());
    for (const auto& each : list->GetArray()) {
      const auto text = files::string_of(&each);
      if (each.IsInt64())
        out.push_back(static_cast<std::uint64_t>(each.GetInt64()));
      else if (each.IsUint64())
        out.push_back(each.GetUint64());
      else if (text)
        out.push_back(hash_of(*text));
      else
        refuse("\"" + label + "\" contains a value that is neither an integer nor a string");
    }
    return out;
  }

  [[noreturn]] void refuse(const std::string& what) const {
    throw ifb::failure(IFB_E_DATA, place_ + ": " + what, "path");
  }

 private:
  [[noreturn]] void missing(const std::string& label, const char* flag) const {
    std::string known;
    for (const auto& each : object_.GetObject())
      known += (known.empty() ? "" : ", ") +
               std::string(ifb::cut_utf8(files::string_of(&each.name).value_or(""), 40));
    const std::string lacks = "the line has no member \"" + label + "\"";
    if (known.empty()) refuse(lacks + ": the object is empty");
    refuse(lacks + " (its members: " + std::string(ifb::cut_utf8(known, 300)) +
           "); give the member's name with --timed-trace-" + flag);
  }

  const rapidjson::Value& object_;
  const std::string& place_;
};

}  // namespace

trace_line parse_line(std::string_view text, const labels& names, const std::string& place) {
  rapidjson::Document document;
  files::json_stream stream(text);
  document.ParseStream<files::json_flags>(stream);
  const bool rest = !document.HasParseError() && !ifb::trim(text.substr(stream.Tell())).empty();
  if (document.HasParseError() || rest)
    throw ifb::failure(IFB_E_DATA,
                       place + ": malformed JSON: " +
                           (rest ? "text after the object"
                                 : rapidjson::GetParseError_En(document.GetParseError())),
                       "path");
  const reader in(document, place);
  if (!document.IsObject()) in.refuse("the line is not a JSON object");
  trace_line out;
  out.timestamp = in.number(names.timestamp, "label-timestamp");
  out.input = in.tokens(names.input_length, "label-input-length");
  out.output = in.tokens(names.output_length, "label-output-length");
  out.hashes = in.hashes(names.hash_ids);
  return out;
}
