// Tests the flags of `serve` that set an option of any plugin: lengths, sampling, the end of
// sequence. general_options_test.cpp tests which options they set.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/serve_bench.hpp"

namespace inferbench::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class serve_general_flags : public serve_bench {};

TEST_F(serve_general_flags, general_lengths_take_precedence_over_lengths_of_the_dataset) {
  for (const auto& args : {std::vector<std::string>{"--input-len", "5", "--random-input-len", "6",
                                                    "--output-len", "9"},
                           std::vector<std::string>{"--random-input-len", "6", "--output-len", "9",
                                                    "--input-len", "5"}}) {
    const plan p = plan_of(args);
    EXPECT_EQ(dataset_value(p, "input-len").integer, 5);
    EXPECT_EQ(dataset_value(p, "output-len").integer, 9);
  }
}

TEST_F(serve_general_flags, a_general_length_that_the_dataset_lacks_is_ignored_with_a_warning) {
  const request r =
      parse({"--dataset-name", "sharegpt", "--dataset-path", "x", "--input-len", "5"});
  EXPECT_THAT(r.warnings, testing::Contains("--input-len has no effect: dataset sharegpt has no "
                                            "option input-len"));
}

TEST_F(serve_general_flags, synthetic_prompts_run_past_the_end_of_sequence) {
  EXPECT_EQ(plan_of({}).backend.find("ignore-eos")->integer, 1);
  const std::vector<std::string> sharegpt{"--dataset-name", "sharegpt", "--dataset-path", "x"};
  EXPECT_EQ(plan_of(sharegpt).backend.find("ignore-eos")->integer, 0);
  EXPECT_EQ(plan_of({"--ignore-eos=false"}).backend.find("ignore-eos")->integer, 0);
}

TEST_F(serve_general_flags, synthetic_prompts_of_other_authors_run_past_the_end_of_sequence_too) {
  const auto ignores = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"--dataset-name", "guest-random"});
    const plan p = plan_of(more);
    const options::option_value* value = p.backend.find("ignore-eos");
    return value == nullptr ? -1 : value->integer;
  };
  EXPECT_EQ(ignores({}), 1);
  EXPECT_EQ(ignores({"--backend", "openai-chat"}), 1);
  EXPECT_EQ(ignores({"--ignore-eos=false"}), 0) << "the user has decided";
  EXPECT_EQ(ignores({"--backend", "audio"}), -1) << "the protocol has no sampling fields";
  EXPECT_EQ(plan_of({"--dataset-name", "hub"}).backend.find("ignore-eos")->integer, 0);
}

TEST_F(serve_general_flags, sampling_flags_are_members_of_extra_body) {
  const auto body = [&](std::vector<std::string> args) {
    return plan_of(std::move(args)).backend.find("extra-body")->text;
  };
  EXPECT_EQ(body({"--temperature", "0", "--top-k", "40"}), R"({"top_k": 40, "temperature": 0.0})");
  EXPECT_EQ(body({"--temperature", "0", "--extra-body", R"({"temperature": 1, "x": null})"}),
            R"({"temperature": 1, "x": null})");
  EXPECT_EQ(body({"--top-p=.9", "--extra-body.a.b", "3"}), R"({"top_p": 0.9, "a": {"b": 3}})");
  EXPECT_EQ(plan_of({}).backend.find("extra-body"), nullptr);
}

TEST_F(serve_general_flags, a_missing_temperature_is_mentioned) {
  EXPECT_THAT(parse({}).warnings, ElementsAre(HasSubstr("--temperature 0")));
  EXPECT_THAT(parse({"--temperature", "0"}).warnings, IsEmpty());
  EXPECT_THAT(parse({"--extra-body.temperature", "0"}).warnings, IsEmpty());
}

TEST_F(serve_general_flags, backends_without_sampling_refuse_the_flags_and_pooling_ignores_them) {
  EXPECT_EQ(complaint({"--backend", "audio", "--top-k", "3"}),
            "--top-k: backend audio takes no sampling flags, so 3 cannot be sent; leave it out");
  EXPECT_EQ(
      complaint({"--backend", "forms", "--top-k", "3"}),
      "--top-k: backend forms takes no sampling flags, so 3 cannot be sent; use --forms-top-k");
  const request r = parse({"--backend", "embed", "--top-k", "3"});
  EXPECT_EQ(r.plan.backend.find("extra-body"), nullptr);
  EXPECT_THAT(r.warnings, ElementsAre("--top-k has no effect: backend embed does not generate"));
  EXPECT_THAT(r.plan.figures.selected, ElementsAre("e2el"));
}

TEST_F(serve_general_flags, an_option_that_the_backend_lacks_is_a_warning) {
  const request r = parse({"--backend", "openai-chat", "--logprobs", "3", "--temperature", "0"});
  EXPECT_THAT(r.warnings, ElementsAre("--logprobs has no effect: backend openai-chat has no option "
                                      "logprobs"));
}

TEST_F(serve_general_flags, a_general_flag_is_named_where_a_plugins_own_is_meant) {
  EXPECT_THAT(complaint_of([&] { (void)parse({"--openai-endpoint", "/v1/go"}); }),
              HasSubstr("unknown flag --openai-endpoint; --endpoint sets this option of every "
                        "plugin"));
}

}  // namespace
}  // namespace inferbench::config
