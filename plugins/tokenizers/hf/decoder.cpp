#include "decoder.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "decoder_steps.hpp"

namespace tokenizers::hf {

namespace {

class decoder_sequence final : public decoder {
 public:
  explicit decoder_sequence(std::vector<decoder_ptr> steps) : steps_(std::move(steps)) {}

  void decode(const token_list& from, token_list& to) const override {
    to = from;
    token_list before;
    for (const auto& step : steps_) {
      std::swap(before, to);
      to.clear();
      to.reserve(before.size(), before.text().size());
      step->decode(before, to);
    }
  }

 private:
  std::vector<decoder_ptr> steps_;
};

}  // namespace

std::unique_ptr<decoder> read_decoder(const node& from) {
  const node type = from.at("type");
  const std::string_view is = type.text();
  if (is == "Sequence") {
    const node list = from.at("decoders");
    std::vector<decoder_ptr> steps;
    for (std::size_t i = 0; i < list.size(); ++i)
      steps.push_back(read_decoder(list.at(i)));
    return std::make_unique<decoder_sequence>(std::move(steps));
  }
  if (is == "ByteLevel") return make_byte_level_decoder();
  if (is == "ByteFallback") return make_byte_fallback_decoder();
  if (is == "Metaspace") return read_metaspace_decoder(from);
  if (is == "WordPiece") return read_word_piece_decoder(from);
  if (is == "BPEDecoder") return read_bpe_decoder(from);
  if (is == "CTC") return read_ctc_decoder(from);
  if (is == "Strip") return read_strip_decoder(from);
  if (is == "Replace") return read_replace_decoder(from);
  if (is == "Fuse") return make_fuse_decoder();
  type.fail("there is no decoder \"" + std::string(is) + "\"");
}

}  // namespace tokenizers::hf
