// Tests the JSON functions of the C template of a backend, also by a comparison with RapidJSON.
extern "C" {
#include "backend/c/json.h"
}

#include <optional>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <inferbench/json_reader.hpp>

namespace {

using namespace std::string_literals;
using text_or_nothing = std::optional<std::string>;

constexpr std::string_view document =
    R"( {"a": [1, {"b": "x\"}y"}], "c" : {"d":-5 , "n": 42}, "e": "\u00e9\ud83d\ude00\n", "f": null} )";

text_or_nothing found_in(std::string_view text, const std::string& path) {
  json_view found{};
  if (json_find({text.data(), text.size()}, path.c_str(), &found) == 0) return std::nullopt;
  return std::string(found.data, found.size);
}

std::string unquoted(std::string_view value) {
  std::string room(value.size() + 1, '#');
  const std::size_t size = json_unquote(room.data(), {value.data(), value.size()});
  EXPECT_EQ(room.at(size), '\0');
  return room.substr(0, size);
}

TEST(json_of_templates, a_value_is_found_by_its_path) {
  const std::pair<const char*, const char*> wanted[] = {
      {"a.0", "1"},  {"a.1.b", R"("x\"}y")"}, {"c.d", "-5"},
      {"c.n", "42"}, {"f", "null"},           {"a.1", R"({"b": "x\"}y"})"},
  };
  for (const auto& [path, value] : wanted) {
    EXPECT_EQ(found_in(document, path), value) << path;
  }
  for (const char* path : {"g", "a.2", "a.b", "c.d.e", "a.1.b.0", ""}) {
    EXPECT_EQ(found_in(document, path), std::nullopt) << path;
  }
}

TEST(json_of_templates, a_string_is_read_with_its_escapes) {
  const std::pair<std::string, std::string> wanted[] = {
      {R"("")", ""},
      {R"("\"\\\/\b\f\n\r\t")", "\"\\/\b\f\n\r\t"},
      {R"("\u0041\u00e9\u4e2d\ud83d\ude00")", "A\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80"},
      {R"("\ud83d")", "\xEF\xBF\xBD"},
      {R"("\ud83d\u0041")",
       "\xEF\xBF\xBD"
       "A"},
      {R"("\ude00")", "\xEF\xBF\xBD"},
      {"\"\xC3\xA9\xF4\x8F\xBF\xBF\"", "\xC3\xA9\xF4\x8F\xBF\xBF"},
  };
  for (const auto& [value, text] : wanted) {
    EXPECT_EQ(unquoted(value), text) << value;
  }
  for (const std::string value : {"", "\"", "5", "null", "\"a", "\"a\"b\"", R"("\x")", R"("\u12")",
                                  R"("\u12g4")", R"("\")"}) {
    EXPECT_EQ(unquoted(value), "") << value;
  }
}

TEST(json_of_templates, invalid_utf8_is_not_passed_on) {
  for (const char* bad : {"\xFF", "\x80", "\xC3", "\xC0\x80", "\xE0\x80\x80", "\xED\xA0\x80",
                          "\xF4\x90\x80\x80", "\xF0\x80\x80\x80", "\xE4\xB8"}) {
    const std::string text = unquoted("\"a" + std::string(bad) + "b\"");
    EXPECT_TRUE(text.starts_with("a?") && text.ends_with("b")) << text;
    EXPECT_EQ(text.find_first_not_of("a?b"), std::string::npos) << text;
  }
}

TEST(json_of_templates, numbers_are_whole_or_minus_one) {
  const std::pair<const char*, std::int64_t> wanted[] = {{"0", 0},
                                                         {"42", 42},
                                                         {"123456789012345678", 123456789012345678},
                                                         {"4.5", -1},
                                                         {"\"4\"", -1},
                                                         {"", -1},
                                                         {"null", -1},
                                                         {"99999999999999999999", -1}};
  for (const auto& [value, number] : wanted)
    EXPECT_EQ(json_integer({value, std::char_traits<char>::length(value)}), number) << value;
}

/// The JSON text of the value at `path`, found with RapidJSON; the inner optional is empty if there
/// is no such value. nullopt if `text` is not valid JSON.
std::optional<text_or_nothing> expected_in(const std::string& text, const char* path) {
  ifb::json_document tree;
  if (ifb::parse_json(text, tree)) return std::nullopt;
  ifb::mend_surrogates(tree);  // as read_json() does
  const auto* const value = ifb::find_path(tree, path);
  return value == nullptr ? text_or_nothing() : text_or_nothing(ifb::to_text(*value));
}

// Each text has memory of its own, so that a sanitizer detects a read past its end. The sanitizer
// does not detect a read of the zero behind the text, nor a read behind a text of a few bytes,
// which lies inside the string object.
TEST(json_of_templates, a_text_cut_anywhere_or_changed_anywhere_is_read_as_far_as_it_is_json) {
  int compared = 0;
  for (const char* path : {"a.1.b", "c.d", "e", "f", "g"}) {
    for (std::size_t end = 0; end <= document.size(); ++end) {
      const std::string cut(document.substr(0, end));
      if (const auto found = found_in(cut, path)) unquoted(*found);
      for (const char byte : {'"', '\\', '{', ']', ',', '\0', '\xFF'}) {
        std::string changed(document);
        if (end < changed.size()) changed[end] = byte;
        const auto found = found_in(changed, path);
        if (found) unquoted(*found);
        if (const auto expected = expected_in(changed, path)) {
          EXPECT_EQ(found ? text_or_nothing(ifb::to_text(ifb::read_json(*found))) : std::nullopt,
                    *expected)
              << changed;
          ++compared;
        }
      }
    }
  }
  EXPECT_GT(compared, 100);
}

TEST(json_of_templates, a_string_is_written_so_that_it_can_be_read) {
  const std::string text = "a\"\\\n\x01\x1F\xC3\xA9\0b"s;
  std::string room(json_quoted_size(text.size()), '#');
  const char* end = json_quote(room.data(), text.data(), text.size());
  room.resize(static_cast<std::size_t>(end - room.data()));
  EXPECT_EQ(room, "\"a\\\"\\\\\\u000a\\u0001\\u001f\xC3\xA9\\u0000b\"");
  const ifb::json_document tree = ifb::read_json(room);
  EXPECT_EQ(ifb::text_of(&tree), text);
  EXPECT_EQ(unquoted(room), text);
}

}  // namespace
