#include "sentencepiece.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <inferbench/guard.hpp>

#include "decoder.hpp"
#include "tokenizers/common/utf8.hpp"
#include "tokenizers/model_files/file_set.hpp"
#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::spm {

namespace {

std::string replaced(std::string_view text) {
  std::string out;
  for (std::size_t from = 0; from < text.size();) {
    const auto at = std::min(text.find(space_sign, from), text.size());
    out += text.substr(from, at - from);
    if (at < text.size()) out += ' ';
    from = at + space_sign.size();
  }
  return out;
}

std::pair<std::string, std::string> model_bytes(model_files::file_set& files) {
  model_files::refuse_file(
      files, {{".json", "hf"}, {".tiktoken", "tiktoken"}, {"tiktoken.model", "tiktoken"}});
  for (const char* usual : {"tokenizer.model", "spiece.model", "sentencepiece.bpe.model"}) {
    const std::string name = files.given_or(usual);
    if (auto bytes = files.read(name)) return {name, *std::move(bytes)};
  }
  std::string message = files.missing("tokenizer.model") + " and no spiece.model";
  if (!files.present({"tokenizer.json"}).empty())
    message += "; there is tokenizer.json, which the tokenizer mode hf reads";
  else
    message += "; a folder, file or repository that has one can be given as --tokenizer";
  // IFB_E_UNSUPPORTED lets the host try another tokenizer plugin.
  throw ifb::failure(IFB_E_UNSUPPORTED, message, files.option());
}

/// Returns all added tokens with their ids. `total` is the first free id; it increases with each
/// token that is not in the model.
std::vector<known_token> numbered(const model_files::model_config& config, const pieces& model,
                                  std::uint64_t& total) {
  std::vector<known_token> out;
  for (const auto& each : config.added) {
    out.push_back({each.token, each.id});
    if (!model.id_of(each.token.content)) ++total;
  }
  const auto is_numbered = [&](const std::string& content) {
    return std::ranges::any_of(config.added,
                               [&](const auto& each) { return each.token.content == content; });
  };
  for (auto& token : config.to_add()) {
    if (is_numbered(token.content)) {
      const auto at = std::ranges::find_if(
          out, [&](const auto& each) { return each.token.content == token.content; });
      at->token.special = token.special;
      continue;
    }
    const auto id = model.id_of(token.content);
    out.push_back({std::move(token), id ? *id : static_cast<std::uint32_t>(total++)});
  }
  return out;
}

}  // namespace

tokenizer::parts tokenizer::load(ifb::host host, const options& chosen) {
  model_files::file_set files =
      model_files::open_model(host, chosen, "a folder, a .model file or a name on Hugging Face");
  auto [name, bytes] = model_bytes(files);
  auto config = model_files::read_model_config(files);
  const rules how = rules_of(config);
  // Since transformers 4.31, the library no longer adds the space before a text.
  pieces model(std::move(bytes), how.legacy, name);
  complete(config, how, model.size());

  std::uint64_t total = model.size();
  splitter known(numbered(config, model, total));
  model_files::chat_templates chats = model_files::read_chat_templates(files, config, chosen);

  const auto ids_of = [&](bool wanted, const char* role) {
    std::vector<std::uint32_t> out;
    const auto* const token = known.find(config.token(role));
    if (wanted && token != nullptr) out.push_back(token->id);
    return out;
  };
  auto bos = ids_of(how.add_bos, "bos_token");
  auto eos = ids_of(how.add_eos, "eos_token");
  std::unordered_set<std::uint32_t> special;
  std::unordered_set<std::uint32_t> apart;
  for (const auto& each : config.special)
    special.insert(known.find(each.token.content)->id);
  for (const auto& each : config.more_special) {
    const auto number = known.find(each.content)->id;
    special.insert(number);
    if (number >= model.size()) apart.insert(number);
  }
  for (const auto& each : known.tokens()) {
    if (!special.contains(each.id)) apart.insert(each.id);
  }
  std::vector<std::uint32_t> ascending(special.begin(), special.end());
  std::ranges::sort(ascending);
  std::string unknown(config.token("unk_token"));
  std::vector<std::uint32_t> ids;
  model.encode(unknown, ids);
  return {how,
          std::move(model),
          std::move(known),
          std::move(chats),
          std::move(bos),
          std::move(eos),
          std::move(unknown),
          ids.size(),
          std::move(special),
          std::move(apart),
          std::move(ascending),
          total,
          files.source(),
          files.digest()};
}

void tokenizer::append_plain(std::string_view text, std::vector<std::uint32_t>& ids) const {
  const bool spaced = text.starts_with(' ') || text.starts_with(space_sign);
  if (parts_.how.legacy || !spaced) {
    parts_.model.encode(text, ids);
    return;
  }
  // SentencePiece removes a leading space. Therefore the unknown token is put before the text, and
  // its pieces are removed from the result.
  std::vector<std::uint32_t> made;
  parts_.model.encode(parts_.unknown + std::string(text), made);
  const std::size_t cut = made.size() >= parts_.unknown_length ? parts_.unknown_length : 0;
  ids.insert(ids.end(), made.begin() + static_cast<std::ptrdiff_t>(cut), made.end());
}

void tokenizer::append(std::string_view given, std::vector<std::uint32_t>& ids) const {
  std::string text;
  append_valid(text, given);
  const bool adds_space = !parts_.how.legacy && !text.empty();
  if (adds_space) {
    text = replaced(text);
    if (parts_.how.add_prefix_space) text.insert(0, space_sign);
  }
  const std::size_t begin = ids.size();
  const auto stretches = parts_.known.split(text);
  for (std::size_t i = 0; i < stretches.size(); ++i) {
    if (stretches[i].token != nullptr) {
      // If the text begins with a special token, the added space before it must not become a token.
      if (adds_space && i == 1 && ids.size() == begin + 1 && stretches[0].text == space_sign &&
          parts_.special.contains(stretches[1].token->id))
        ids.pop_back();
      ids.push_back(stretches[i].token->id);
    } else {
      append_plain(stretches[i].text, ids);
    }
  }
}

void tokenizer::close(std::vector<std::uint32_t>& ids, std::size_t begin) const {
  // T5 adds no end-of-sequence token to a text that already ends with one.
  const bool has = parts_.how.as == family::t5 && ids.size() > begin && !parts_.eos.empty() &&
                   ids.back() == parts_.eos[0];
  if (!has) ids.insert(ids.end(), parts_.eos.begin(), parts_.eos.end());
}

std::vector<std::uint32_t> tokenizer::encode(std::string_view text, std::uint32_t flags) const {
  std::vector<std::uint32_t> ids;
  const bool special = (flags & IFB_ENCODE_SPECIAL) != 0;
  if (special) ids = parts_.bos;
  const std::size_t begin = ids.size();
  append(text, ids);
  if (special) close(ids, begin);
  return ids;
}

std::uint64_t tokenizer::count(std::string_view text, std::uint32_t flags) const {
  return encode(text, flags).size();
}

ifb::pair_encoding tokenizer::encode_pair(std::string_view text, std::string_view pair,
                                          std::uint32_t flags) const {
  ifb::pair_encoding out;
  out.ids = encode(text, flags);
  const std::size_t first = out.ids.size();
  const auto second = encode(pair, flags);
  out.ids.insert(out.ids.end(), second.begin(), second.end());
  out.type_ids.assign(out.ids.size(), 0);
  // T5 has type id 0 for both texts.
  if (parts_.how.as != family::t5)
    std::fill(out.type_ids.begin() + static_cast<std::ptrdiff_t>(first), out.type_ids.end(), 1U);
  return out;
}

std::string tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const {
  return spm::decode({parts_.model, parts_.known, parts_.how, parts_.special, parts_.apart}, ids,
                     (flags & IFB_DECODE_SKIP_SPECIAL) != 0);
}

std::string tokenizer::render(std::string_view chat) const { return parts_.chats.render(chat); }

ifb_vocabulary tokenizer::vocabulary() const {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.added = static_cast<std::uint32_t>(parts_.bos.size() + parts_.eos.size());
  out.size = parts_.model.size();
  out.total_size = parts_.total_size;
  out.special_ids = parts_.special_ids.data();
  out.special_id_count = parts_.special_ids.size();
  out.skipped_ids = out.special_ids;
  out.skipped_id_count = out.special_id_count;
  out.source = parts_.source.c_str();
  out.digest = parts_.digest.c_str();
  return out;
}

}  // namespace tokenizers::spm
