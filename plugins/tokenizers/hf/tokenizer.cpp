#include "tokenizer.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <rapidjson/document.h>

#include <inferbench/guard.hpp>

#include "byte_vocabulary.hpp"
#include "decoder.hpp"
#include "draft.hpp"
#include "limits.hpp"
#include "model.hpp"
#include "normalizer.hpp"
#include "piece.hpp"
#include "post_processor.hpp"
#include "pre_tokenizer.hpp"
#include "tokenizers/common/node.hpp"
#include "tokenizers/common/utf8.hpp"

namespace tokenizers::hf {

namespace {

/// Returns alphabet::bytes for byte-level BPE, which nearly all models use: pieces can stay raw
/// bytes.
alphabet alphabet_for(const node& model, const std::optional<node>& pre_tokenizer) {
  if (!pre_tokenizer || !ends_in_bytes(*pre_tokenizer)) return alphabet::text;
  const std::string_view type =
      model.text("type", model.find("merges") ? std::string_view("BPE") : std::string_view());
  const bool plain = type == "BPE" && model.text("continuing_subword_prefix", "").empty() &&
                     model.text("end_of_word_suffix", "").empty() &&
                     !model.boolean("byte_fallback", false);
  return plain ? alphabet::bytes : alphabet::text;
}

/// Returns the highest id in the vocabulary; nullopt if the vocabulary is empty.
std::optional<std::uint32_t> highest_id(const node& vocabulary) {
  const rapidjson::Value& value = vocabulary.value();
  if (value.IsArray()) {
    if (value.Empty()) return std::nullopt;
    return value.Size() - 1;
  }
  std::optional<std::uint32_t> highest;
  for (const auto& member : value.GetObject()) {
    if (member.value.IsUint()) highest = std::max(highest.value_or(0), member.value.GetUint());
  }
  return highest;
}

class into_model final : public piece_sink {
 public:
  /// `ends` may be null.
  into_model(const model& to, std::vector<std::uint32_t>& ids, std::vector<std::size_t>* ends)
      : model_(to), ids_(ids), ends_(ends) {}
  void take(const piece& it) override {
    model_.encode(it.text, ids_);
    if (ends_ != nullptr) ends_->push_back(ids_.size());
  }
  void take_token(std::uint32_t id) {
    ids_.push_back(id);
    if (ends_ != nullptr) ends_->push_back(ids_.size());
  }

 private:
  const model& model_;
  std::vector<std::uint32_t>& ids_;
  std::vector<std::size_t>* ends_;
};

/// Passes many pieces at a time to the model. The pieces must live until finish().
class many_into_model final : public piece_sink {
 public:
  many_into_model(const model& to, std::vector<std::uint32_t>& ids) : model_(to), ids_(ids) {}
  void take(const piece& it) override {
    pieces_[count_] = it.text;
    if (++count_ == pieces_.size()) finish();
  }
  void finish() {
    model_.encode_all(std::span(pieces_).first(count_), ids_);
    count_ = 0;
  }

 private:
  const model& model_;
  std::vector<std::uint32_t>& ids_;
  std::array<std::string_view, 64> pieces_;
  std::size_t count_ = 0;
};

}  // namespace

struct tokenizer::parts {
  std::unique_ptr<normalizer> normal;
  std::unique_ptr<pre_tokenizer> pre;
  std::unique_ptr<hf::model> model;
  added_tokens added;
  post_processor post;
  std::unique_ptr<decoder> decode;
  std::optional<truncation> cut;
  std::optional<padding> fill;
  std::uint32_t max_id = 0;

  bool pre_only_cuts = false;  // the pieces live as long as the text
  // set for the decoder ByteLevel, which needs nothing else
  const byte_vocabulary* bytes = nullptr;

  parts(std::string json, const additions& on_top);
  /// Must be called after the constructor, which frees the document.
  void finish();

  /// Appends the ids of a text, without the special tokens of the post-processor. `ends`, if not
  /// null, receives the number of ids after each piece.
  void encode(std::string_view text, std::vector<std::uint32_t>& ids,
              std::vector<std::size_t>* ends = nullptr) const;
  [[nodiscard]] encoding assemble(std::string_view text, const std::string_view* pair,
                                  bool add_special) const;
  void pad(encoding& it) const;
  [[nodiscard]] std::string decode_bytes(std::span<const std::uint32_t> ids,
                                         bool skip_special) const;

 private:
  void read(const node& root, const additions& on_top);
  void take_limits(const node& root, bool apply);
  [[nodiscard]] std::optional<std::uint32_t> id_of_end(const std::string& token,
                                                       std::string_view which) const;
};

tokenizer::parts::parts(std::string json, const additions& on_top) {
  rapidjson::Document document;
  parse_json(json, document, "tokenizer.json");
  const node root(document, "tokenizer.json");
  read(root, on_top);
}

void tokenizer::parts::finish() {
  model->finish();
  pre_only_cuts = pre != nullptr && pre->only_cuts();
  if (decode != nullptr && decode->is_byte_level()) bytes = model->bytes();
}

void tokenizer::parts::read(const node& root, const additions& on_top) {
  if (const auto version = root.find("version"); version && version->text() != "1.0")
    version->fail("expected \"1.0\"");
  const node model_node = root.at("model");
  const auto pre_node = root.find("pre_tokenizer");
  const alphabet pieces = alphabet_for(model_node, pre_node);
  if (const auto it = root.find("normalizer")) normal = read_normalizer(*it);
  if (pre_node) pre = read_pre_tokenizer(*pre_node, pieces);
  if (const auto it = root.find("decoder")) decode = read_decoder(*it);
  model = read_model(model_node, pieces);
  max_id = highest_id(model_node.at("vocab")).value_or(0);

  if (const auto list = root.find("added_tokens"))
    for (std::size_t i = 0; i < list->size(); ++i)
      added.add(read_added_token(list->at(i)), *model);
  for (const added_token& it : on_top.tokens)
    added.add(it, *model);
  added.build(normal.get());
  max_id = std::max(max_id, added.max_id().value_or(0));

  if (const auto& ends = on_top.instead_of_post_processor)
    post = post_processor(id_of_end(ends->bos, "bos_token"), id_of_end(ends->eos, "eos_token"));
  else if (const auto it = root.find("post_processor"))
    post = post_processor(*it);
  take_limits(root, on_top.apply_limits);
}

void tokenizer::parts::take_limits(const node& root, bool apply) {
  if (const auto it = root.find("truncation")) {
    const truncation read = read_truncation(*it);
    if (apply) cut = read;
  }
  if (const auto it = root.find("padding")) {
    const padding read = read_padding(*it);
    if (apply) fill = read;
  }
}

std::optional<std::uint32_t> tokenizer::parts::id_of_end(const std::string& token,
                                                         std::string_view which) const {
  if (token.empty()) return std::nullopt;
  auto id = added.id_of(token);
  if (!id) id = model->id_of(token);
  if (!id)
    throw ifb::failure(IFB_E_CONFIG,
                       "the " + std::string(which) + " \"" + token + "\" is not in tokenizer.json");
  return id;
}

void tokenizer::parts::encode(std::string_view text, std::vector<std::uint32_t>& ids,
                              std::vector<std::size_t>* ends) const {
  std::string repaired;
  if (valid_prefix(text) != text.size()) {
    append_valid(repaired, text);
    text = repaired;
  }
  into_model sink(*model, ids, ends);
  const auto take_normalized = [&](const draft& normalized) {
    added.cut_normalized(normalized.text(), [&](const section& it) {
      if (it.id) {
        sink.take_token(*it.id);
        return;
      }
      const piece whole{it.text, normalized.lead() - std::min(normalized.lead(), it.begin)};
      if (pre == nullptr) return sink.take(whole);
      if (!pre_only_cuts || ends != nullptr) return pre->cut(whole, sink);
      many_into_model many(*model, ids);
      pre->cut(whole, many);
      many.finish();
    });
  };
  added.cut_raw(text, [&](const section& it) {
    if (it.id) {
      sink.take_token(*it.id);
      return;
    }
    draft changed(it.text, it.begin == 0 ? character_at(it.text, 0).size : 0);
    if (normal != nullptr) normal->apply(changed);
    take_normalized(changed);
  });
}

encoding tokenizer::parts::assemble(std::string_view text, const std::string_view* pair,
                                    bool add_special) const {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> second;
  std::vector<std::size_t> first_ends;
  std::vector<std::size_t> second_ends;
  encode(text, first, cut ? &first_ends : nullptr);
  if (pair != nullptr) encode(*pair, second, cut ? &second_ends : nullptr);
  if (cut) {
    if (cut->how != truncation::strategy::only_second) cut->cut_early(first, first_ends);
    cut->cut_early(second, second_ends);
    const std::size_t taken = add_special ? post.added(pair != nullptr) : 0;
    if (taken <= cut->max_length)
      cut->apply(first, pair == nullptr ? nullptr : &second, cut->max_length - taken);
  }
  encoding out;
  for (const slot& it : pair == nullptr ? post.single(add_special) : post.pair(add_special)) {
    const bool special = it.what == slot::holds::special;
    const auto& ids = special ? it.ids : it.what == slot::holds::first ? first : second;
    out.ids.insert(out.ids.end(), ids.begin(), ids.end());
    out.type_ids.insert(out.type_ids.end(), ids.size(), it.type_id);
    out.special_tokens_mask.insert(out.special_tokens_mask.end(), ids.size(), it.masked ? 1 : 0);
  }
  out.attention_mask.assign(out.ids.size(), 1);
  if (fill) pad(out);
  return out;
}

void tokenizer::parts::pad(encoding& it) const {
  const std::size_t missing = fill->length_for(it.ids.size()) - it.ids.size();
  const auto put = [&](auto& to, auto what) {
    to.insert(fill->on_left ? to.begin() : to.end(), missing, what);
  };
  put(it.ids, fill->id);
  put(it.type_ids, fill->type_id);
  put(it.attention_mask, std::uint8_t{0});
  put(it.special_tokens_mask, std::uint8_t{1});
}

tokenizer::tokenizer(std::string json, const additions& on_top)
    : parts_([&] {
        auto out = std::make_unique<parts>(std::move(json), on_top);
        out->finish();
        return out;
      }()) {}
tokenizer::~tokenizer() = default;
tokenizer::tokenizer(tokenizer&&) noexcept = default;
tokenizer& tokenizer::operator=(tokenizer&&) noexcept = default;

void tokenizer::encode(std::string_view text, bool add_special,
                       std::vector<std::uint32_t>& ids) const {
  if (parts_->cut || parts_->fill) {
    const encoding whole = parts_->assemble(text, nullptr, add_special);
    ids.insert(ids.end(), whole.ids.begin(), whole.ids.end());
    return;
  }
  for (const slot& it : parts_->post.single(add_special)) {
    if (it.what == slot::holds::first)
      parts_->encode(text, ids);
    else
      ids.insert(ids.end(), it.ids.begin(), it.ids.end());
  }
}

std::vector<std::uint32_t> tokenizer::encode(std::string_view text, bool add_special) const {
  std::vector<std::uint32_t> ids;
  ids.reserve(text.size() / 4 + 8);  // about the number of ids of an English text
  encode(text, add_special, ids);
  return ids;
}

encoding tokenizer::encode_pair(std::string_view text, std::string_view pair,
                                bool add_special) const {
  return parts_->assemble(text, &pair, add_special);
}

std::size_t tokenizer::count(std::string_view text, bool add_special) const {
  return encode(text, add_special).size();
}

std::string tokenizer::parts::decode_bytes(std::span<const std::uint32_t> ids,
                                           bool skip_special) const {
  const auto for_each = [&](auto&& take_added, auto&& take) {
    for (const std::uint32_t id : ids) {
      const auto* const it = added.spelling_of(id);
      if (it == nullptr)
        take(bytes->bytes_of(id));
      else if (!skip_special || !it->special)
        take_added(std::string_view(it->bytes));
    }
  };
  std::size_t size = 0;
  const auto measure = [&](std::string_view it) { size += it.size(); };
  for_each(measure, measure);
  byte_text out(size);
  for_each([&](std::string_view it) { out.add(it); },
           [&](std::string_view it) { out.add_padded(it); });
  return std::move(out).take();
}

std::string tokenizer::decode(std::span<const std::uint32_t> ids, bool skip_special) const {
  if (parts_->bytes != nullptr) return parts_->decode_bytes(ids, skip_special);
  token_list tokens;
  tokens.reserve(ids.size(), 6 * ids.size());
  const bool spaced = parts_->decode == nullptr;
  for (const std::uint32_t id : ids) {
    const auto* const added = parts_->added.spelling_of(id);
    if (added != nullptr && skip_special && added->special) continue;
    const auto token = added != nullptr ? std::optional<std::string_view>(added->text)
                                        : parts_->model->token_of(id);
    if (!token) continue;
    if (spaced && tokens.size() > 0) tokens.open() += ' ';
    tokens.add(*token);
  }
  if (spaced) return std::move(tokens).take_text();
  token_list text;
  parts_->decode->decode(tokens, text);
  return std::move(text).take_text();
}

std::size_t tokenizer::size() const { return parts_->model->size(); }

std::size_t tokenizer::total_size() const {
  return parts_->model->size() + parts_->added.beyond_vocabulary();
}

std::uint32_t tokenizer::max_id() const { return parts_->max_id; }

std::span<const std::uint32_t> tokenizer::special_ids() const {
  return parts_->added.special_ids();
}

std::vector<std::uint32_t> tokenizer::ids_of_empty_text() const {
  std::vector<std::uint32_t> ids;
  for (const slot& it : parts_->post.single(true))
    ids.insert(ids.end(), it.ids.begin(), it.ids.end());
  return ids;
}

std::optional<std::uint32_t> tokenizer::id_of(std::string_view token) const {
  if (const auto id = parts_->added.id_of(token)) return id;
  return parts_->model->id_of(token);
}

std::optional<std::string_view> tokenizer::token_of(std::uint32_t id) const {
  if (const auto* const added = parts_->added.spelling_of(id)) return added->text;
  return parts_->model->token_of(id);
}

}  // namespace tokenizers::hf
