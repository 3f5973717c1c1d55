#include "rules.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include <inferbench/guard.hpp>

namespace tokenizers::spm {

namespace {

constexpr std::uint32_t sentinels = 100;

// Classes whose ids differ from the ids of the model's pieces, or whose pieces are split further.
constexpr std::array<std::string_view, 16> others{
    "XLMRobertaTokenizer", "CamembertTokenizer", "MBartTokenizer",       "MBart50Tokenizer",
    "NllbTokenizer",       "BarthezTokenizer",   "PLBartTokenizer",      "XGLMTokenizer",
    "M2M100Tokenizer",     "MarianTokenizer",    "Speech2TextTokenizer", "XLNetTokenizer",
    "AlbertTokenizer",     "DebertaV2Tokenizer", "BigBirdTokenizer",     "PegasusTokenizer"};

void put(model_files::model_config& config, const char* name, const char* content) {
  if (!config.token(name).empty()) return;
  added_token token;
  token.content = content;
  token.special = true;
  token.normalized = false;
  config.special.push_back({name, std::move(token)});
}

}  // namespace

rules rules_of(const model_files::model_config& config) {
  const std::string& name = config.tokenizer_class;
  if (std::ranges::find(others, std::string_view(name)) != others.end())
    throw ifb::failure(
        IFB_E_CONFIG, "what " + name +
                          " does with a SentencePiece model is not known here; a folder or "
                          "repository with the model's tokenizer.json can be given as --tokenizer");
  rules out;
  if (name.starts_with("T5") || name.starts_with("MT5")) {
    out.as = family::t5;
    out.add_bos = false;
    out.add_eos = true;
  } else if (name.starts_with("Gemma")) {
    out.as = family::gemma;
    out.add_prefix_space = false;
  }
  out.legacy = config.legacy.value_or(true);
  if (out.as != family::gemma) out.add_prefix_space = config.add_prefix_space.value_or(true);
  if (out.as != family::t5) {
    out.add_bos = config.add_bos_token.value_or(out.add_bos);
    out.add_eos = config.add_eos_token.value_or(out.add_eos);
  }
  return out;
}

void complete(model_files::model_config& config, const rules& how, std::uint32_t pieces) {
  switch (how.as) {
    case family::llama:
      put(config, "bos_token", "<s>");
      put(config, "eos_token", "</s>");
      put(config, "unk_token", "<unk>");
      return;
    case family::gemma:
      put(config, "bos_token", "<bos>");
      put(config, "eos_token", "<eos>");
      put(config, "unk_token", "<unk>");
      put(config, "pad_token", "<pad>");
      return;
    case family::t5:
      put(config, "eos_token", "</s>");
      put(config, "unk_token", "<unk>");
      put(config, "pad_token", "<pad>");
      break;
  }
  const auto is_sentinel = [](const model_files::numbered_token& each) {
    return each.token.content.starts_with("<extra_id_");
  };
  if (std::ranges::any_of(config.added, is_sentinel)) return;
  for (std::uint32_t i = 0; i < sentinels; ++i) {
    added_token token;
    token.content = "<extra_id_" + std::to_string(i) + ">";
    token.lstrip = true;
    token.rstrip = true;
    token.special = true;
    token.normalized = false;
    if (std::ranges::find(config.more_special, token.content, &added_token::content) ==
        config.more_special.end())
      config.more_special.push_back(token);
    // The first sentinel has the highest id.
    config.added.push_back({pieces + sentinels - 1 - i, std::move(token)});
  }
}

}  // namespace tokenizers::spm
