#include "model.hpp"

#include <string>
#include <utility>

#include "bpe.hpp"
#include "byte_alphabet.hpp"
#include "unigram.hpp"
#include "word_level.hpp"
#include "wordpiece.hpp"

namespace tokenizers::hf {

namespace {

/// Spells bytes as text, for a model that accepts only text.
class spelling_model final : public model {
 public:
  explicit spelling_model(std::unique_ptr<model> inner) : inner_(std::move(inner)) {}

  void encode(std::string_view piece, std::vector<std::uint32_t>& ids) const override {
    std::string text;
    for (const char c : piece) {
      const byte_spelling& to = spell(static_cast<unsigned char>(c));
      text.append(to.text, to.size);
    }
    inner_->encode(text, ids);
  }
  [[nodiscard]] std::optional<std::uint32_t> id_of(std::string_view token) const override {
    return inner_->id_of(token);
  }
  [[nodiscard]] std::optional<std::string_view> token_of(std::uint32_t id) const override {
    return inner_->token_of(id);
  }
  [[nodiscard]] std::size_t size() const override { return inner_->size(); }
  void finish() override { inner_->finish(); }

 private:
  std::unique_ptr<model> inner_;
};

/// Returns the model's type. In old files it follows from the members.
std::string_view type_of(const node& from) {
  if (const auto type = from.find("type")) return type->text();
  if (from.find("merges")) return "BPE";
  if (from.at("vocab").value().IsArray()) return "Unigram";
  if (from.find("max_input_chars_per_word")) return "WordPiece";
  return "WordLevel";
}

}  // namespace

std::unique_ptr<model> read_model(const node& from, alphabet pieces) {
  const std::string_view type = type_of(from);
  std::unique_ptr<model> out;
  if (type == "BPE") return std::make_unique<bpe>(from, pieces);
  if (type == "WordPiece")
    out = std::make_unique<wordpiece>(from);
  else if (type == "Unigram")
    out = std::make_unique<unigram>(from);
  else if (type == "WordLevel")
    out = std::make_unique<word_level>(from);
  else
    from.at("type").fail("no model \"" + std::string(type) +
                         "\"; there are BPE, WordPiece, Unigram and WordLevel");
  if (pieces == alphabet::bytes) return std::make_unique<spelling_model>(std::move(out));
  return out;
}

}  // namespace tokenizers::hf
