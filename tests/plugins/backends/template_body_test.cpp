// Tests requests made with templates: the cases are tests/fixtures/backends/template/bodies.json
// and refusals.json.
#include <map>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/sample_of.hpp"
#include "plugins/backends/template_case.hpp"

namespace backends {
namespace {

std::string text_of(const rapidjson::Value& json) {
  return {json.GetString(), json.GetStringLength()};
}

std::map<std::string, std::string> headers_of(const ifb_http_request& request) {
  std::map<std::string, std::string> out;
  for (std::size_t i = 0; i < request.header_count; ++i)
    out.emplace(ifb::view(request.headers[i].name), ifb::view(request.headers[i].value));
  return out;
}

TEST(template_bodies, are_equal_to_the_fixtures_byte_by_byte) {
  const auto cases = fixture("template/bodies.json");
  ASSERT_GT(cases.Size(), 10U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    const template_case files(c);
    codec_box box("template", files.options());
    const sample_of made(c["sample"]);
    ASSERT_EQ(box.open(made.sample), IFB_OK) << box.error.message;
    EXPECT_EQ(box.body(), text_of(c["text"]));
    EXPECT_EQ(ifb::view(box.last.target), text_of(c["target"]));
    EXPECT_EQ(ifb::view(box.last.method), c.HasMember("method") ? c["method"].GetString() : "POST");
    std::map<std::string, std::string> headers{{"Content-Type", "application/json"}};
    if (c.HasMember("headers")) {
      headers.clear();
      for (const auto& m : c["headers"].GetObject())
        headers[text_of(m.name)] = text_of(m.value);
    }
    EXPECT_EQ(headers_of(box.last), headers);
  }
}

TEST(template_bodies, are_refused_for_prompts_that_no_placeholder_carries) {
  const auto cases = fixture("template/refusals.json");
  ASSERT_GT(cases.Size(), 10U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(to_text(c));
    const template_case files(c);
    codec_box box("template", files.options());
    const sample_of made(c["sample"]);
    EXPECT_EQ(box.open(made.sample), c["code"].GetInt());
    EXPECT_THAT(box.error.message, testing::HasSubstr(c["message"].GetString()));
  }
}

TEST(template_body, points_to_a_long_prompt_that_needs_no_escape) {
  const std::string text(100'000, 'a');
  const ifb_part part = ifb::text_part(text);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  codec_box box("template", {{"file", template_case::example("tgi.toml")}});
  ASSERT_EQ(box.open(sample), IFB_OK);
  EXPECT_EQ(parse(box.body())["inputs"].GetString(), text);
  bool referred = false;
  for (std::size_t i = 0; i < box.last.body_count; ++i)
    referred |= box.last.body[i].data == text.data();
  EXPECT_TRUE(referred);
}

TEST(template_body, of_a_sample_with_overrides_keeps_long_texts_of_the_template) {
  const std::string text(5'000, 'x');
  const inferbench::support::temporary_folder folder;
  const std::string file =
      folder.write("t.toml", "[request]\npath = \"/a\"\n[request.body]\nlong = \"" + text +
                                 "\"\nb = \"{{prompt}}{{prompt}}\"\n[stream]\ntext = \"t\"\n");
  codec_box box("template", {{"file", file}});
  const std::string prompt(3'000, 'y');
  const ifb_part part = ifb::text_part(prompt);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  sample.overrides = ifb::str(R"({"a":1})");
  ASSERT_EQ(box.open(sample), IFB_OK);
  const auto body = parse(box.body());
  EXPECT_EQ(body["long"].GetString(), text);
  EXPECT_EQ(body["b"].GetString(), prompt + prompt);
  EXPECT_EQ(body["a"].GetInt(), 1);
}

TEST(template_body, is_valid_whatever_bytes_the_prompt_has) {
  const inferbench::support::temporary_folder folder;
  const std::string file = folder.write(
      "t.toml",
      "[request]\npath = \"/a\"\n[request.body]\na = \"{{prompt}}\"\nb = \"<{{prompt}}>\"\n"
      "[stream]\ntext = \"t\"\n");
  codec_box box("template", {{"file", file}});
  for (const std::string& bad : {std::string("a\0b", 3), std::string("\xFF"), std::string("{{x}}"),
                                 std::string("a\xC3"), std::string("\xED\xA0\x80\"\\")}) {
    const ifb_part part = ifb::text_part(bad);
    ifb_sample sample = ifb::blank_sample();
    sample.shape = IFB_PROMPT_TEXT;
    sample.prompt = ifb::list_of({&part, 1});
    ASSERT_EQ(box.open(sample), IFB_OK);
    const auto body = parse(box.body());
    const std::string alone(body["a"].GetString(), body["a"].GetStringLength());
    EXPECT_EQ(std::string(body["b"].GetString(), body["b"].GetStringLength()), "<" + alone + ">");
  }
}

TEST(template_body, asked_for_twice_is_the_same) {
  codec_box box("template", {{"file", template_case::example("triton.toml")}});
  box.open_any();
  const std::string first = box.body();
  EXPECT_EQ(box.body(), first);
}

TEST(template_body, needs_memory_and_says_so) {
  const std::string text(10'000, '"');
  const ifb_part part = ifb::text_part(text);
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  codec_box box("template", {{"file", template_case::example("triton.toml")}});
  for (std::size_t n = 0;; ++n) {
    ASSERT_LT(n, 100U);
    support::arena memory(n);
    const ifb_status status = box.open(sample, memory);
    if (status == IFB_OK) {
      EXPECT_GT(n, 1U);
      EXPECT_EQ(parse(box.body())["text_input"].GetStringLength(), text.size());
      box.close();
      return;
    }
    EXPECT_EQ(status, IFB_E_MEMORY);
  }
}

TEST(template_body, of_one_instance_is_written_by_many_threads) {
  codec_box box("template", {{"file", template_case::example("tgi.toml")}});
  const ifb_part part = ifb::text_part("hello");
  ifb_sample sample = ifb::blank_sample();
  sample.shape = IFB_PROMPT_TEXT;
  sample.prompt = ifb::list_of({&part, 1});
  std::vector<int> good(4, 0);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < good.size(); ++t) {
    threads.emplace_back([&, t] {
      ifb_sample own = sample;
      const std::string overrides = R"({"temperature":)" + std::to_string(t) + "}";
      own.overrides = ifb::str(overrides);
      const std::string expected = R"({"inputs":"hello","parameters":{"temperature":)" +
                                   std::to_string(t) + R"(,"details":true}})";
      for (int i = 0; i < 200; ++i) {
        support::arena memory;
        ifb_exchange* one = nullptr;
        ifb_error error{};
        if (box.codec.open(box.plugin.get(), &own, memory.handle(), &one, &error) != IFB_OK) return;
        ifb_http_request request{};
        request.struct_size = sizeof request;
        box.codec.request(one, &request, &error);
        std::string body;
        for (std::size_t k = 0; k < request.body_count; ++k)
          body += ifb::view(request.body[k]);
        good[t] += body == expected ? 1 : 0;
        box.codec.close(one);
      }
    });
  }
  for (auto& each : threads)
    each.join();
  EXPECT_EQ(good, std::vector<int>(4, 200));
}

}  // namespace
}  // namespace backends
