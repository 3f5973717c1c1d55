#include "normalizer.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "normalizer_steps.hpp"

namespace tokenizers::hf {

namespace {

class normalizer_sequence final : public normalizer {
 public:
  explicit normalizer_sequence(std::vector<normalizer_ptr> steps) : steps_(std::move(steps)) {}

  void apply(draft& text) const override {
    for (const auto& step : steps_)
      step->apply(text);
  }

 private:
  std::vector<normalizer_ptr> steps_;
};

class into_normal_form final : public normalizer {
 public:
  explicit into_normal_form(normal_form form) : form_(form) {}

  void apply(draft& text) const override {
    const std::string_view before = text.text();
    const std::size_t same = prefix_in_form(form_, before);
    if (same == before.size()) return;
    std::string& after = text.next();
    after.reserve(before.size() + before.size() / 8);
    after += before.substr(0, same);
    append_in_form(after, form_, before.substr(same));
    std::size_t lead = text.lead();
    if (lead > same) {
      std::string start;
      append_in_form(start, form_, before.substr(0, lead));
      lead = start.size();
    }
    text.take_next(lead);
  }

 private:
  normal_form form_;
};

}  // namespace

normalizer_ptr make_normal_form(normal_form form) {
  return std::make_unique<into_normal_form>(form);
}

normalizer_ptr make_sequence(std::vector<normalizer_ptr> steps) {
  return std::make_unique<normalizer_sequence>(std::move(steps));
}

std::unique_ptr<normalizer> read_normalizer(const node& from) {
  const node type = from.at("type");
  const std::string_view is = type.text();
  if (is == "Sequence") {
    const node list = from.at("normalizers");
    std::vector<normalizer_ptr> steps;
    for (std::size_t i = 0; i < list.size(); ++i)
      steps.push_back(read_normalizer(list.at(i)));
    return make_sequence(std::move(steps));
  }
  if (is == "NFC") return make_normal_form(normal_form::nfc);
  if (is == "NFD") return make_normal_form(normal_form::nfd);
  if (is == "NFKC") return make_normal_form(normal_form::nfkc);
  if (is == "NFKD") return make_normal_form(normal_form::nfkd);
  if (is == "Lowercase") return make_lowercase();
  if (is == "StripAccents") return make_strip_accents();
  if (is == "Nmt") return make_nmt();
  if (is == "BertNormalizer") return read_bert_normalizer(from);
  if (is == "Strip") return read_strip(from);
  if (is == "Prepend") return read_prepend(from);
  if (is == "Replace") return read_replace(from);
  if (is == "ByteLevel") return make_byte_level_normalizer();
  if (is == "Precompiled") return read_precompiled(from);
  type.fail("there is no normalizer \"" + std::string(is) + "\"");
}

}  // namespace tokenizers::hf
