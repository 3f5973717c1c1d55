#include <string>
#include <string_view>

#include <inferbench/guard.hpp>

#include "old_vocabulary_json.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::model_files {

using namespace vocabulary_json;

namespace {

constexpr const char* qwen2_pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*)"
    R"(|\s*[\r\n]+|\s+(?!\S)|\s+)";

/// Writes {"type": "ByteLevel", ...}.
void byte_level(writer& out, bool prefix_space, bool trim, bool regex) {
  out.StartObject();
  put(out, "type", "ByteLevel");
  put_flag(out, "add_prefix_space", prefix_space);
  put_flag(out, "trim_offsets", trim);
  put_flag(out, "use_regex", regex);
  out.EndObject();
}

/// Writes [content, id], a form that two post-processors use. `vocabulary` is an object that maps
/// contents to ids.
void token_with_id(writer& out, const char* name, std::string_view content,
                   const node& vocabulary) {
  const auto id = vocabulary.find(content);
  if (!id)
    vocabulary.fail("\"" + std::string(content) + "\" is missing, which the configuration puts " +
                    "around texts");
  out.Key(name);
  out.StartArray();
  put(out, content);
  out.Uint(id->u32());
  out.EndArray();
}

void split_and_byte_level(writer& out, bool prefix_space) {
  out.StartObject();
  put(out, "type", "Sequence");
  out.Key("pretokenizers");
  out.StartArray();
  out.StartObject();
  put(out, "type", "Split");
  out.Key("pattern");
  out.StartObject();
  put(out, "Regex", qwen2_pattern);
  out.EndObject();
  put(out, "behavior", "Isolated");
  put_flag(out, "invert", false);
  out.EndObject();
  byte_level(out, prefix_space, true, false);
  out.EndArray();
  out.EndObject();
}

void merges_of(writer& out, std::string_view text) {
  out.Key("merges");
  out.StartArray();
  each_line(text, [&](std::string_view line, std::size_t number) {
    if (line.empty() || line.starts_with("#version")) return;
    const auto space = line.find(' ');
    if (space == line.npos || space == 0 || space + 1 == line.size() ||
        line.find(' ', space + 1) != line.npos)
      throw ifb::failure(IFB_E_CONFIG, "merges.txt: line " + std::to_string(number + 1) +
                                           ": expected two tokens with a space between them");
    put(out, line);
  });
  out.EndArray();
}

}  // namespace

std::string byte_level_bpe_json(const model_config& config, pipeline as,
                                const std::string& vocabulary, std::string_view merges) {
  std::string copy = vocabulary;
  rapidjson::Document document;
  parse_json(copy, document, "vocab.json");
  const node ids(document, "vocab.json");
  if (!document.IsObject()) ids.fail("expected an object");

  rapidjson::StringBuffer buffer;
  writer out(buffer);
  const bool prefix_space = config.add_prefix_space.value_or(false);
  out.StartObject();
  put(out, "version", "1.0");
  if (as == pipeline::qwen2) {
    out.Key("normalizer");
    out.StartObject();
    put(out, "type", "NFC");
    out.EndObject();
  }
  out.Key("pre_tokenizer");
  if (as == pipeline::qwen2)
    split_and_byte_level(out, prefix_space);
  else
    byte_level(out, prefix_space, true, true);
  out.Key("post_processor");
  if (as == pipeline::roberta) {
    out.StartObject();
    put(out, "type", "RobertaProcessing");
    token_with_id(out, "sep", config.token("sep_token"), ids);
    token_with_id(out, "cls", config.token("cls_token"), ids);
    put_flag(out, "trim_offsets", true);
    put_flag(out, "add_prefix_space", prefix_space);
    out.EndObject();
  } else {
    byte_level(out, true, false, true);
  }
  out.Key("decoder");
  byte_level(out, true, true, true);
  out.Key("model");
  out.StartObject();
  put(out, "type", "BPE");
  put(out, "continuing_subword_prefix", "");
  put(out, "end_of_word_suffix", "");
  out.Key("vocab");
  out.RawValue(vocabulary.data(), vocabulary.size(), rapidjson::kObjectType);
  merges_of(out, merges);
  out.EndObject();
  out.EndObject();
  return {buffer.GetString(), buffer.GetSize()};
}

}  // namespace tokenizers::model_files
