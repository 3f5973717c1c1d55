#include "generator_config.hpp"

#include <cmath>
#include <filesystem>

#include <rapidjson/document.h>

#include <inferbench/guard.hpp>

#include "datasets/common/json_array.hpp"
#include "datasets/common/media_uri.hpp"
#include "field.hpp"

namespace conversations {

namespace {

constexpr double most_conversations = 10'000'000;

rapidjson::Document parse(const files::text_file& file) {
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  const std::size_t begin = file.text().starts_with(byte_order_mark) ? byte_order_mark.size() : 0;
  rapidjson::Document out;
  out.Parse<rapidjson::kParseIterativeFlag | rapidjson::kParseValidateEncodingFlag>(
      file.text().data() + begin, file.text().size() - begin);
  if (!out.HasParseError()) return out;
  throw ifb::failure(IFB_E_DATA,
                     file.place(begin + out.GetErrorOffset()) +
                         ": malformed JSON: " + files::said_of(out.GetParseError()),
                     "path");
}

std::vector<std::string> read_texts(const field& from, const std::string& folder) {
  if (!from.value().IsArray() || from.value().Empty())
    from.refuse("must be a list of at least one file");
  std::vector<std::string> out;
  for (const auto& each : from.value().GetArray()) {
    if (!each.IsString() || each.GetStringLength() == 0)
      from.refuse("must be a list of file names");
    out.push_back(
        (std::filesystem::path(folder) / std::string(each.GetString(), each.GetStringLength()))
            .lexically_normal()
            .string());
  }
  return out;
}

}  // namespace

generator_config read_generator_config(ifb::host host, const files::text_file& file) {
  const rapidjson::Document document = parse(file);
  const field whole(file.path(), document);
  const field type = whole.get("filetype");
  if (type.text() != "generate_conversations")
    type.refuse("must be \"generate_conversations\", not \"" +
                std::string(type.text().substr(0, 80)) + "\"");
  whole.warn_of_others(host, {"filetype", "num_conversations", "text_files", "print_stats",
                              "prompt_input", "prompt_output"});
  generator_config out;
  const field count = whole.get("num_conversations");
  if (!count.is_whole() || count.number() < 1 || count.number() > most_conversations)
    count.refuse("must be a whole number from 1 to 10000000");
  out.count = static_cast<std::size_t>(count.number());
  out.texts = read_texts(whole.get("text_files"), files::folder_of(file.path()));
  if (const auto print = whole.find("print_stats")) out.print_stats = print->boolean();

  const field input = whole.get("prompt_input");
  out.turns = distribution::parse(host, input.get("num_turns"));
  out.prefix = distribution::parse(host, input.get("prefix_num_tokens"));
  out.user = distribution::parse(host, input.get("num_tokens"));
  const auto common = input.find("common_prefix_num_tokens");
  out.common_prefix = common ? distribution::parse(host, *common) : distribution::constant(0);
  input.warn_of_others(
      host, {"num_turns", "prefix_num_tokens", "num_tokens", "common_prefix_num_tokens"});
  const field output = whole.get("prompt_output");
  out.answer = distribution::parse(host, output.get("num_tokens"));
  output.warn_of_others(host, {"num_tokens"});
  return out;
}

}  // namespace conversations
