#include <numeric>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/random.hpp>

#include "plugins/datasets/bench.hpp"
#include "plugins/datasets/data_file.hpp"
#include "plugins/datasets/word_tokenizer.hpp"

namespace {

using support::data_file;
using support::dataset_box;
using support::settings;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view sonnet_task = "Pick as many lines as you can from these poem lines:\n";

struct sonnet_bench {
  explicit sonnet_bench(const settings& given) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::word_tokenizer;
    EXPECT_EQ(box.create(given), IFB_OK) << box.message();
  }
  std::string message() const {
    return std::string(ifb::view(ifb::view(box.sample.messages)[0].json));
  }
  dataset_box box{"sonnet"};
};

// Ten lines of one word each. With the token that the model adds, a line counts as 2 tokens.
std::string ten_words() {
  std::string out;
  for (int i = 0; i < 10; ++i)
    out += "w" + std::to_string(i) + "\n";
  return out;
}

// Tokens of a prompt without lines: the task has 11 words; template and model add 3 tokens.
constexpr std::int64_t base = 14;

TEST(sonnet, lines_are_drawn_as_python_draws_them) {
  const data_file file(ten_words());
  sonnet_bench b(
      {{"path", file.path()}, {"input-len", std::to_string(base + 11)}, {"prefix-len", base + 2}});
  ASSERT_EQ(b.box.prepare(2, 0), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.info.rows, 2);
  // 11 and 2 tokens correspond to 5.5 and 1 lines, which are rounded to 6 and 1.
  ifb::python_random random(0);
  for (std::uint64_t row = 0; row < 2; ++row) {
    std::string lines = "w0\n";
    for (const std::size_t line : random.choices(10, 5))
      lines += "w" + std::to_string(line) + "\n";
    ASSERT_EQ(b.box.read(row), IFB_OK);
    EXPECT_EQ(b.box.prompt(), "<user> " + std::string(sonnet_task) + lines + " <assistant>");
    EXPECT_EQ(b.box.sample.input_tokens, base + 6);
    EXPECT_EQ(b.box.sample.output_tokens, 150);
  }
  EXPECT_EQ(b.box.read(2), IFB_END);
}

TEST(sonnet, the_vector_of_the_generator_stands) {
  const data_file file(ten_words());
  sonnet_bench b({{"path", file.path()},
                  {"input-len", std::to_string(base + 8)},
                  {"prefix-len", std::int64_t{0}}});
  ASSERT_EQ(b.box.prepare(2, 0), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_THAT(b.box.prompt(), HasSubstr("\nw8\nw7\nw4\nw2\n"));
  ASSERT_EQ(b.box.read(1), IFB_OK);
  EXPECT_THAT(b.box.prompt(), HasSubstr("\nw5\nw4\nw7\nw3\n"));
}

TEST(sonnet, halves_of_lines_are_rounded_to_the_even_number) {
  const data_file file(ten_words());
  const auto lines = [&](std::int64_t tokens) {
    sonnet_bench b({{"path", file.path()},
                    {"input-len", std::to_string(base + tokens)},
                    {"prefix-len", std::int64_t{0}}});
    EXPECT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
    EXPECT_EQ(b.box.read(0), IFB_OK) << b.box.message();
    return b.box.sample.input_tokens - base;
  };
  EXPECT_EQ(lines(1), 1);  // 0.5 is rounded to 0, but the minimum is 1
  EXPECT_EQ(lines(3), 2);  // 1.5
  EXPECT_EQ(lines(5), 2);  // 2.5
  EXPECT_EQ(lines(7), 4);  // 3.5
}

TEST(sonnet, draws_that_are_too_long_are_made_again) {
  // One line in four is far longer than the others.
  const data_file file("a\nb\nc\n" + [] {
    std::string out;
    for (int i = 0; i < 9; ++i)
      out += "x ";
    return out + "\n";
  }());
  sonnet_bench b({{"path", file.path()},
                  {"input-len", std::to_string(base + 12)},
                  {"prefix-len", std::int64_t{0}}});
  ASSERT_EQ(b.box.prepare(50, 0), IFB_OK) << b.box.message();
  std::set<std::int64_t> lengths;
  for (std::uint64_t row = 0; row < 50; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    EXPECT_LE(b.box.sample.input_tokens, base + 12);
    lengths.insert(b.box.sample.input_tokens);
  }
  EXPECT_GT(lengths.size(), 1U);
}

TEST(sonnet, a_length_that_is_never_reached_is_an_error) {
  const data_file file(std::string("short\n") + std::string("long ") + std::string(400, 'x') +
                       "\n");
  std::string many = "a b c d e f g h i j k l m n o p q r s t\n";
  file.write(many + "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
  sonnet_bench b(
      {{"path", file.path()}, {"input-len", std::to_string(base + 2)}, {"prefix-len", base + 2}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK) << b.box.message();
  EXPECT_EQ(b.box.read(0), IFB_E_CONFIG);
  EXPECT_EQ(b.box.option_at_fault(), "input-len");
  EXPECT_THAT(b.box.message(), HasSubstr("1000 draws in a row were longer"));
}

TEST(sonnet, prompts_may_have_lengths_of_a_distribution) {
  const data_file file(ten_words());
  const data_file* const poem = &file;
  const std::string lengths = "uniform(" + std::to_string(base) + ", " + std::to_string(base + 20);
  sonnet_bench b({{"path", poem->path()}, {"input-len", lengths + ")"}, {"prefix-len", base + 2}});
  ASSERT_EQ(b.box.prepare(60, 0), IFB_OK) << b.box.message();
  std::set<std::int64_t> seen;
  for (std::uint64_t row = 0; row < 60; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    EXPECT_THAT(b.box.prompt(), HasSubstr(std::string(sonnet_task) + "w0\n")) << "the prefix stays";
    // A line counts as 1 token in a prompt and as 2 tokens alone, so about half of the requested
    // length is filled.
    EXPECT_LE(b.box.sample.input_tokens, base + 10);
    seen.insert(b.box.sample.input_tokens);
  }
  EXPECT_EQ(*seen.begin(), base + 1) << "only the prefix, if nothing more fits";
  EXPECT_EQ(*seen.rbegin(), base + 10);
  sonnet_bench again(
      {{"path", poem->path()}, {"input-len", lengths + ")"}, {"prefix-len", base + 2}});
  ASSERT_EQ(again.box.prepare(60, 0), IFB_OK);
  ASSERT_EQ(again.box.read(59), IFB_OK);
  EXPECT_EQ(again.box.prompt(), b.box.prompt());
}

TEST(sonnet, a_drawn_length_that_its_lines_do_not_fit_has_fewer) {
  // A single line has 3 tokens on average, so two lines are drawn for a length of 6. Many pairs of
  // lines are longer than that.
  const data_file file("\n\n\na b c d e f g h i j k l\n");
  sonnet_bench b(
      {{"path", file.path()},
       {"input-len", "uniform(" + std::to_string(base + 6) + ", " + std::to_string(base + 6) + ")"},
       {"prefix-len", std::int64_t{0}}});
  ASSERT_EQ(b.box.prepare(20, 0), IFB_OK) << b.box.message();
  for (std::uint64_t row = 0; row < 20; ++row) {
    ASSERT_EQ(b.box.read(row), IFB_OK) << b.box.message();
    EXPECT_LE(b.box.sample.input_tokens, base + 6);
  }
}

TEST(sonnet, a_row_is_the_same_whenever_it_is_asked_for) {
  sonnet_bench straight(settings{});
  ASSERT_EQ(straight.box.prepare(20, 3), IFB_OK) << straight.box.message();
  std::vector<std::string> expected;
  for (std::uint64_t i = 0; i < 20; ++i) {
    ASSERT_EQ(straight.box.read(i), IFB_OK);
    expected.push_back(straight.box.prompt());
  }
  sonnet_bench jumping(settings{});
  ASSERT_EQ(jumping.box.prepare(20, 3), IFB_OK);
  for (const std::uint64_t row : {19U, 0U, 7U, 19U}) {
    ASSERT_EQ(jumping.box.read(row), IFB_OK);
    EXPECT_EQ(jumping.box.prompt(), expected[row]);
  }
}

TEST(sonnet, the_poem_that_comes_with_it_is_shakespeare_s) {
  sonnet_bench b(settings{});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_THAT(b.box.prompt(),
              StartsWith("<user> " + std::string(sonnet_task) +
                         "From fairest creatures we desire increase,\nThat thereby beauty's rose"));
}

TEST(sonnet, chat_gets_the_message_that_completions_get_rendered) {
  const data_file file(ten_words());
  sonnet_bench b(
      {{"path", file.path()}, {"input-len", std::to_string(base + 2)}, {"prefix-len", base + 2}});
  ASSERT_EQ(b.box.prepare(1), IFB_OK);
  ASSERT_EQ(b.box.read(0), IFB_OK);
  EXPECT_EQ(b.box.sample.shape, std::uint32_t{IFB_PROMPT_TEXT});
  ASSERT_EQ(b.box.sample.messages.count, 1U);
  EXPECT_EQ(
      b.message(),
      R"({"role": "user", "content": [{"type": "text", "text": "Pick as many lines as you can )"
      R"(from these poem lines:\nw0\n"}]})");

  sonnet_bench plain({{"path", file.path()},
                      {"input-len", std::to_string(base + 2)},
                      {"prefix-len", base + 2},
                      {"skip-chat-template", std::int64_t{1}}});
  ASSERT_EQ(plain.box.prepare(1), IFB_OK);
  ASSERT_EQ(plain.box.read(0), IFB_OK);
  EXPECT_THAT(plain.box.prompt(), StartsWith(std::string(sonnet_task) + "w0\n"));
  EXPECT_EQ(plain.box.sample.messages.count, 0U);
}

TEST(sonnet, a_tokenizer_without_a_template_is_refused_with_the_remedy) {
  dataset_box box("sonnet");
  box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
  ASSERT_EQ(box.create({}), IFB_OK);
  EXPECT_EQ(box.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(box.message(), HasSubstr("bytes has no chat template"));
  EXPECT_THAT(box.message(), HasSubstr("--skip-chat-template"));
  dataset_box none("sonnet");
  ASSERT_EQ(none.create({}), IFB_OK);
  EXPECT_EQ(none.prepare(1), IFB_E_CONFIG);
  EXPECT_THAT(none.message(), HasSubstr("--tokenizer-mode"));
}

TEST(sonnet, impossible_values_are_refused_with_their_option) {
  const data_file file(ten_words());
  const data_file* const some = &file;
  const auto refused = [&](settings given, std::int64_t wanted, const char* option,
                           const char* said) {
    SCOPED_TRACE(said);
    given.try_emplace("path", some->path());
    sonnet_bench b(given);
    EXPECT_LT(b.box.prepare(wanted), 0);
    EXPECT_EQ(b.box.option_at_fault(), option);
    EXPECT_THAT(b.box.message(), HasSubstr(said));
  };
  refused({{"input-len", std::to_string(base)}}, 1, "input-len", "without a single line it has 14");
  refused({{"output-len", "x"}}, 1, "output-len", "not \"x\"");
  refused({{"input-len", "x"}}, 1, "input-len", "not \"x\"");
  refused({{"path", "/nowhere/at-all"}}, 1, "path", "cannot read");
  file.write("");
  refused({}, 1, "path", "the file is empty");
}

}  // namespace
