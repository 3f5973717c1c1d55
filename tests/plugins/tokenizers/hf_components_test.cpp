// Compares single normalizers, pre-tokenizers and decoders with the reference.
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "plugins/tokenizers/hf_files.hpp"
#include "tokenizers/common/node.hpp"
#include "tokenizers/common/utf8.hpp"
#include "tokenizers/hf/decoder.hpp"
#include "tokenizers/hf/draft.hpp"
#include "tokenizers/hf/normalizer.hpp"
#include "tokenizers/hf/pre_tokenizer.hpp"

namespace {

using hf_test::text_of;

const std::string& t5_charsmap() {
  static const std::string text = [] {
    rapidjson::Document t5;
    t5.Parse(hf_test::unzip(hf_test::fixture("t5/tokenizer.json.gz")).c_str());
    return std::string(text_of(t5["normalizer"]["precompiled_charsmap"]));
  }();
  return text;
}

/// The text of a config. The name "@t5" is replaced by the long table that it stands for.
std::string config_text(const rapidjson::Value& config) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  config.Accept(writer);
  std::string out(buffer.GetString(), buffer.GetSize());
  if (const auto at = out.find("\"@t5\""); at != std::string::npos)
    out.replace(at, 5, '"' + t5_charsmap() + '"');
  return out;
}

using cut = std::tuple<std::string, std::size_t, std::size_t>;

/// Collects the pieces with the characters of the input that they came from.
class collector final : public tokenizers::hf::piece_sink {
 public:
  explicit collector(std::string_view input) : input_(input) {}
  void take(const tokenizers::hf::piece& it) override {
    ASSERT_FALSE(it.text.empty());
    cuts.emplace_back(
        std::string(it.text), tokenizers::count_characters(input_.substr(0, it.from[0].begin)),
        tokenizers::count_characters(input_.substr(0, it.from[it.text.size() - 1].end)));
  }
  std::vector<cut> cuts;

 private:
  std::string_view input_;
};

std::vector<cut> cuts_of(const tokenizers::hf::pre_tokenizer& it, std::string_view input) {
  std::vector<tokenizers::hf::extent> from;
  for (std::size_t i = 0; i < input.size();) {
    const std::size_t size = tokenizers::character_at(input, i).size;
    from.insert(from.end(), size, {i, i + size});
    i += size;
  }
  collector out(input);
  if (!input.empty()) it.cut({input, tokenizers::character_at(input, 0).size, from.data()}, out);
  return out.cuts;
}

TEST(components, do_as_the_reference_does) {
  std::size_t kinds[3] = {0, 0, 0};
  hf_test::for_each_line(hf_test::fixture("components.jsonl"), [&](const auto& row) {
    SCOPED_TRACE(text_of(row["id"]));
    std::string text = config_text(row["config"]);
    SCOPED_TRACE(text.substr(0, 200));
    rapidjson::Document config;
    tokenizers::parse_json(text, config, "config");
    const tokenizers::node root(config, "config");
    const std::string_view kind = text_of(row["kind"]);
    if (kind == "normalizer") {
      ++kinds[0];
      tokenizers::hf::draft made(text_of(row["input"]), 0);
      tokenizers::hf::read_normalizer(root)->apply(made);
      EXPECT_EQ(made.text(), text_of(row["output"]));
    } else if (kind == "pre_tokenizer") {
      ++kinds[1];
      std::vector<cut> expected;
      for (const auto& it : row["output"].GetArray())
        expected.emplace_back(std::string(text_of(it[0])), it[1].GetUint(), it[2].GetUint());
      EXPECT_EQ(cuts_of(*tokenizers::hf::read_pre_tokenizer(root, tokenizers::hf::alphabet::text),
                        text_of(row["input"])),
                expected);
    } else {
      ++kinds[2];
      tokenizers::hf::token_list tokens;
      for (const auto& it : row["input"].GetArray())
        tokens.add(text_of(it));
      tokenizers::hf::token_list made;
      tokenizers::hf::read_decoder(root)->decode(tokens, made);
      EXPECT_EQ(made.text(), text_of(row["output"]));
    }
  });
  for (const std::size_t count : kinds)
    EXPECT_GT(count, 50U);
}

}  // namespace
