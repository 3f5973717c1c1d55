// Tests invalid files: each gives one clear error message, and no crash.
#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/tokenizers.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view good_row =
    R"({"conversations": [{"value": "question"}, {"value": "answer"}]})";

struct outcome {
  ifb_status status = IFB_OK;
  std::string message;
  std::string option;
  std::int64_t rows = 0;
};

outcome load(const std::string& path) {
  dataset_box box("sharegpt");
  box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
  EXPECT_EQ(box.create({{"path", path}}), IFB_OK);
  const ifb_status status = box.prepare(10);
  return {status, box.message(), box.option_at_fault(), box.info.rows};
}

outcome load_text(std::string_view text) {
  const data_file file(text);
  outcome out = load(file.path());
  if (const auto at = out.message.find(file.path()); at != std::string::npos)
    out.message.replace(at, file.path().size(), "FILE");
  return out;
}

TEST(sharegpt_files, one_that_is_missing_or_a_folder_is_named_with_the_reason) {
  const outcome missing = load("/nonexistent/rows.json");
  EXPECT_EQ(missing.status, IFB_E_IO);
  EXPECT_EQ(missing.option, "path");
  EXPECT_EQ(missing.message, "cannot read /nonexistent/rows.json: No such file or directory");
  const outcome folder = load(INFERBENCH_FIXTURES);
  EXPECT_EQ(folder.status, IFB_E_IO);
  EXPECT_THAT(folder.message, HasSubstr("Is a directory"));
}

TEST(sharegpt_files, a_file_that_is_not_an_array_is_refused_with_the_position) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"", "FILE:1:1: the file is empty; a JSON array of rows is needed"},
      {" \n\t\n", "FILE:3:1: the file is empty; a JSON array of rows is needed"},
      {"hello", "FILE:1:1: the file is not a JSON array of rows"},
      {"\n  {\"a\": []}", "FILE:2:3: the file is not a JSON array of rows"},
      {"[", "FILE:1:2: malformed JSON: the file ends inside the array"},
      {"[1, 2", "FILE:1:6: malformed JSON: the file ends inside the array"},
      {"[1,\n", "FILE:2:1: malformed JSON: the file ends inside the array"},
      {"[1 2]", "FILE:1:4: malformed JSON: a row is not followed by a comma or ]"},
      {"[1] x", "FILE:1:5: malformed JSON: text after the end of the array"},
      {"[1,]", "FILE:1:4: malformed JSON in record 2: no value begins here"},
      {"[\n{\"a\" 1}]",
       "FILE:2:6: malformed JSON in record 1: missing a colon after a name of "
       "object member"},
      {"[{}, {\"a\": \"x", "FILE:1:14: malformed JSON in record 2: the file ends inside a row"},
      {"[\"\\ud8\"]",
       "FILE:1:3: malformed JSON in record 1: incorrect hex digit after \\u escape in string"},
  };
  for (const auto& [text, said] : cases) {
    SCOPED_TRACE(text);
    const outcome out = load_text(text);
    EXPECT_EQ(out.status, IFB_E_DATA);
    EXPECT_EQ(out.option, "path");
    EXPECT_EQ(out.message, said);
  }
}

TEST(sharegpt_files, arrays_without_a_row_have_no_rows) {
  for (const std::string_view text : {"[]", " [ ] \n", "[1, 2, 3]", "\xEF\xBB\xBF[]"}) {
    const outcome out = load_text(text);
    EXPECT_EQ(out.status, IFB_OK) << out.message;
    EXPECT_EQ(out.rows, 0);
  }
}

TEST(sharegpt_files, a_file_cut_off_anywhere_is_refused_with_a_place) {
  const std::string whole = support::read_fixture("datasets/sharegpt.json");
  ASSERT_GT(whole.size(), 30000U);
  const data_file file("");
  for (std::size_t cut = 0; cut + 2 < whole.size(); cut += 97) {
    file.write(std::string_view(whole).substr(0, cut));
    const outcome out = load(file.path());
    ASSERT_EQ(out.status, IFB_E_DATA) << cut;
    ASSERT_THAT(out.message, StartsWith(file.path() + ":")) << cut;
  }
}

TEST(sharegpt_files, a_byte_changed_anywhere_crashes_nothing) {
  std::string text = "[" + std::string(good_row) + ", " + std::string(good_row) + "]";
  const data_file file("");
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char byte : {'\0', '"', ']', '\xFF'}) {
      std::string changed = text;
      changed[at] = byte;
      file.write(changed);
      dataset_box box("sharegpt");
      box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
      ASSERT_EQ(box.create({{"path", file.path()}}), IFB_OK);
      if (box.prepare(1) != IFB_OK) continue;
      for (std::int64_t i = 0; i < box.info.rows; ++i) {
        const ifb_status status = box.read(static_cast<std::uint64_t>(i));
        ASSERT_TRUE(status == IFB_OK || status == IFB_SKIP) << box.message();
      }
    }
  }
}

TEST(sharegpt_files, deep_nesting_is_refused_and_costs_no_stack) {
  for (const char* const bracket : {"[", "{\"a\":"}) {
    std::string deep;
    for (int i = 0; i < 200'000; ++i)
      deep += bracket;
    const outcome out = load_text("[" + deep);
    EXPECT_EQ(out.status, IFB_E_DATA);
    EXPECT_THAT(out.message, HasSubstr("malformed JSON in record 1: nested too deeply"));
  }
}

TEST(sharegpt_files, text_that_is_not_utf8_costs_its_row_only) {
  const data_file file("[" + std::string(good_row) + R"(, {"conversations": [{"value": ")" +
                       "bad \xC3\x28 bytes" + R"("}, {"value": "answer"}]}])");
  dataset_box box("sharegpt");
  box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
  ASSERT_EQ(box.create({{"path", file.path()}}), IFB_OK);
  ASSERT_EQ(box.prepare(1), IFB_OK) << box.message();
  EXPECT_EQ(box.read(0), IFB_OK);
  EXPECT_EQ(box.read(1), IFB_SKIP);
  EXPECT_EQ(box.message(), "text that is not UTF-8; record 2");
}

TEST(sharegpt_files, half_a_surrogate_pair_is_one_bad_character_and_whole_pairs_stay) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {R"(high \ud83d.)", "high \uFFFD."},
      {R"(low \uDE00.)", "low \uFFFD."},
      {R"(two highs \ud83d\ud83d)", "two highs \uFFFD\uFFFD"},
      {R"(wrong way round \ude00\ud83d)", "wrong way round \uFFFD\uFFFD"},
      {R"(high, then a pair \ud83d\ud83d\ude00)", "high, then a pair \uFFFD\U0001F600"},
      {R"(high, then another unit \ud83d\u0041)", "high, then another unit \uFFFDA"},
      {R"(pair, then low \ud83d\ude00\ude00)", "pair, then low \U0001F600\uFFFD"},
      {R"(no escape \\ud83d)", R"(no escape \ud83d)"},
      {R"(after a backslash \\\ud83d)", "after a backslash \\\uFFFD"}};
  for (const auto& [written, read] : cases) {
    SCOPED_TRACE(written);
    const data_file file("[" + std::string(good_row) + R"(, {"conversations": [{"value": ")" +
                         std::string(written) + R"("}, {"value": "answer"}]}])");
    dataset_box box("sharegpt");
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
    ASSERT_EQ(box.create({{"path", file.path()}}), IFB_OK);
    ASSERT_EQ(box.prepare(2), IFB_OK) << box.message();
    ASSERT_EQ(box.read(1), IFB_OK) << box.message();
    EXPECT_EQ(box.prompt(), read);
  }
}

TEST(sharegpt_files, numbers_that_python_takes_are_taken) {
  EXPECT_EQ(load_text("[NaN, Infinity, -Infinity, {\"x\": NaN}]").status, IFB_OK);
}

TEST(sharegpt_files, a_pipe_is_read_to_its_end) {
  const data_file file("");
  const std::string pipe = file.folder() + "/pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::jthread writer(
      [&] { std::ofstream(pipe) << "[" << good_row << "," << good_row << "]"; });
  const outcome out = load(pipe);
  EXPECT_EQ(out.status, IFB_OK) << out.message;
  EXPECT_EQ(out.rows, 2);
}

}  // namespace
