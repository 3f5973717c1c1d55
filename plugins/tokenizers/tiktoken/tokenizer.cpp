#include "tokenizer.hpp"

#include <optional>
#include <utility>

#include <inferbench/guard.hpp>

#include "encodings.hpp"
#include "tokenizers/common/utf8.hpp"
#include "tokenizers/model_files/file_set.hpp"
#include "tokenizers/model_files/model_config.hpp"

namespace tokenizers::tiktoken {

namespace {

// The usual names of the file. A file with the last name is usually a SentencePiece model.
constexpr const char* usual_names[] = {"tiktoken.model", "qwen.tiktoken", "tokenizer.tiktoken",
                                       "tokenizer.model"};

/// Returns the name and the text of the file.
std::pair<std::string, std::string> read_ranks(model_files::file_set& files) {
  if (files.given_or("").empty()) {
    const std::vector<std::string> there = files.with_extension(".tiktoken");
    if (there.size() > 1)
      throw ifb::failure(
          IFB_E_CONFIG, files.source() + " has several .tiktoken files; give the one that is meant",
          files.option());
    if (!there.empty())
      if (auto text = files.read(there.front())) return {there.front(), *std::move(text)};
  }
  for (const char* usual : usual_names) {
    const std::string name = files.given_or(usual);
    if (auto text = files.read(name)) return {name, *std::move(text)};
  }
  throw ifb::failure(IFB_E_CONFIG,
                     files.missing("tiktoken.model") +
                         ", no qwen.tiktoken and no other .tiktoken file; the file itself can be "
                         "given as --tokenizer",
                     files.option());
}

/// Returns the encoding, if it is known, and the pattern.
std::pair<const encoding*, std::string> choose(const std::string& given, const std::string& file,
                                               std::size_t tokens) {
  if (!given.empty()) {
    const encoding* named = find_encoding(given);
    return {named, named != nullptr ? std::string(named->pattern) : given};
  }
  const encoding* guess = guess_encoding(file, tokens);
  if (guess != nullptr) return {guess, std::string(guess->pattern)};
  throw ifb::failure(IFB_E_CONFIG,
                     file + ", of " + std::to_string(tokens) +
                         " tokens, is of no encoding that is known, and does not say what texts "
                         "are cut with; give pattern, a regular expression or one of " +
                         encoding_names(),
                     "pattern");
}

}  // namespace

tokenizer::parts tokenizer::load(ifb::host host, const options& chosen) {
  model_files::file_set files =
      model_files::open_model(host, chosen, "a .tiktoken file, a folder or a name on Hugging Face");
  const auto [file, text] = read_ranks(files);
  ranks base(text, file);
  const auto [known, pattern] = choose(chosen.pattern, file, base.size());
  files.decide("pattern", pattern);
  files.decide("encoding", known != nullptr ? known->name : "");
  const auto config = model_files::read_model_config(files);
  special_tokens special(config, known, base);
  model_files::chat_templates chats = model_files::read_chat_templates(files, config, chosen);
  const auto ids_of = [&](std::optional<bool> wanted, const char* role) {
    std::vector<std::uint32_t> out;
    const auto number = special.id_of(config.token(role));
    if (wanted.value_or(false) && number) out.push_back(*number);
    return out;
  };
  auto bos = ids_of(config.add_bos_token, "bos_token");
  auto eos = ids_of(config.add_eos_token, "eos_token");
  return {std::move(base),  std::move(special), regex(pattern, dialect::rust),
          std::move(chats), std::move(bos),     std::move(eos),
          files.source(),   files.digest()};
}

void tokenizer::append(std::string_view given, std::vector<std::uint32_t>& ids) const {
  std::string repaired;
  if (valid_prefix(given) < given.size()) {
    append_valid(repaired, given);
    given = repaired;
  }
  parts_.special.cut(given, [&](const special_tokens::section& it) {
    if (it.id != nullptr) {
      ids.push_back(*it.id);
      return;
    }
    // Like in the original library, text that no match covers has no tokens.
    for (std::size_t at = 0; at <= it.text.size();) {
      const auto found = parts_.pattern.find(it.text, at);
      if (!found) break;
      parts_.base.encode(it.text.substr(found->begin, found->end - found->begin), ids);
      at = found->end;
      if (found->end == found->begin)
        at += at < it.text.size() ? character_at(it.text, at).size : 1;
    }
  });
}

std::vector<std::uint32_t> tokenizer::encode(std::string_view text, std::uint32_t flags) const {
  std::vector<std::uint32_t> ids;
  const bool special = (flags & IFB_ENCODE_SPECIAL) != 0;
  if (special) ids = parts_.bos;
  append(text, ids);
  if (special) ids.insert(ids.end(), parts_.eos.begin(), parts_.eos.end());
  return ids;
}

std::uint64_t tokenizer::count(std::string_view text, std::uint32_t flags) const {
  return encode(text, flags).size();
}

std::string tokenizer::decode(std::span<const std::uint32_t> ids, std::uint32_t flags) const {
  const bool skip = (flags & IFB_DECODE_SKIP_SPECIAL) != 0;
  std::string bytes;
  for (const std::uint32_t number : ids) {
    if (const auto* special = parts_.special.find(number)) {
      if (!skip || !special->special) bytes += special->content;
    } else if (const auto token = parts_.base.bytes_of(number)) {
      bytes += *token;
    }
  }
  if (valid_prefix(bytes) == bytes.size()) return bytes;
  std::string text;
  append_valid(text, bytes);
  return text;
}

std::string tokenizer::render(std::string_view chat) const { return parts_.chats.render(chat); }

ifb_vocabulary tokenizer::vocabulary() const {
  ifb_vocabulary out{};
  out.struct_size = sizeof out;
  out.added = static_cast<std::uint32_t>(parts_.bos.size() + parts_.eos.size());
  out.size = parts_.base.size();
  out.total_size = parts_.base.size() + parts_.special.beyond();
  out.special_ids = parts_.special.ids().data();
  out.special_id_count = parts_.special.ids().size();
  out.skipped_ids = out.special_ids;
  out.skipped_id_count = out.special_id_count;
  out.source = parts_.source.c_str();
  out.digest = parts_.digest.c_str();
  return out;
}

}  // namespace tokenizers::tiktoken
