#include "plugin/instance.hpp"

#include <cstring>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "folder.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;

class instances : public testing::Test {
 protected:
  static loaded get(const std::string& name, ifb_kind kind = IFB_BACKEND) {
    return load(kind,
                fixture(name.substr(0, name.find(':'))).string() +
                    (name.find(':') == std::string::npos ? "" : name.substr(name.find(':'))),
                {});
  }
  instance make(const std::string& name, ifb_kind kind = IFB_BACKEND) const {
    return {get(name, kind), {}, shared};
  }
  static ifb_value text(std::string_view value) {
    ifb_value out{};
    out.type = IFB_STRING;
    out.is_set = 1;
    out.as.s = str(value);
    return out;
  }
  std::pair<std::string, int> refusal(std::string_view model, ifb_status code) const {
    const ifb_value values[] = {text(model)};
    try {
      const instance made(get("good"), values, shared);
    } catch (const refused& e) {
      EXPECT_EQ(e.code(), code);
      return {e.what(), e.option()};
    }
    return {"", -2};
  }

  std::vector<std::string> lines;
  base::log log{base::log_level::info,
                [this](base::log_level, std::string_view line) { lines.emplace_back(line); }};
  services shared{.log = &log};
};

TEST_F(instances, a_plugin_is_created_with_a_host_of_its_own) {
  const instance made = make("good");
  EXPECT_NE(made.get(), nullptr);
  EXPECT_EQ(made.library().id(), "good");
  EXPECT_THAT(lines, ElementsAre("backend good: made"));
}

TEST_F(instances, create_is_told_which_plugin_of_which_file_is_meant) {
  const instance made = make("two:second");
  EXPECT_THAT(lines, ElementsAre("backend second: second",
                                 "backend second: " + fs::canonical(fixture("two")).string()));
}

TEST_F(instances, a_refusal_says_which_option_and_why) {
  EXPECT_EQ(refusal("bad", IFB_E_CONFIG), std::pair(std::string("backend good: no such model"), 0));
  EXPECT_EQ(refusal("worse", IFB_E_UNSUPPORTED),
            std::pair(std::string("backend good: not supported"), -1));
  EXPECT_EQ(refusal("nothing", IFB_E_INTERNAL),
            std::pair(std::string("backend good: create succeeded and made nothing"), -1));
}

TEST_F(instances, a_codec_without_on_head_lets_the_host_choose_the_framing) {
  const instance made = make("good");
  const codec ops = codec_of(made);
  EXPECT_EQ(ops.flags, unsigned{IFB_CODEC_SAMPLING});
  ifb_exchange* exchange = nullptr;
  ifb_error error = empty_error();
  EXPECT_EQ(ops.open(made.get(), nullptr, nullptr, &exchange, &error), IFB_OK);
  std::uint32_t framing = 77;
  EXPECT_EQ(ops.on_head(exchange, nullptr, &framing, &error), IFB_OK);
  EXPECT_EQ(framing, unsigned{IFB_FRAMING_AUTO});
  ifb_http_request request{};
  EXPECT_EQ(ops.request(exchange, &request, &error), IFB_OK);
  EXPECT_EQ(view(request.target), "/good");
  EXPECT_EQ(ops.on_end(exchange, nullptr, nullptr, nullptr, &error), IFB_END);
  ops.close(exchange);
  // The C table itself also has a function for each member.
  const ifb_http_codec& bare = ops;
  framing = 77;
  EXPECT_EQ(bare.on_head(exchange, nullptr, &framing, &error), IFB_OK);
  EXPECT_EQ(framing, unsigned{IFB_FRAMING_AUTO});
}

TEST_F(instances, a_reporter_may_leave_out_records_and_snapshots) {
  const instance made = make("tables", IFB_REPORTER);
  const reporter ops = reporter_of(made);
  ifb_error error = empty_error();
  EXPECT_EQ(ops.begin(made.get(), nullptr, &error), IFB_OK);
  EXPECT_EQ(ops.records(made.get(), nullptr, 0, 0, &error), IFB_OK);
  EXPECT_EQ(ops.snapshot(made.get(), nullptr, &error), IFB_OK);
  EXPECT_EQ(ops.end(made.get(), nullptr, &error), IFB_OK);
}

TEST_F(instances, a_tokenizer_without_count_counts_with_encode) {
  const instance made = make("tables", IFB_TOKENIZER);
  const tokenizer ops = tokenizer_of(made);
  EXPECT_FALSE(ops.counts);
  std::uint64_t count = 0;
  EXPECT_EQ(ops.count(made.get(), str("abc"), 0, &count, nullptr), IFB_OK);
  EXPECT_EQ(count, 3U);
  count = 9;
  EXPECT_EQ(ops.count(made.get(), str(""), 0, &count, nullptr), IFB_E_DATA);
  EXPECT_EQ(count, 9U);
  EXPECT_EQ(
      static_cast<const ifb_tokenizer&>(ops).count(made.get(), str("abc"), 0, &count, nullptr),
      IFB_E_UNSUPPORTED);
}

TEST_F(instances, a_tokenizer_without_pairs_and_templates_says_so) {
  const instance made = make("tables", IFB_TOKENIZER);
  const tokenizer ops = tokenizer_of(made);
  std::size_t needed = 0;
  ifb_error error{};
  EXPECT_EQ(
      ops.encode_pair(made.get(), str("a"), str("b"), 0, nullptr, nullptr, 0, &needed, &error),
      IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the tokenizer does not encode pairs");
  EXPECT_EQ(ops.render(made.get(), str("{}"), nullptr, 0, &needed, &error), IFB_E_UNSUPPORTED);
  EXPECT_STREQ(error.message, "the tokenizer has no chat template");
}

TEST_F(instances, a_table_from_the_future_works) {
  const instance made = make("tables:future", IFB_DATASET);
  const dataset ops = dataset_of(made);
  EXPECT_EQ(ops.struct_size, sizeof(ifb_dataset));
  ifb_error error = empty_error();
  ifb_sample sample{};
  EXPECT_EQ(ops.read(made.get(), 0, nullptr, &sample, &error), IFB_END);
}

TEST_F(instances, a_table_without_a_required_function_is_refused) {
  const instance short_one = make("tables:short", IFB_DATASET);
  EXPECT_EQ(error_of([&] { (void)dataset_of(short_one); }),
            "dataset short offers inferbench.dataset/1 with a struct_size of 16, less "
            "than the 24 of version 1.0; report it to the plugin's author");
  const instance missing = make("tables:missing", IFB_DATASET);
  EXPECT_EQ(error_of([&] { (void)dataset_of(missing); }),
            "dataset missing offers inferbench.dataset/1 without read; report it to the plugin's "
            "author");
}

TEST_F(instances, the_error_for_a_missing_interface_lists_the_offered_ones) {
  const instance other = make("tables:other", IFB_DATASET);
  EXPECT_EQ(error_of([&] { (void)dataset_of(other); }),
            "dataset other offers inferbench.dataset/2, acme.extra/1; this host speaks "
            "inferbench.dataset/1; use a build of the plugin that offers it");
  EXPECT_EQ(error_of([&] { (void)codec_of(other); }).substr(0, 13), "dataset other");
}

TEST(text_of, takes_any_message_a_plugin_may_leave) {
  ifb_error error = empty_error();
  EXPECT_EQ(text_of(error, IFB_E_TIMEOUT), "timed out");
  EXPECT_EQ(text_of(error, -1234), "internal error of the plugin");
  std::strcpy(error.message, " a\tb\n\xC3");
  EXPECT_EQ(text_of(error, IFB_E_IO), "a b \xEF\xBF\xBD");
  std::memset(error.message, 'x', sizeof error.message);
  EXPECT_EQ(text_of(error, IFB_E_IO), std::string(sizeof error.message, 'x'));
}

}  // namespace
}  // namespace inferbench::plugin
