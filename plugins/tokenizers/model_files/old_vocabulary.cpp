#include "old_vocabulary.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <inferbench/guard.hpp>

#include "old_vocabulary_json.hpp"
#include "tokenizers/common/node.hpp"

namespace tokenizers::model_files {

namespace {

struct kind_of_model {
  std::string_view name;  // class name without "Tokenizer", or a "model_type" of config.json
  pipeline as;
};

// Classes that are converted in the same way have the same pipeline.
constexpr std::array<kind_of_model, 26> kinds{{
    {"GPT2", pipeline::gpt2},          {"gpt2", pipeline::gpt2},
    {"opt", pipeline::gpt2},           {"gpt_neo", pipeline::gpt2},
    {"Roberta", pipeline::roberta},    {"roberta", pipeline::roberta},
    {"Bart", pipeline::roberta},       {"bart", pipeline::roberta},
    {"Longformer", pipeline::roberta}, {"longformer", pipeline::roberta},
    {"LED", pipeline::roberta},        {"led", pipeline::roberta},
    {"Qwen2", pipeline::qwen2},        {"qwen2", pipeline::qwen2},
    {"qwen2_moe", pipeline::qwen2},    {"qwen3", pipeline::qwen2},
    {"Bert", pipeline::bert},          {"bert", pipeline::bert},
    {"DistilBert", pipeline::bert},    {"distilbert", pipeline::bert},
    {"Electra", pipeline::bert},       {"electra", pipeline::bert},
    {"MobileBert", pipeline::bert},    {"mobilebert", pipeline::bert},
    {"ConvBert", pipeline::bert},      {"convbert", pipeline::bert},
}};

struct default_token {
  const char* name;
  const char* content;
};
constexpr std::array<default_token, 3> gpt2_tokens{{{"bos_token", "<|endoftext|>"},
                                                    {"eos_token", "<|endoftext|>"},
                                                    {"unk_token", "<|endoftext|>"}}};
constexpr std::array<default_token, 3> qwen2_tokens{{{"eos_token", "<|endoftext|>"},
                                                     {"unk_token", "<|endoftext|>"},
                                                     {"pad_token", "<|endoftext|>"}}};
constexpr std::array<default_token, 7> roberta_tokens{{{"bos_token", "<s>"},
                                                       {"eos_token", "</s>"},
                                                       {"unk_token", "<unk>"},
                                                       {"sep_token", "</s>"},
                                                       {"pad_token", "<pad>"},
                                                       {"cls_token", "<s>"},
                                                       {"mask_token", "<mask>"}}};
constexpr std::array<default_token, 5> bert_tokens{{{"unk_token", "[UNK]"},
                                                    {"sep_token", "[SEP]"},
                                                    {"pad_token", "[PAD]"},
                                                    {"cls_token", "[CLS]"},
                                                    {"mask_token", "[MASK]"}}};

std::span<const default_token> tokens_of(pipeline as) {
  switch (as) {
    case pipeline::gpt2: return gpt2_tokens;
    case pipeline::roberta: return roberta_tokens;
    case pipeline::qwen2: return qwen2_tokens;
    case pipeline::bert: return bert_tokens;
  }
  return {};
}

/// Returns the kind of model in config.json: the class of its tokenizer, otherwise its type.
std::string type_in_config(file_set& files) {
  auto text = files.read("config.json");
  if (!text) return {};
  rapidjson::Document document;
  parse_json(*text, document, "config.json");
  const node config(document, "config.json");
  if (const auto name = config.find("tokenizer_class")) return std::string(name->text());
  return std::string(config.text("model_type", {}));
}

std::string bare(std::string name) {
  for (const std::string_view ending : {"Fast", "Tokenizer"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name;
}

std::string joined(const std::vector<std::string>& names) {
  std::string out;
  for (const auto& each : names)
    out += (out.empty() ? "" : ", ") + each;
  return out;
}

/// Refuses the model. The message names the files that were found and the tokenizer mode that reads
/// them. The code is IFB_E_UNSUPPORTED if such a mode exists, otherwise IFB_E_CONFIG.
[[noreturn]] void refuse(file_set& files, const std::string& because) {
  std::string message = files.missing("tokenizer.json") + because;
  const auto pieces = files.present({"tokenizer.model", "spiece.model", "sentencepiece.bpe.model"});
  auto ranks =
      files.present({"tiktoken.model", "qwen.tiktoken", "tokenizer.tiktoken", "hy.tiktoken"});
  if (ranks.empty()) ranks = files.with_extension(".tiktoken");
  if (!pieces.empty())
    message += "; there is " + joined(pieces) + ", which the tokenizer mode sentencepiece reads";
  else if (!ranks.empty())
    message += "; there is " + joined(ranks) + ", which the tokenizer mode tiktoken reads";
  else if (!files.present({"tekken.json"}).empty())
    message +=
        "; there is tekken.json, which nothing here reads: a repository with the model's "
        "tokenizer.json can be given as --tokenizer";
  else
    message += "; a folder or repository that has one can be given as --tokenizer";
  const bool readable = !pieces.empty() || !ranks.empty();
  throw ifb::failure(readable ? IFB_E_UNSUPPORTED : IFB_E_CONFIG, message, files.option());
}

void complete(model_config& config, pipeline as) {
  for (const auto& each : tokens_of(as)) {
    if (!config.token(each.name).empty()) continue;
    added_token token;
    token.content = each.content;
    token.special = true;
    token.normalized = false;
    // A mask token replaces a word, together with the space before the word.
    token.lstrip = as == pipeline::roberta && std::string_view(each.name) == "mask_token";
    config.special.push_back({each.name, std::move(token)});
  }
}

std::optional<pipeline> known(const std::string& name) {
  const auto at = std::ranges::find(kinds, std::string_view(name), &kind_of_model::name);
  if (at == kinds.end()) return std::nullopt;
  return at->as;
}

}  // namespace

std::string make_tokenizer_json(file_set& files, model_config& config) {
  const auto vocabulary = files.read("vocab.json");
  const auto merges = vocabulary ? files.read("merges.txt") : std::nullopt;
  const auto lines = vocabulary ? std::nullopt : files.read("vocab.txt");
  if (!(vocabulary && merges) && !lines) refuse(files, "");

  const std::string told =
      config.tokenizer_class.empty() ? type_in_config(files) : config.tokenizer_class;
  // The oldest releases do not name a class. In this case the names of the files decide.
  const auto as =
      told.empty() ? std::optional(lines ? pipeline::bert : pipeline::gpt2) : known(bare(told));
  const std::string there = lines ? "vocab.txt" : "vocab.json and merges.txt";
  if (!as || (*as == pipeline::bert) != lines.has_value())
    refuse(files, ", and what " + there + " mean for " + told + " is not known");
  complete(config, *as);
  return lines ? bert_wordpiece_json(config, *lines)
               : byte_level_bpe_json(config, *as, *vocabulary, *merges);
}

}  // namespace tokenizers::model_files
