#include <fstream>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::stale_error;

constexpr ifb_option option_named(const char* name) {
  ifb_option out{};
  out.struct_size = sizeof out;
  out.name = name;
  return out;
}
constexpr ifb_option options[] = {option_named("model"), option_named("url")};

template <typename thrower>
ifb_error thrown(ifb_status expected, thrower&& body) {
  ifb_error error = stale_error();
  const ifb_status status = ifb::guard(&error, options, body);
  EXPECT_EQ(status, expected);
  EXPECT_EQ(error.code, expected);
  return error;
}

TEST(guard, a_call_that_returns_nothing_is_ok_and_does_not_change_the_error) {
  ifb_error error = stale_error();
  EXPECT_EQ(ifb::guard(&error, [] {}), IFB_OK);
  EXPECT_STREQ(error.message, "stale");
}

TEST(guard, a_status_passes_through) {
  EXPECT_EQ(ifb::guard(nullptr, []() -> ifb_status { return IFB_MORE; }), IFB_MORE);
}

TEST(guard, a_failure_keeps_its_code_and_names_its_option) {
  const ifb_error error =
      thrown(IFB_E_CONFIG, [] { throw ifb::failure(IFB_E_CONFIG, "expected http", "url"); });
  EXPECT_EQ(error.option, 1);
  EXPECT_STREQ(error.message, "expected http");
}

TEST(guard, a_failure_without_or_with_an_unknown_option_has_index_minus_one) {
  EXPECT_EQ(thrown(IFB_E_IO, [] { throw ifb::failure(IFB_E_IO, "x"); }).option, -1);
  EXPECT_EQ(thrown(IFB_E_IO, [] { throw ifb::failure(IFB_E_IO, "x", "nope"); }).option, -1);
}

TEST(guard, a_failure_with_a_code_of_success_is_still_a_failure) {
  thrown(IFB_E_INTERNAL, [] { throw ifb::failure(IFB_OK, "x"); });
  thrown(IFB_E_INTERNAL, [] { throw ifb::failure(IFB_END, "x"); });
}

TEST(guard, exceptions_of_the_library_map_by_kind) {
  EXPECT_STREQ(thrown(IFB_E_MEMORY, [] { throw std::bad_alloc{}; }).message, "out of memory");
  thrown(IFB_E_IO, [] {
    throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory));
  });
  thrown(IFB_E_IO, [] {
    std::ifstream file("/nonexistent/file");
    file.exceptions(std::ios::failbit);
  });
  EXPECT_STREQ(thrown(IFB_E_INTERNAL, [] { throw std::runtime_error("broken"); }).message,
               "broken");
}

TEST(guard, a_thrown_value_that_is_not_an_exception_is_internal_too) {
  EXPECT_STREQ(thrown(IFB_E_INTERNAL, [] { throw 5; }).message, "an exception of unknown type");
}

TEST(guard, works_without_an_error_to_fill) {
  EXPECT_EQ(ifb::guard(nullptr, [] { throw std::bad_alloc{}; }), IFB_E_MEMORY);
}

TEST(fill, a_long_message_is_cut_and_terminated) {
  ifb_error error = stale_error();
  ifb::fill(&error, IFB_E_IO, std::string(5000, 'a'), 3);
  EXPECT_EQ(std::string(error.message), std::string(sizeof error.message - 1, 'a'));
  EXPECT_EQ(error.option, 3);
}

TEST(fill, a_cut_never_splits_a_utf8_sequence) {
  // Sequences of 2, 3 and 4 bytes, placed so that the limit falls on each byte.
  for (const std::string sequence : {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80"}) {
    for (std::size_t inside = 0; inside <= sequence.size(); ++inside) {
      const std::string before(sizeof(ifb_error::message) - 1 - inside, 'a');
      ifb_error error = stale_error();
      ifb::fill(&error, IFB_E_IO, before + sequence + "tail that does not fit");
      std::string expected = before;
      if (inside == sequence.size()) expected += sequence;
      EXPECT_EQ(std::string(error.message), expected) << sequence << " " << inside;
    }
  }
}

TEST(fill, invalid_utf8_is_cut_at_the_limit) {
  ifb_error error = stale_error();
  ifb::fill(&error, IFB_E_IO, std::string(5000, '\x80'));
  EXPECT_EQ(std::strlen(error.message), sizeof error.message - 1);
}

TEST(fill, invalid_utf8_in_a_message_is_marked) {
  ifb_error error = stale_error();
  ifb::fill(&error, IFB_E_DATA, "line 3: \"a\xFF\xE2\x82 \xE2\x82\xAC\"");
  EXPECT_STREQ(error.message, "line 3: \"a?? \xE2\x82\xAC\"");
}

TEST(fill, a_zero_byte_ends_the_message) {
  ifb_error error = stale_error();
  ifb::fill(&error, IFB_E_IO, std::string_view("ab\0cd", 5));
  EXPECT_STREQ(error.message, "ab");
  for (const std::string_view nothing : {std::string_view(), std::string_view("\0b", 2)}) {
    ifb::fill(&error, IFB_E_REMOTE, nothing);
    EXPECT_STREQ(error.message, "no reason was given");
  }
}

TEST(cut_utf8, keeps_the_part_that_fits) {
  EXPECT_EQ(ifb::cut_utf8("abc", 3), "abc");
  EXPECT_EQ(ifb::cut_utf8("abc", 0), "");
  EXPECT_EQ(ifb::cut_utf8("\xC3\xA9", 1), "");
}

}  // namespace
