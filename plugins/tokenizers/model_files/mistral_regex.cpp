#include "mistral_regex.hpp"

#include <string_view>
#include <utility>

#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "tokenizers/common/node.hpp"

namespace tokenizers::model_files {

namespace {

constexpr std::string_view corrected_pattern =
    R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+)"
    R"(|[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*)"
    R"(|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::size_t small_vocabulary = 100'000;

using memory = rapidjson::Document::AllocatorType;

rapidjson::Value regex_split(memory& in) {
  rapidjson::Value regex(rapidjson::kObjectType);
  regex.AddMember("Regex",
                  rapidjson::StringRef(corrected_pattern.data(),
                                       static_cast<rapidjson::SizeType>(corrected_pattern.size())),
                  in);
  rapidjson::Value out(rapidjson::kObjectType);
  out.AddMember("type", "Split", in);
  out.AddMember("pattern", regex, in);
  out.AddMember("behavior", "Isolated", in);
  out.AddMember("invert", false, in);
  return out;
}

rapidjson::Value byte_level_split(memory& in) {
  rapidjson::Value out(rapidjson::kObjectType);
  out.AddMember("type", "ByteLevel", in);
  out.AddMember("add_prefix_space", false, in);
  out.AddMember("trim_offsets", true, in);
  out.AddMember("use_regex", false, in);
  return out;
}

bool is_of(const rapidjson::Value& object, std::string_view type) {
  const auto at = object.FindMember("type");
  return at != object.MemberEnd() && at->value.IsString() && type == at->value.GetString();
}

std::size_t entries(const rapidjson::Document& document) {
  const auto model = document.FindMember("model");
  if (model == document.MemberEnd() || !model->value.IsObject()) return 0;
  const auto vocabulary = model->value.FindMember("vocab");
  if (vocabulary == model->value.MemberEnd()) return 0;
  if (vocabulary->value.IsObject()) return vocabulary->value.MemberCount();
  return vocabulary->value.IsArray() ? vocabulary->value.Size() : 0;
}

}  // namespace

std::string with_mistral_regex(std::string json) {
  std::string text = json;
  rapidjson::Document document;
  parse_json(text, document, "tokenizer.json");
  if (!document.IsObject() || entries(document) <= small_vocabulary) return json;
  const auto step = document.FindMember("pre_tokenizer");
  if (step == document.MemberEnd() || !step->value.IsObject()) return json;

  memory& in = document.GetAllocator();
  const auto steps = step->value.FindMember("pretokenizers");
  if (is_of(step->value, "Sequence") && steps != step->value.MemberEnd() &&
      steps->value.IsArray() && !steps->value.Empty()) {
    steps->value[0] = regex_split(in);
  } else {
    rapidjson::Value list(rapidjson::kArrayType);
    list.PushBack(regex_split(in), in);
    if (is_of(step->value, "Metaspace"))
      list.PushBack(byte_level_split(in), in);
    else
      list.PushBack(step->value, in);
    rapidjson::Value sequence(rapidjson::kObjectType);
    sequence.AddMember("type", "Sequence", in);
    sequence.AddMember("pretokenizers", list, in);
    step->value = std::move(sequence);
  }
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  document.Accept(writer);
  return {out.GetString(), out.GetSize()};
}

}  // namespace tokenizers::model_files
