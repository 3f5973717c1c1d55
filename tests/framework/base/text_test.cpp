#include "base/text.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::base {

using testing::ElementsAre;

TEST(trim, takes_white_space_off_both_ends) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("   "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(split, keeps_empty_pieces) {
  EXPECT_THAT(split("a,,b,", ','), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(split("", ','), ElementsAre(""));
}

TEST(equal_no_case, compares_ascii_letters_without_case) {
  EXPECT_TRUE(equal_no_case("Content-Type", "content-TYPE"));
  EXPECT_FALSE(equal_no_case("Content-Type", "Content-Typ"));
}

TEST(lower_case, changes_only_the_letters_of_ascii) {
  std::string all;
  for (int byte = 0; byte < 256; ++byte)
    all += static_cast<char>(byte);
  const std::string low = lower_case(all);
  ASSERT_EQ(low.size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool capital = i >= 'A' && i <= 'Z';
    EXPECT_EQ(low[i], capital ? static_cast<char>(i + ('a' - 'A')) : all[i]) << i;
    EXPECT_EQ(lower_case(all[i]), low[i]) << i;
  }
  EXPECT_EQ(lower_case("X-vLLM-\xC3\x89"), "x-vllm-\xC3\x89");
}

TEST(nearest, finds_the_most_similar_name) {
  const std::vector<std::string> names{"--request-rate", "--random-input-len", "--seed"};
  EXPECT_EQ(nearest("--reqest-rate", names), "--request-rate");
  EXPECT_EQ(nearest("--sede", names), "--seed");
  EXPECT_EQ(nearest("--colour", names), "");
  EXPECT_EQ(did_you_mean("--sed", names), "did you mean --seed?");
  EXPECT_EQ(did_you_mean("zzzzzzzz", names), "");
}

TEST(parse_int, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_int("42"), 42);
  EXPECT_EQ(parse_int("+42"), 42);
  EXPECT_EQ(parse_int("-7"), -7);
  for (const char* bad : {"", "4 2", "4.0", "0x10", "+-3", "99999999999999999999", "k"})
    EXPECT_EQ(parse_int(bad), std::nullopt) << bad;
}

TEST(parse_float, knows_infinity_and_exponents) {
  EXPECT_EQ(parse_float("1e3"), 1000.0);
  EXPECT_EQ(parse_float("inf"), INFINITY);
  EXPECT_EQ(parse_float("-inf"), -INFINITY);
  EXPECT_TRUE(std::isnan(parse_float("nan").value()));
  for (const char* bad : {"", "1,5", "1.5x", " 1"})
    EXPECT_EQ(parse_float(bad), std::nullopt) << bad;
}

TEST(shortest, is_written_as_python_writes_floats) {
  EXPECT_EQ(shortest(10), "10.0");
  EXPECT_EQ(shortest(0.5), "0.5");
  EXPECT_EQ(shortest(1e16), "1e+16");
  EXPECT_EQ(shortest(123456789012345680.0), "1.2345678901234568e+17");
  EXPECT_EQ(shortest(1e15), "1000000000000000.0");
  EXPECT_EQ(shortest(0.0001), "0.0001");
  EXPECT_EQ(shortest(0.00001), "1e-05");
  EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(shortest(-0.0), "-0.0");
  EXPECT_EQ(shortest(INFINITY), "inf");
}

TEST(valid_utf8, replaces_each_maximal_bad_part_once) {
  EXPECT_EQ(valid_utf8("a\xC3\xA9"), "a\xC3\xA9");
  EXPECT_EQ(valid_utf8("\xF0\x9F\x98x"), "\xEF\xBF\xBDx");
  EXPECT_EQ(valid_utf8("\xFF\xFE"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(valid_utf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
}

TEST(one_line, has_a_blank_for_each_control_character_and_is_valid_utf8) {
  EXPECT_EQ(one_line("a\nb\tc\x1B[1m\x7F"), "a b c [1m ");
  EXPECT_EQ(one_line("\xC3\xA9\xFF"), "\xC3\xA9\xEF\xBF\xBD");
}

TEST(read_file, names_the_path_that_cannot_be_read) {
  try {
    std::ignore = read_file("/nonexistent/file");
    FAIL();
  } catch (const error& e) {
    EXPECT_STREQ(e.what(), "cannot read /nonexistent/file: No such file or directory");
  }
}

TEST(read_file, a_folder_is_an_error_and_no_crash) {
  const std::string want = "cannot read /: Is a directory";
  try {
    std::ignore = read_file("/");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.what(), want);
  }
  try {
    std::ignore = sha256_of_file("/");
    FAIL();
  } catch (const error& e) {
    EXPECT_EQ(e.what(), want);
  }
}

TEST(read_file, is_the_bytes_of_the_file_however_many) {
  const support::temporary_folder box;
  for (const std::size_t size : {0U, 1U, 65536U, 200'000U}) {
    std::string content(size, '\0');
    for (std::size_t i = 0; i < size; ++i)
      content[i] = static_cast<char>(i % 251);
    EXPECT_EQ(read_file(box.write("file", content)), content);
  }
}

TEST(sha256_of_file, is_the_digest_of_its_bytes) {
  const support::temporary_folder box;
  EXPECT_EQ(sha256_of_file(box.write("file", "abc")),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(whole_or_shortest, has_a_decimal_point_only_if_the_number_is_not_whole) {
  EXPECT_EQ(whole_or_shortest(128), "128");
  EXPECT_EQ(whole_or_shortest(-2), "-2");
  EXPECT_EQ(whole_or_shortest(0.5), "0.5");
  EXPECT_EQ(whole_or_shortest(999'999'999'999'999.0), "999999999999999");
  EXPECT_EQ(whole_or_shortest(1e15), shortest(1e15));
  EXPECT_EQ(whole_or_shortest(1e300), "1e+300");
  EXPECT_EQ(whole_or_shortest(INFINITY), "inf");
  EXPECT_EQ(whole_or_shortest(NAN), "nan");
}

TEST(shell_word, is_quoted_if_necessary) {
  EXPECT_EQ(shell_word("--x=1,2"), "--x=1,2");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a b"), "'a b'");
  EXPECT_EQ(shell_word("it's"), R"('it'\''s')");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
}

TEST(help_row, breaks_the_text_beside_the_option) {
  EXPECT_EQ(help_row("  --a", "one two three", 8, 16), "  --a   one two\n        three\n");
  EXPECT_EQ(help_row("  --a-long-name", "one", 8, 30), "  --a-long-name  one\n");
  EXPECT_EQ(help_row("  --a", "longer-than-a-line", 8, 12), "  --a   longer-than-a-line\n");
}

TEST(read_regular_file, takes_no_more_than_the_limit) {
  const support::temporary_folder box;
  const std::string path = box.write("file", "12345");
  EXPECT_EQ(read_regular_file(path, 5), "12345");
  EXPECT_THROW((void)read_regular_file(path, 4), error);
  EXPECT_THROW((void)read_regular_file(box.path("none"), 4), error);
  EXPECT_THROW((void)read_regular_file("/dev/null", 4), error);
}

}  // namespace inferbench::base
