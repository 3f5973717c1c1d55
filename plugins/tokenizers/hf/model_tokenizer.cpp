#include "model_tokenizer.hpp"

#include <algorithm>

#include <inferbench/guard.hpp>

#include "tokenizers/model_files/mistral_regex.hpp"
#include "tokenizers/model_files/old_vocabulary.hpp"

namespace tokenizers::hf {

namespace {

constexpr const char* usual_file = "tokenizer.json";

/// Returns the version in a name such as "tokenizer.4.10.json", as numbers.
std::vector<int> version_in(std::string_view name) {
  std::vector<int> out;
  for (const char c : name) {
    if (c < '0' || c > '9')
      out.push_back(-1);
    else if (!out.empty() && out.back() >= 0)
      out.back() = std::min(out.back() * 10 + (c - '0'), 1'000'000);
    else
      out.push_back(c - '0');
  }
  std::erase(out, -1);
  return out;
}

/// Returns the file for the newest release, if the model has files for several releases.
std::string newest(const model_files::model_config& config) {
  std::string best = usual_file;
  for (const auto& each : config.versioned_files) {
    if (version_in(best) < version_in(each)) best = each;
  }
  return best;
}

additions additions_of(const model_files::model_config& config, bool bos_eos) {
  additions out;
  out.tokens = config.to_add();
  if (bos_eos) {
    additions::ends ends;
    if (config.add_bos_token.value_or(false)) ends.bos = config.token("bos_token");
    if (config.add_eos_token.value_or(false)) ends.eos = config.token("eos_token");
    out.instead_of_post_processor = std::move(ends);
  }
  return out;
}

tokenizer read_tokenizer(model_files::file_set& files, model_files::model_config& config,
                         const model_tokenizer::options& chosen) {
  model_files::refuse_file(
      files,
      {{"tiktoken.model", "tiktoken"}, {".tiktoken", "tiktoken"}, {".model", "sentencepiece"}});
  auto json = files.read(files.given_or(newest(config)));
  const bool made = !json;
  if (made) json = model_files::make_tokenizer_json(files, config);
  if (chosen.fix_mistral_regex || config.fix_mistral_regex.value_or(false))
    json = model_files::with_mistral_regex(*std::move(json));
  const bool said = config.add_bos_token || config.add_eos_token;
  // If the model has no tokenizer.json, only these two members of the configuration decide.
  const bool bos_eos =
      (chosen.legacy_bos_eos && said) ||
      (made && (config.add_bos_token.value_or(false) || config.add_eos_token.value_or(false)));
  return tokenizer(*std::move(json), additions_of(config, bos_eos));
}

/// Returns the ids of the tokens that the configuration calls special, in ascending order.
std::vector<std::uint32_t> named_ids(const tokenizer& tokens,
                                     const model_files::model_config& config) {
  std::vector<std::uint32_t> out;
  const auto take = [&](const added_token& token) {
    if (const auto id = tokens.id_of(token.content)) out.push_back(*id);
  };
  for (const model_files::named_token& each : config.special)
    take(each.token);
  for (const added_token& each : config.more_special)
    take(each);
  std::ranges::sort(out);
  const auto [from, to] = std::ranges::unique(out);
  out.erase(from, to);
  return out;
}

}  // namespace

model_tokenizer::parts model_tokenizer::load(ifb::host host, const options& chosen) {
  model_files::file_set files =
      model_files::open_model(host, chosen, "a folder or a name on Hugging Face");
  files.decide("legacy-bos-eos", chosen.legacy_bos_eos ? "1" : "0");
  files.decide("fix-mistral-regex", chosen.fix_mistral_regex ? "1" : "0");

  model_files::model_config config = model_files::read_model_config(files);
  std::optional<tokenizer> tokens;
  if (!chosen.template_only) tokens.emplace(read_tokenizer(files, config, chosen));
  model_files::chat_templates chats = model_files::read_chat_templates(files, config, chosen);
  std::vector<std::uint32_t> special =
      tokens ? named_ids(*tokens, config) : std::vector<std::uint32_t>{};
  return {std::move(tokens), std::move(chats), std::move(special), files.source(), files.digest()};
}

model_tokenizer::model_tokenizer(ifb::host host, const options& chosen)
    : parts_(load(host, chosen)) {
  if (parts_.tokens) added_ = static_cast<std::uint32_t>(parts_.tokens->ids_of_empty_text().size());
}

const tokenizer& model_tokenizer::tokens() const {
  if (!parts_.tokens)
    throw ifb::failure(IFB_E_UNSUPPORTED, "only the chat template was loaded (template-only)");
  return *parts_.tokens;
}

ifb_vocabulary model_tokenizer::vocabulary() const {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.source = parts_.source.c_str();
  out.digest = parts_.digest.c_str();
  if (!parts_.tokens) return out;
  out.added = added_;
  out.size = parts_.tokens->size();
  out.total_size = parts_.tokens->total_size();
  out.special_ids = parts_.named.data();
  out.special_id_count = parts_.named.size();
  const auto skipped = parts_.tokens->special_ids();
  out.skipped_ids = skipped.data();
  out.skipped_id_count = skipped.size();
  return out;
}

std::vector<std::uint32_t> model_tokenizer::encode(std::string_view text,
                                                   std::uint32_t flags) const {
  return tokens().encode(text, (flags & IFB_ENCODE_SPECIAL) != 0);
}

std::string model_tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const {
  return tokens().decode(ids, (flags & IFB_DECODE_SKIP_SPECIAL) != 0);
}

std::uint64_t model_tokenizer::count(std::string_view text, std::uint32_t flags) const {
  return tokens().count(text, (flags & IFB_ENCODE_SPECIAL) != 0);
}

ifb::pair_encoding model_tokenizer::encode_pair(std::string_view text, std::string_view pair,
                                                std::uint32_t flags) const {
  auto both = tokens().encode_pair(text, pair, (flags & IFB_ENCODE_SPECIAL) != 0);
  return {std::move(both.ids), std::move(both.type_ids)};
}

std::string model_tokenizer::render(std::string_view chat) const {
  return parts_.chats.render(chat);
}

}  // namespace tokenizers::hf
