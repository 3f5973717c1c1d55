#include "config/plan.hpp"

#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"

namespace inferbench::config {
namespace {

plan plan_of(std::vector<std::string> args) {
  static fake_catalog plugins;  // its tables must outlive the plan
  return parse_serve(args, test_environment(), plugins).plan;
}

TEST(plan, a_refusal_names_the_flag_that_set_the_option) {
  const plan p = plan_of({"--dataset-name", "prefix_repetition", "--prefix-repetition-tags", "x",
                          "y", "--prefix-repetition-num-prefixes", "4"});
  EXPECT_EQ(complaint_of([&] { (void)p.dataset.create({}); }),
            "--prefix-repetition-tags: dataset prefix_repetition: 2 tags, first x, prefixes 4");
}

TEST(plan, a_refusal_of_a_default_names_the_key) {
  const plan p = plan_of({"--dataset-name", "prefix_repetition"});
  EXPECT_EQ(complaint_of([&] { (void)p.dataset.create({}); }),
            "dataset.tags: dataset prefix_repetition: 1 tags, first a, prefixes 10");
}

TEST(plan, a_later_refusal_is_explained_in_the_same_way) {
  const plan p = plan_of({"--random-input-len", "5"});
  const auto refuse = [&](int option) {
    return complaint_of(
        [&] { p.dataset.call([&] { throw plugin::refused("too short", option, IFB_E_CONFIG); }); });
  };
  EXPECT_EQ(refuse(0), "--random-input-len: too short");
  EXPECT_EQ(refuse(1), "dataset.output-len: too short");
  EXPECT_EQ(refuse(-1), "too short");
  EXPECT_EQ(refuse(99), "too short");
  EXPECT_EQ(p.dataset.call([] { return 3; }), 3);
}

TEST(plan, an_accepted_plugin_is_created) {
  EXPECT_NE(plan_of({}).dataset.create({})->get(), nullptr);
}

TEST(plan, an_option_is_found_by_name_when_it_is_declared_and_set) {
  const plan p = plan_of({});
  ASSERT_NE(p.dataset.find("input-len"), nullptr);
  EXPECT_EQ(p.dataset.find("input-len")->integer, 1024);
  EXPECT_EQ(p.dataset.find("path"), nullptr);
  EXPECT_EQ(p.backend.find("logprobs"), nullptr);
}

}  // namespace
}  // namespace inferbench::config
