#include "pieces.hpp"

#include <algorithm>

#include <sentencepiece_processor.h>

#include <inferbench/guard.hpp>

namespace tokenizers::spm {

namespace {

/// If a field occurs twice in a serialized protobuf message, the second value is merged into the
/// first. These bytes set ModelProto.normalizer_spec.add_dummy_prefix to false.
constexpr std::string_view no_prefix{"\x1A\x02\x18\x00", 4};

void check(const sentencepiece::util::Status& status, const char* what) {
  if (!status.ok())
    throw ifb::failure(IFB_E_INTERNAL,
                       std::string("SentencePiece cannot ") + what + ": " + status.message());
}

/// Returns whether `text` is a .tiktoken file: its first line is a token in base64, a space and a
/// number.
bool are_ranks(std::string_view text) {
  constexpr std::size_t most = 200;
  const std::string_view line = text.substr(0, std::min(text.find('\n'), most));
  const auto space = line.find(' ');
  if (space == line.npos || space == 0 || space + 1 == line.size()) return false;
  const auto base64 = [](char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
           c == '/' || c == '=';
  };
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return std::ranges::all_of(line.substr(0, space), base64) &&
         std::ranges::all_of(line.substr(space + 1), digit);
}

}  // namespace

pieces::pieces(std::string model, bool prefix, const std::string& file)
    : library_(std::make_unique<sentencepiece::SentencePieceProcessor>()) {
  if (!prefix) model += no_prefix;
  const auto status = library_->LoadFromSerializedProto(model);
  if (!status.ok() || library_->GetPieceSize() <= 0) {
    if (are_ranks(model))
      throw ifb::failure(
          IFB_E_UNSUPPORTED,
          file + " holds ranks of tiktoken, which the tokenizer mode tiktoken reads");
    throw ifb::failure(IFB_E_CONFIG,
                       file + " is not a SentencePiece model or is damaged; fetch it again");
  }
  size_ = static_cast<std::uint32_t>(library_->GetPieceSize());
}

pieces::~pieces() = default;
pieces::pieces(pieces&&) noexcept = default;
pieces& pieces::operator=(pieces&&) noexcept = default;

void pieces::encode(std::string_view text, std::vector<std::uint32_t>& ids) const {
  std::vector<int> made;
  check(library_->Encode(text, &made), "encode a text");
  ids.insert(ids.end(), made.begin(), made.end());
}

std::string pieces::decode(const std::vector<std::string>& spelled) const {
  std::string text;
  if (!spelled.empty()) check(library_->Decode(spelled, &text), "decode tokens");
  return text;
}

std::optional<std::uint32_t> pieces::id_of(std::string_view piece) const {
  const int id = library_->PieceToId(piece);
  if (id < 0 || static_cast<std::uint32_t>(id) >= size_ || library_->IdToPiece(id) != piece)
    return std::nullopt;
  return static_cast<std::uint32_t>(id);
}

const std::string& pieces::piece(std::uint32_t id) const {
  return library_->IdToPiece(static_cast<int>(id));
}

std::string pieces::piece_or_empty(int id) const {
  if (id < 0 || static_cast<std::uint32_t>(id) >= size_) return {};
  return library_->IdToPiece(id);
}

std::string pieces::unknown() const { return piece_or_empty(library_->unk_id()); }
std::string pieces::begin() const { return piece_or_empty(library_->bos_id()); }
std::string pieces::end() const { return piece_or_empty(library_->eos_id()); }

}  // namespace tokenizers::spm
