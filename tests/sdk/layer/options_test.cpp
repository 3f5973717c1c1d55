#include <limits>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/options.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::config_of;
using sdk_test::integer_value;
using sdk_test::text_value;

enum class speed { slow, fast };
constexpr const char* speeds[] = {"slow", "fast"};

struct all_types {
  std::string text = "initial";
  std::optional<std::string> maybe_text;
  std::int64_t whole = 5;
  double real = 0.5;
  bool yes = false;
  std::chrono::nanoseconds wait{};
  ifb::byte_count size;
  ifb::path file;
  ifb::json_text body;
  std::vector<std::string> list{"initial"};
  speed pace = speed::slow;
  std::optional<speed> maybe_pace;
  std::string spelled;

  static constexpr auto schema() {
    using ifb::option;
    return std::tuple{
        option{"text", &all_types::text, "Text.", nullptr, IFB_OPT_REQUIRED},
        option{"maybe-text", &all_types::maybe_text, "Text, perhaps."}.flag("perhaps"),
        option{"whole", &all_types::whole, "A number.", "7"}.range(1, 9).value_name("COUNT"),
        option{"real", &all_types::real, "A number."}.general(),
        option{"yes", &all_types::yes, "A switch.", "false", IFB_OPT_ADVANCED}.general(),
        option{"wait", &all_types::wait, "A pause.", "\"1.5ms\""},
        option{"size", &all_types::size, "A size."},
        option{"file", &all_types::file, "A path."},
        option{"body", &all_types::body, "A table.", nullptr, IFB_OPT_SECRET},
        option{"list", &all_types::list, "A list."},
        option{"pace", &all_types::pace, "A choice.", "\"slow\""}.choices(speeds),
        option{"maybe-pace", &all_types::maybe_pace, "A choice."}.choices(speeds),
        option{"spelled", &all_types::spelled, "A choice."}.choices(speeds),
    };
  }
};

constexpr auto table = ifb::option_table<all_types>();

TEST(option_table, follows_the_schema_in_order) {
  const std::vector<std::string> names{"text", "maybe-text", "whole",  "real", "yes",
                                       "wait", "size",       "file",   "body", "list",
                                       "pace", "maybe-pace", "spelled"};
  ASSERT_EQ(table.size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    EXPECT_EQ(table[i].name, names[i]);
    EXPECT_EQ(table[i].struct_size, sizeof(ifb_option));
  }
}

TEST(option_table, takes_the_type_from_the_member) {
  const std::vector<ifb_type> types{IFB_STRING,   IFB_STRING, IFB_INT,   IFB_FLOAT, IFB_BOOL,
                                    IFB_DURATION, IFB_SIZE,   IFB_PATH,  IFB_JSON,  IFB_STRINGS,
                                    IFB_CHOICE,   IFB_CHOICE, IFB_CHOICE};
  ASSERT_EQ(table.size(), types.size());
  for (std::size_t i = 0; i < types.size(); ++i)
    EXPECT_EQ(table[i].type, types[i]) << table[i].name;
}

TEST(option_table, carries_every_attribute) {
  EXPECT_EQ(table[0].flags, IFB_OPT_REQUIRED);
  EXPECT_EQ(table[0].fallback, nullptr);
  EXPECT_EQ(table[0].flag, nullptr);
  EXPECT_STREQ(table[0].help, "Text.");
  EXPECT_STREQ(table[1].flag, "perhaps");
  EXPECT_STREQ(table[2].fallback, "7");
  EXPECT_STREQ(table[2].value_name, "COUNT");
  EXPECT_EQ(table[2].minimum, 1);
  EXPECT_EQ(table[2].maximum, 9);
  EXPECT_EQ(table[3].flags, IFB_OPT_GENERAL);
  EXPECT_EQ(table[4].flags, IFB_OPT_ADVANCED | IFB_OPT_GENERAL);
  EXPECT_EQ(table[8].flags, IFB_OPT_SECRET);
  ASSERT_EQ(table[10].choice_count, 2U);
  EXPECT_STREQ(table[10].choices[1], "fast");
}

std::vector<ifb_value> unset() { return std::vector<ifb_value>(table.size()); }

TEST(read_options, fills_every_type) {
  const ifb_str items[] = {ifb::str("a"), ifb::str("")};
  auto values = unset();
  values[0] = text_value(IFB_STRING, "hello");
  values[1] = text_value(IFB_STRING, "");
  values[2] = integer_value(IFB_INT, std::numeric_limits<std::int64_t>::min());
  values[3].is_set = 1;
  values[3].as.f = std::numeric_limits<double>::infinity();
  values[4] = integer_value(IFB_BOOL, 1);
  values[5] = integer_value(IFB_DURATION, 1'500'000);
  values[6] = integer_value(IFB_SIZE, 65536);
  values[7] = text_value(IFB_PATH, "/tmp/x");
  values[8] = text_value(IFB_JSON, "{\"a\": 1}");
  values[9].is_set = 1;
  values[9].as.list = {items, 2};
  values[10] = text_value(IFB_CHOICE, "fast");
  values[11] = text_value(IFB_CHOICE, "slow");
  values[12] = text_value(IFB_CHOICE, "fast");

  const auto out = ifb::read_options<all_types>(config_of(values));
  EXPECT_EQ(out.text, "hello");
  EXPECT_EQ(out.maybe_text, "");
  EXPECT_EQ(out.whole, std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(out.real, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(out.yes);
  EXPECT_EQ(out.wait, std::chrono::microseconds{1500});
  EXPECT_EQ(out.size.value, 65536);
  EXPECT_EQ(out.file.text, "/tmp/x");
  EXPECT_EQ(out.body.text, "{\"a\": 1}");
  EXPECT_EQ(out.list, (std::vector<std::string>{"a", ""}));
  EXPECT_EQ(out.pace, speed::fast);
  EXPECT_EQ(out.maybe_pace, speed::slow);
  EXPECT_EQ(out.spelled, "fast");
}

TEST(read_options, a_member_without_a_value_keeps_its_initialiser) {
  const auto values = unset();
  const auto out = ifb::read_options<all_types>(config_of(values));
  EXPECT_EQ(out.text, "initial");
  EXPECT_FALSE(out.maybe_text.has_value());
  EXPECT_EQ(out.whole, 5);
  EXPECT_EQ(out.list, std::vector<std::string>{"initial"});
  EXPECT_FALSE(out.maybe_pace.has_value());
}

TEST(read_options, values_that_a_host_does_not_hand_over_count_as_not_set) {
  auto values = unset();
  values[0] = text_value(IFB_STRING, "hello");
  values[2] = integer_value(IFB_INT, 9);
  const auto out = ifb::read_options<all_types>(config_of({values[0], values[1]}));
  EXPECT_EQ(out.text, "hello");
  EXPECT_EQ(out.whole, 5);
  EXPECT_EQ(ifb::read_options<all_types>(config_of({})).text, "initial");
}

TEST(read_options, an_unknown_choice_is_a_failure_that_names_the_option) {
  auto values = unset();
  values[10] = text_value(IFB_CHOICE, "medium");
  try {
    (void)ifb::read_options<all_types>(config_of(values));
    FAIL() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CONFIG);
    EXPECT_EQ(e.option(), "pace");
    EXPECT_EQ(e.message(), "\"medium\" is none of its choices");
  }
}

TEST(option_table, a_plugin_without_options_has_an_empty_one) {
  EXPECT_EQ(ifb::option_table<ifb::no_options>().size(), 0U);
}

TEST(option_checks, refuse_invalid_schemas) {
  const auto one = [](const char* name, const char* help) {
    ifb_option out{};
    out.name = name;
    out.help = help;
    return out;
  };
  using namespace ifb::detail;
  const std::vector<ifb_option> good{one("a-1", "A."), one("b", "B.")};
  EXPECT_TRUE(names_are_kebab_case(good) && names_are_unique(good) && have_help(good));
  for (const char* name : {"", "-a", "a-", "A", "a_b", "a b", "\xC3\xA9"}) {
    const std::vector<ifb_option> bad{one(name, "A.")};
    EXPECT_FALSE(names_are_kebab_case(bad)) << name;
  }
  EXPECT_FALSE(names_are_unique(std::vector{one("a", "A."), one("a", "B.")}));
  EXPECT_FALSE(have_help(std::vector{one("a", "")}));
  auto choice = one("a", "A.");
  choice.type = IFB_CHOICE;
  EXPECT_FALSE(choices_are_named(std::vector{choice}));
  auto required = one("a", "A.");
  required.flags = IFB_OPT_REQUIRED;
  EXPECT_TRUE(required_has_no_fallback(std::vector{required}));
  required.fallback = "1";
  EXPECT_FALSE(required_has_no_fallback(std::vector{required}));
}

}  // namespace
