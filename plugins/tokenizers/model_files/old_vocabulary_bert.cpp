#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <inferbench/guard.hpp>

#include "old_vocabulary_json.hpp"

namespace tokenizers::model_files {

using namespace vocabulary_json;

namespace {

void template_piece(writer& out, const char* kind, std::string_view id, unsigned type) {
  out.StartObject();
  out.Key(kind);
  out.StartObject();
  put(out, "id", id);
  out.Key("type_id");
  out.Uint(type);
  out.EndObject();
  out.EndObject();
}

using line_numbers = std::unordered_map<std::string_view, std::uint32_t>;

/// Writes the template [CLS] text [SEP] pair [SEP].
void bert_template(writer& out, const model_config& config, const line_numbers& ids) {
  const auto cls = config.token("cls_token");
  const auto sep = config.token("sep_token");
  out.StartObject();
  put(out, "type", "TemplateProcessing");
  for (const bool pair : {false, true}) {
    out.Key(pair ? "pair" : "single");
    out.StartArray();
    template_piece(out, "SpecialToken", cls, 0);
    template_piece(out, "Sequence", "A", 0);
    template_piece(out, "SpecialToken", sep, 0);
    if (pair) {
      template_piece(out, "Sequence", "B", 1);
      template_piece(out, "SpecialToken", sep, 1);
    }
    out.EndArray();
  }
  out.Key("special_tokens");
  out.StartObject();
  for (const auto content : {cls, sep}) {
    const auto at = ids.find(content);
    if (at == ids.end())
      throw ifb::failure(IFB_E_CONFIG, "vocab.txt: \"" + std::string(content) +
                                           "\" is missing, which the configuration puts around "
                                           "texts");
    put(out, content);
    out.StartObject();
    put(out, "id", content);
    out.Key("ids");
    out.StartArray();
    out.Uint(at->second);
    out.EndArray();
    out.Key("tokens");
    out.StartArray();
    put(out, content);
    out.EndArray();
    out.EndObject();
    if (cls == sep) break;
  }
  out.EndObject();
  out.EndObject();
}

}  // namespace

std::string bert_wordpiece_json(const model_config& config, std::string_view vocabulary) {
  line_numbers ids;
  each_line(vocabulary, [&](std::string_view line, std::size_t number) {
    ids[line] = static_cast<std::uint32_t>(number);
  });
  rapidjson::StringBuffer buffer;
  writer out(buffer);
  const auto flag = [&](const char* name, std::optional<bool> said, bool otherwise) {
    put_flag(out, name, said.value_or(otherwise));
  };
  out.StartObject();
  put(out, "version", "1.0");
  out.Key("normalizer");
  out.StartObject();
  put(out, "type", "BertNormalizer");
  put_flag(out, "clean_text", true);
  flag("handle_chinese_chars", config.tokenize_chinese_chars, true);
  if (config.strip_accents) put_flag(out, "strip_accents", *config.strip_accents);
  flag("lowercase", config.do_lower_case, true);
  out.EndObject();
  out.Key("pre_tokenizer");
  out.StartObject();
  put(out, "type", "BertPreTokenizer");
  out.EndObject();
  out.Key("post_processor");
  bert_template(out, config, ids);
  out.Key("decoder");
  out.StartObject();
  put(out, "type", "WordPiece");
  put(out, "prefix", "##");
  put_flag(out, "cleanup", true);
  out.EndObject();
  out.Key("model");
  out.StartObject();
  put(out, "type", "WordPiece");
  put(out, "unk_token", config.token("unk_token"));
  put(out, "continuing_subword_prefix", "##");
  out.Key("max_input_chars_per_word");
  out.Uint(100);
  out.Key("vocab");
  out.StartObject();
  for (const auto& [token, id] : ids) {
    put(out, token);
    out.Uint(id);
  }
  out.EndObject();
  out.EndObject();
  out.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace tokenizers::model_files
