#include <memory>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/json_writer.hpp>

#include "base/log.hpp"
#include "dataset/feed.hpp"
#include "plugin/instance.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using support::settings;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const std::string sharegpt_fixture = std::string(INFERBENCH_FIXTURES) + "/datasets/sharegpt.json";

/// A row with a prompt and an answer of the given numbers of bytes.
std::string row(std::size_t prompt, std::size_t answer, const std::string& more = "") {
  return R"({"conversations": [{"from": "human", "value": ")" + std::string(prompt, 'p') +
         R"("}, {"from": "gpt", "value": ")" + std::string(answer, 'a') + "\"}]" + more + "}";
}

struct sharegpt_bench {
  explicit sharegpt_bench(const std::string& path, settings given = {}) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &::support::byte_counter;
    given["path"] = path;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  dataset_box box{"sharegpt"};
};

/// All samples of a run as lines of JSON, through the feed of the host.
std::string samples(std::uint64_t seed, std::int64_t num_prompts) {
  using namespace inferbench;
  const dataset_box box("sharegpt");
  plugin::loaded loaded;
  loaded.plugin = &box.plugin();
  plugin::services services;
  services.tokenizer = &::support::byte_counter;
  std::vector<ifb_value> values(box.plugin().option_count);
  values[0].type = IFB_PATH;
  values[0].is_set = 1;
  values[0].as.s = ifb::str(sharegpt_fixture);
  const plugin::instance instance(loaded, values, services);
  base::log log(base::log_level::off, [](base::log_level, std::string_view) {});
  dataset::feed feed(instance, {num_prompts, seed, true, true, "bench-"}, log);
  feed.prepare();
  EXPECT_EQ(feed.total(), static_cast<std::uint64_t>(num_prompts));
  const std::string folder = "file://" + std::string(INFERBENCH_FIXTURES) + "/datasets/";
  std::string out;
  while (const auto sample = feed.next()) {
    ifb::json_writer line;
    line.begin_object();
    line.member("request_id", ifb::view(sample->c.id));
    line.member("prompt", ifb::prompt_text(sample->c));
    line.member("prompt_len", sample->c.input_tokens);
    line.member("expected_output_len", sample->c.output_tokens);
    line.key("image");
    if (sample->c.media.count == 0) {
      line.null();
    } else {
      std::string uri(ifb::view(sample->c.media.first->uri));
      if (uri.starts_with(folder)) uri.erase(0, folder.size());
      line.string(uri);
    }
    line.end_object();
    out += line.take() + "\n";
  }
  return out;
}

// The golden file was computed by a Python program with upstream's rules and the same tokenizer.
TEST(sharegpt_dataset, samples_are_the_same_as_in_upstream_for_two_seeds) {
  EXPECT_EQ(samples(0, 25), support::read_fixture("datasets/sharegpt_seed0.jsonl"));
  EXPECT_EQ(samples(42, 25), support::read_fixture("datasets/sharegpt_seed42.jsonl"));
}

TEST(sharegpt_dataset, invalid_rows_are_dropped_at_load_and_reported) {
  sharegpt_bench b(sharegpt_fixture);
  ASSERT_EQ(b.box.prepare(1000), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 25);
  EXPECT_EQ(b.box.info.flags, std::uint32_t{IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE});
  EXPECT_THAT(b.box.host.log(),
              ElementsAre("1 record dropped: no \"conversations\" (first: record 15 of " +
                              sharegpt_fixture + ")",
                          "2 records dropped: fewer than two turns (first: record 13 of " +
                              sharegpt_fixture + ")"));
}

TEST(sharegpt_dataset, rows_of_every_other_kind_are_dropped_too) {
  const data_file file("[1, null, \"conversations\", [\"conversations\"], {}, " + row(9, 9) +
                       R"(, {"conversations": null}, {"conversations": "ab"},
                          {"conversations": {"a": 1, "b": 2}}, {"conversations": []},
                          {"x": {"conversations": [1, 2, 3]}}, [[1, 2]], true, -1e3])");
  sharegpt_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 1);
  ASSERT_EQ(b.box.host.log().size(), 4U);
  EXPECT_THAT(b.box.host.log()[0], HasSubstr("7 records dropped: not an object (first: record 1"));
  EXPECT_THAT(b.box.host.log()[1], HasSubstr("2 records dropped: no \"conversations\""));
  EXPECT_THAT(b.box.host.log()[2], HasSubstr("3 records dropped: \"conversations\" is not a list"));
  EXPECT_THAT(b.box.host.log()[3], HasSubstr("1 record dropped: fewer than two turns"));
}

TEST(sharegpt_dataset, of_a_repeated_member_the_last_counts) {
  const std::string full = row(9, 9);
  const std::string turns = full.substr(1, full.size() - 2);
  const data_file file("[{" + turns + R"(, "conversations": []}, {"conversations": 1, )" + turns +
                       "}]");
  sharegpt_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  EXPECT_EQ(b.box.info.rows, 1);
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.prompt(), "ppppppppp");
}

TEST(sharegpt_dataset, lengths_outside_upstreams_limits_are_skipped_with_a_reason) {
  struct expectation {
    std::size_t prompt, answer;
    const char* reason;  // null: the row is used
  };
  // The tokenizer counts one token per byte, plus one token that the model adds.
  const expectation cases[] = {
      {3, 3, nullptr},
      {2, 3, "prompt shorter than 4 tokens"},
      {3, 2, "answer shorter than 4 tokens"},
      {0, 0, "prompt shorter than 4 tokens"},
      {1023, 1023, nullptr},
      {1024, 3, "prompt longer than 1024 tokens"},
      {1023, 1024, "prompt and answer longer than 2048 tokens"},
      {3, 5000, "prompt and answer longer than 2048 tokens"},
  };
  for (const expectation& c : cases) {
    SCOPED_TRACE(std::to_string(c.prompt) + " " + std::to_string(c.answer));
    const data_file file("[3, " + row(c.prompt, c.answer) + "]");
    sharegpt_bench b(file.path());
    ASSERT_EQ(b.box.prepare(1), IFB_OK);
    if (c.reason == nullptr) {
      EXPECT_EQ(b.box.read(0), IFB_OK) << b.box.message();
      EXPECT_EQ(b.box.sample.input_tokens, static_cast<std::int64_t>(c.prompt) + 1);
      EXPECT_EQ(b.box.sample.output_tokens, static_cast<std::int64_t>(c.answer) + 1);
    } else {
      EXPECT_EQ(b.box.read(0), IFB_SKIP);
      EXPECT_EQ(b.box.message(), std::string(c.reason) + "; record 2");
    }
  }
}

TEST(sharegpt_dataset, a_given_output_length_replaces_that_of_the_answer) {
  const data_file file("[" + row(9, 0) + "," + row(1000, 9) + "]");
  sharegpt_bench b(file.path(), {{"output-len", 2}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();  // there is no minimum for the answer
  EXPECT_EQ(b.box.sample.output_tokens, 2);
  sharegpt_bench longer(file.path(), {{"output-len", 1048}});
  ASSERT_EQ(longer.box.prepare(1), IFB_OK);
  EXPECT_EQ(longer.box.read(1), IFB_SKIP);
}

TEST(sharegpt_dataset, turns_without_text_are_skipped_with_their_record) {
  const data_file file(R"([{"conversations": [{"value": 7}, {"value": "answer"}]},
                           {"conversations": [{"value": "prompt"}, {"from": "gpt"}]},
                           {"conversations": ["prompt", "answer"]}])");
  sharegpt_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.info.rows, 3);
  for (std::uint64_t i = 0; i < 3; ++i) {
    EXPECT_EQ(b.box.read(i), IFB_SKIP);
    EXPECT_EQ(b.box.message(), "a turn without text in \"value\"; record " + std::to_string(i + 1));
  }
}

TEST(sharegpt_dataset, images_and_videos_become_uris) {
  struct expectation {
    std::string more;
    std::uint32_t kind;
    std::string uri;
  };
  const data_file file("");
  const std::string here = "file://" + file.folder();
  const expectation cases[] = {
      {R"(, "image": "a/b.png")", IFB_PART_IMAGE, here + "/a/b.png"},
      {R"(, "image": "../b c%.png")", IFB_PART_IMAGE,
       "file://" + std::filesystem::path(file.folder()).parent_path().string() + "/b c%.png"},
      {R"(, "image": "/x/y.png")", IFB_PART_IMAGE, "file:///x/y.png"},
      {R"(, "image": "https://h/i.png")", IFB_PART_IMAGE, "https://h/i.png"},
      {R"(, "image": "http://h/i.png", "video": "v.mp4")", IFB_PART_IMAGE, "http://h/i.png"},
      {R"(, "image": "file:///x")", IFB_PART_IMAGE, "file:///x"},
      {R"(, "image": "data:image/png;base64,AA==")", IFB_PART_IMAGE, "data:image/png;base64,AA=="},
      {R"(, "image": "", "video": "v.mp4")", IFB_PART_VIDEO, here + "/v.mp4"},
      {R"(, "image": null, "video": "data:video/mp4;base64,AA==")", IFB_PART_VIDEO,
       "data:video/mp4;base64,AA=="},
      {R"(, "image": null, "video": [])", 0, ""},
  };
  for (const expectation& c : cases) {
    SCOPED_TRACE(c.more);
    file.write("[" + row(9, 9, c.more) + "]");
    sharegpt_bench b(file.path());
    ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    ASSERT_EQ(b.box.read(0), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
    ASSERT_EQ(b.box.sample.media.count, c.kind == 0 ? 0U : 1U);
    if (c.kind == 0) continue;
    EXPECT_EQ(b.box.sample.media.first->kind, c.kind);
    EXPECT_EQ(ifb::view(b.box.sample.media.first->uri), c.uri);
    EXPECT_EQ(b.box.sample.media.first->data.size, 0U);
  }
  file.write("[" + row(9, 9, R"(, "image": 3)") + "]");
  sharegpt_bench b(file.path());
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  EXPECT_EQ(b.box.read(0), IFB_SKIP);
  EXPECT_THAT(b.box.message(), HasSubstr("\"image\" is not a path or URL"));
}

TEST(sharegpt_dataset, multimodal_chat_is_one_user_message_with_the_media_after_the_text) {
  const data_file file("[" + row(9, 9, R"(, "image": "https://h/i.png")") + "," + row(8, 9) + "]");
  sharegpt_bench b(file.path(), {{"enable-multimodal-chat", 1}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_EQ(b.box.sample.messages.count, 0U);
  EXPECT_EQ(b.box.sample.media.count, 0U);
  EXPECT_EQ(b.box.sample.input_tokens, 10);
  const auto parts = ifb::view(b.box.sample.prompt);
  ASSERT_EQ(parts.size(), 2U);
  EXPECT_EQ(parts[0].kind, std::uint32_t{IFB_PART_TEXT});
  EXPECT_EQ(ifb::view(parts[0].data), "ppppppppp");
  EXPECT_EQ(parts[1].kind, std::uint32_t{IFB_PART_IMAGE});
  // A row with only a text has a list of parts, too, so that it is sent as a list.
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_PARTS});
  EXPECT_EQ(ifb::view(b.box.sample.prompt).size(), 1U);
}

TEST(sharegpt_dataset, without_a_tokenizer_the_message_says_which_flag_to_give) {
  dataset_box box("sharegpt");
  ASSERT_EQ(box.create({{"path", sharegpt_fixture}}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("--tokenizer-mode"));
}

}  // namespace
