// Tests invalid templates, and options that do not fit a template: the cases are
// tests/fixtures/backends/template/files.json.
#include <filesystem>
#include <random>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/backends/template_case.hpp"
#include "support/sanitizer.hpp"

namespace backends {
namespace {

support::settings with(const std::string& file, support::settings more = {}) {
  more.try_emplace("model", "m");
  more["file"] = file;
  return more;
}

TEST(template_files, that_are_wrong_are_refused_with_file_line_and_remedy) {
  const auto cases = fixture("template/files.json");
  ASSERT_GT(cases.Size(), 40U);
  for (const auto& c : cases.GetArray()) {
    SCOPED_TRACE(c["name"].GetString());
    const template_case files(c);
    codec_box box("template");
    auto options = files.options();
    options.try_emplace("model", "m");
    EXPECT_EQ(box.plugin.create(options), IFB_E_CONFIG);
    EXPECT_EQ(box.plugin.option_at_fault(), "file");
    const std::string message = c["message"].GetString();
    EXPECT_THAT(box.plugin.error.message,
                testing::HasSubstr((message.starts_with(':') ? files.file : "") + message));
    EXPECT_THAT(box.plugin.error.message, testing::Not(testing::HasSubstr("\n")));
  }
}

TEST(template_files, that_are_examples_are_all_accepted) {
  std::size_t count = 0;
  for (const auto& each : std::filesystem::directory_iterator(template_case::example(""))) {
    SCOPED_TRACE(each.path());
    codec_box streamed("template");
    EXPECT_EQ(streamed.plugin.create(with(each.path())), IFB_OK) << streamed.plugin.error.message;
    codec_box whole("template");
    EXPECT_EQ(whole.plugin.create(with(each.path(), {{"whole", std::int64_t{1}}})), IFB_OK)
        << whole.plugin.error.message;
    ++count;
  }
  EXPECT_GE(count, 8U);
}

TEST(template_files, that_are_none_are_refused) {
  const inferbench::support::temporary_folder folder;
  for (const std::string& file : {folder.path("absent.toml"), folder.path(), std::string()}) {
    codec_box box("template");
    EXPECT_EQ(box.plugin.create(with(file)), IFB_E_CONFIG);
    EXPECT_EQ(box.plugin.option_at_fault(), "file");
    EXPECT_THAT(box.plugin.error.message,
                testing::HasSubstr(file + " is not a file; give the path of a template"));
  }
  codec_box box("template");
  EXPECT_EQ(box.plugin.create(with(folder.write("big.toml", std::string(2'000'000, '\n')))),
            IFB_E_CONFIG);
  EXPECT_THAT(box.plugin.error.message, testing::HasSubstr("is larger than 1 MiB"));
}

TEST(template_files, nested_without_end_are_refused) {
  const inferbench::support::temporary_folder folder;
  const auto nested = [&](std::size_t depth) {
    return folder.write("t.toml",
                        "[request]\npath = \"/a\"\n[request.body]\na = \"{{prompt}}\"\n"
                        "b = " +
                            std::string(depth, '[') + std::string(depth, ']') +
                            "\n[stream]\ntext = \"t\"\n");
  };
  codec_box good("template");
  EXPECT_EQ(good.plugin.create(with(nested(20))), IFB_OK) << good.plugin.error.message;
  for (const std::size_t depth : {40U, 300U, 100'000U}) {
    codec_box box("template");
    EXPECT_EQ(box.plugin.create(with(nested(depth))), IFB_E_CONFIG);
    EXPECT_THAT(box.plugin.error.message, testing::HasSubstr("t.toml:5: "));
  }
}

TEST(template_files, with_any_byte_changed_do_not_crash) {
  const inferbench::support::temporary_folder folder;
  std::ifstream in(template_case::example("sglang.toml"));
  std::stringstream whole;
  whole << in.rdbuf();
  const std::string text = whole.str();
  ASSERT_GT(text.size(), 500U);
  std::mt19937 random(1);
  const std::size_t step = text.size() / inferbench::support::reduced(text.size());
  for (std::size_t at = 0; at < text.size(); at += step) {
    std::string changed = text;
    changed[at] = static_cast<char>(random());
    codec_box box("template");
    if (box.plugin.create(with(folder.write("t.toml", changed))) == IFB_OK) {
      // A template that has lost its {{prompt}} refuses the prompt.
      if (box.try_open_any() == IFB_OK)
        (void)box.body();
      else
        EXPECT_STRNE(box.error.message, "");
    } else {
      EXPECT_STRNE(box.plugin.error.message, "");
    }
  }
}

struct refusal {
  support::settings given;
  const char* option;
  const char* message;
};

TEST(template_options, that_are_unusable_are_refused_by_name) {
  const inferbench::support::temporary_folder folder;
  const std::string streamed = folder.write(
      "s.toml",
      "[request]\npath = \"/{{prompt}}\"\n[stream]\ntext = \"t\"\n[request.headers]\na = \"b\"\n");
  const refusal cases[] = {
      {{{"model", ""}, {"file", streamed}}, "model", "the name of the model is empty"},
      {{{"endpoint", "v1"}, {"file", streamed}}, "endpoint", "expected a path that begins with /"},
      {{{"endpoint", "/{{modle}}"}, {"file", streamed}},
       "endpoint",
       "there is no placeholder {{modle}}; did you mean model?"},
      {{{"whole", std::int64_t{1}}, {"file", streamed}},
       "whole",
       "s.toml has no [whole]; let the answer be streamed"},
      {{{"extra-body", R"({"stream":false})"}, {"file", template_case::example("tgi.toml")}},
       "",
       ""},
      {{{"extra-body", R"({"a":1})"}, {"file", streamed}},
       "extra-body",
       "s.toml has no [request.body] to lay a over"},
      {{{"extra-body", "[1]"}, {"file", streamed}},
       "extra-body",
       "not a JSON object (the JSON value is not an object); write {\"name\": value, ...}"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.message);
    codec_box box("template");
    support::settings given = c.given;
    given.try_emplace("model", "m");
    EXPECT_EQ(box.plugin.create(given), *c.option == '\0' ? IFB_OK : IFB_E_CONFIG);
    EXPECT_EQ(box.plugin.option_at_fault(), c.option);
    EXPECT_THAT(box.plugin.error.message, testing::HasSubstr(c.message));
  }
}

TEST(template_options, name_no_place_of_the_file_for_a_placeholder_of_the_endpoint) {
  const inferbench::support::temporary_folder folder;
  const std::string file =
      folder.write("a: b.toml", "[request]\npath = \"/{{prompt}}\"\n[stream]\ntext = \"t\"\n");
  const auto message = [&](const char* endpoint) {
    codec_box box("template");
    EXPECT_EQ(box.plugin.create({{"endpoint", endpoint}, {"file", file}, {"model", "m"}}),
              IFB_E_CONFIG);
    return std::string(box.plugin.error.message);
  };
  EXPECT_THAT(message("/{{modle}}"), testing::StartsWith("there is no placeholder {{modle}}; "));
  EXPECT_EQ(message("/{{seed}}\t"),
            "a value in the path \"/{{seed}} \" is not given; give it with --extra-body, or write "
            "it into the path");
}

TEST(template_options, without_a_placeholder_are_reported) {
  const auto log = [](const char* example, support::settings more) {
    codec_box box("template");
    EXPECT_EQ(box.plugin.create(with(template_case::example(example), std::move(more))), IFB_OK);
    return box.plugin.host.log();
  };
  const support::settings on{{"ignore-eos", std::int64_t{1}}};
  EXPECT_THAT(log("tgi.toml", on),
              testing::ElementsAre("tgi.toml has no {{ignore_eos}}: answers may end before the "
                                   "wanted length"));
  EXPECT_THAT(log("sglang.toml", on), testing::IsEmpty());
  EXPECT_THAT(log("tgi.toml", {}), testing::IsEmpty());
}

}  // namespace
}  // namespace backends
