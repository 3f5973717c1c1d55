// Tests JSON bodies of requests: the cases are tests/fixtures/backends/*_bodies.json and
// *_refusals.json.
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/codec_box.hpp"
#include "plugins/backends/options_of.hpp"
#include "plugins/backends/sample_of.hpp"

namespace backends {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++n;
  return n;
}

class openai_bodies : public testing::TestWithParam<const char*> {};

TEST_P(openai_bodies, are_equal_to_the_fixtures_in_the_same_order) {
  const auto cases = fixture((std::string(GetParam()) + "_bodies.json").c_str());
  ASSERT_GT(cases.Size(), 5U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    codec_box box(c["backend"].GetString(), options_of(c));
    const sample_of made(c["sample"]);
    ASSERT_EQ(box.open(made.sample), IFB_OK) << box.error.message;
    const std::string body = box.body();
    if (c.HasMember("text"))
      EXPECT_EQ(body, c["text"].GetString());
    else
      EXPECT_EQ(to_text(parse(body)), to_text(c["body"]));
  }
}

TEST_P(openai_bodies, are_refused_for_prompts_that_the_protocol_cannot_carry) {
  const auto cases = fixture((std::string(GetParam()) + "_refusals.json").c_str());
  ASSERT_GT(cases.Size(), 5U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(to_text(c));
    codec_box box(c["backend"].GetString(), options_of(c));
    const sample_of made(c["sample"]);
    EXPECT_EQ(box.open(made.sample), c["code"].GetInt());
    EXPECT_EQ(box.error.code, c["code"].GetInt());
    EXPECT_THAT(box.error.message, testing::HasSubstr(c["message"].GetString()));
  }
}

INSTANTIATE_TEST_SUITE_P(backends, openai_bodies, testing::Values("openai", "responses", "pooling"),
                         [](const auto& each) { return std::string(each.param); });

TEST(openai_body, goes_by_post_to_the_endpoint_as_json) {
  codec_box box("openai", {{"endpoint", "/proxy/v1/completions"}});
  box.open_any();
  EXPECT_THAT(box.body(), testing::StartsWith("{\"model\":\"m\",\"prompt\":\"hello\","));
  EXPECT_EQ(ifb::view(box.last.method), "POST");
  EXPECT_EQ(ifb::view(box.last.target), "/proxy/v1/completions");
  ASSERT_EQ(box.last.header_count, 1U);
  EXPECT_EQ(ifb::view(box.last.headers[0].name), "Content-Type");
  EXPECT_EQ(ifb::view(box.last.headers[0].value), "application/json");
}

TEST(openai_body, of_a_sample_with_overrides_keeps_long_texts_of_the_layout) {
  const std::string text(5'000, 'x');
  codec_box box("openai", {{"extra-body", "{\"long\":\"" + text + "\"}"}});
  const ifb_part part = ifb::text_part("hello");
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  sample.overrides = ifb::str(R"({"a":1})");
  ASSERT_EQ(box.open(sample), IFB_OK);
  const auto body = parse(box.body());
  EXPECT_EQ(body["long"].GetString(), text);
  EXPECT_EQ(body["a"].GetInt(), 1);
}

TEST(openai_body, asked_for_twice_is_the_same) {
  codec_box box("openai-chat", {});
  box.open_any();
  const std::string first = box.body();
  EXPECT_EQ(box.body(), first);
}

TEST(openai_body, of_a_short_prompt_is_one_piece) {
  codec_box box("openai", {});
  box.open_any();
  box.body();
  EXPECT_EQ(box.last.body_count, 1U);
}

TEST(openai_body, points_to_a_long_prompt_that_needs_no_escape) {
  const std::string text(100'000, 'a');
  const ifb_part part = ifb::text_part(text);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  codec_box box("openai", {});
  ASSERT_EQ(box.open(sample), IFB_OK);
  EXPECT_EQ(occurrences(box.body(), text), 1U);
  bool referred = false;
  for (std::size_t i = 0; i < box.last.body_count; ++i)
    referred |= box.last.body[i].data == text.data();
  EXPECT_TRUE(referred);
}

TEST(openai_body, of_a_long_prompt_that_needs_escapes_reads_back_as_the_prompt) {
  std::string text;
  for (int i = 0; i < 50'000; ++i)
    text += "\"\\\n\x01 \xC3\xA9";
  const ifb_part part = ifb::text_part(text);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  codec_box box("openai", {});
  ASSERT_EQ(box.open(sample), IFB_OK);
  const auto body = parse(box.body());
  EXPECT_EQ(std::string(body["prompt"].GetString(), body["prompt"].GetStringLength()), text);
}

TEST(openai_body, is_valid_whatever_bytes_the_prompt_has) {
  codec_box box("openai", {});
  const std::string bad[] = {std::string("a\0b", 3), "\xFF",     "\xF0\x9F\x98",     "a\xC3",
                             "\xED\xA0\x80",         "\xC0\x80", "\xF4\x90\x80\x80", "\x7F",
                             "ok \xE4\xB8\xAD \x80"};
  const std::string good[] = {std::string("a\0b", 3),
                              "\uFFFD",
                              "\uFFFD",
                              "a\uFFFD",
                              "\uFFFD\uFFFD\uFFFD",
                              "\uFFFD\uFFFD",
                              "\uFFFD\uFFFD\uFFFD\uFFFD",
                              "\x7F",
                              "ok \u4E2D \uFFFD"};
  for (std::size_t i = 0; i < std::size(bad); ++i) {
    const ifb_part part = ifb::text_part(bad[i]);
    ifb_sample sample = ifb::blank_sample();
    sample.shape = IFB_PROMPT_TEXT;
    sample.prompt = ifb::list_of({&part, 1});
    ASSERT_EQ(box.open(sample), IFB_OK);
    const auto body = parse(box.body());
    EXPECT_EQ(std::string(body["prompt"].GetString(), body["prompt"].GetStringLength()), good[i])
        << i;
  }
}

TEST(openai_body, of_100000_token_ids_has_them_all) {
  std::vector<std::uint32_t> ids(100'000);
  for (std::uint32_t i = 0; i < ids.size(); ++i)
    ids[i] = i * 40'000U;
  ifb_part part = ifb::text_part({});
  part.kind = IFB_PART_TOKENS;
  part.data = {ids.data(), ids.size() * sizeof ids[0]};
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TOKENS;
  sample.prompt = ifb::list_of({&part, 1});
  codec_box box("openai", {});
  ASSERT_EQ(box.open(sample), IFB_OK);
  const auto body = parse(box.body());
  std::vector<std::uint32_t> sent;
  for (const auto& id : body["prompt"].GetArray())
    sent.push_back(id.GetUint());
  EXPECT_EQ(sent, ids);
}

TEST(openai_body, walks_parts_of_a_newer_header_by_their_stride) {
  struct longer {
    ifb_part part;
    std::uint64_t more;
  };
  const longer parts[] = {{ifb::text_part("one"), 1}, {ifb::text_part("two"), 2}};
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXTS;
  sample.prompt = {&parts[0].part, 2, sizeof(longer)};
  codec_box box("openai", {});
  ASSERT_EQ(box.open(sample), IFB_OK);
  EXPECT_EQ(to_text(parse(box.body())["prompt"]), "[\"one\",\"two\"]");
}

}  // namespace
}  // namespace backends
