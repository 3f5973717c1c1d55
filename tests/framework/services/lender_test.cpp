#include "services/lender.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/dataset/fake_dataset.hpp"
#include "framework/services/fake_tokenizer.hpp"

namespace inferbench::services {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Lets a lender create the tokenizer of `plan`.
class lender_of_tokenizers : public ::testing::Test {
 protected:
  using without_files = fake::absent<IFB_E_CONFIG>;
  using with_other_files = fake::absent<IFB_E_UNSUPPORTED>;  // only another plugin can read them
  using working = fake::words;

  lender_of_tokenizers() { plan.server.base_urls = {"http://127.0.0.1:1"}; }

  void create() {
    base::output out(stdout);
    lender host(plan.server, plan.seed, clock, book.log, out);
    chosen = {};
    if (plan.tokenizer)
      chosen =
          host.create_tokenizer(*plan.tokenizer, plan.tokenizers_after, !plan.tokenizer_id.empty());
    created = host.tokens() == nullptr ? "" : host.tokens()->name();
    EXPECT_EQ(host.services().tokenizer != nullptr, !created.empty());
  }
  std::string complaint() {
    try {
      create();
    } catch (const base::error& e) {
      return e.what();
    }
    return "none";
  }

  base::monotonic_clock clock;
  fake::log_book book;
  config::plan plan;
  std::string created;            // the name of the tokenizer; empty: there is none
  options::plugin_choice chosen;  // the result of create_tokenizer()
};

TEST_F(lender_of_tokenizers, creates_no_tokenizer_if_the_plan_has_none) {
  create();
  EXPECT_EQ(created, "");
}

TEST_F(lender_of_tokenizers, uses_the_first_tokenizer_if_it_works) {
  plan.tokenizer = fake::choice<working>("hf");
  plan.tokenizers_after = {fake::choice<working>("server")};
  create();
  EXPECT_EQ(created, "hf");
  EXPECT_EQ(chosen.use, "hf");
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, tries_the_next_tokenizer_if_the_files_have_another_format) {
  plan.tokenizer = fake::choice<with_other_files>("hf");
  plan.tokenizers_after = {fake::choice<with_other_files>("a"), fake::choice<working>("b"),
                           fake::choice<working>("server")};
  create();
  EXPECT_EQ(created, "b");
  EXPECT_EQ(chosen.use, "b");
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, uses_the_server_tokenizer_and_warns_if_there_are_no_files) {
  plan.tokenizer = fake::choice<without_files>("hf");
  plan.tokenizers_after = {fake::choice<working>("a"), fake::choice<working>("server")};
  create();
  EXPECT_EQ(created, "server");
  EXPECT_THAT(book.lines(),
              ElementsAre("the model's own tokenizer cannot be used, so the server counts "
                          "tokens: tokenizer fake: found no tokenizer.json"));
}

TEST_F(lender_of_tokenizers, does_not_replace_a_named_tokenizer) {
  plan.tokenizer_id = "org/name";
  plan.tokenizer = fake::choice<without_files>("hf");
  plan.tokenizers_after = {fake::choice<working>("server")};
  EXPECT_THAT(complaint(), HasSubstr("found no tokenizer.json"));
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, throws_the_error_about_missing_files_if_no_tokenizer_works) {
  plan.tokenizer = fake::choice<without_files>("hf");
  EXPECT_THAT(complaint(), HasSubstr("tokenizer fake: found no tokenizer.json"));
  plan.tokenizer = fake::choice<with_other_files>("hf");
  plan.tokenizers_after = {fake::choice<without_files>("a")};
  EXPECT_THAT(complaint(), HasSubstr("tokenizer fake: found no tokenizer.json"));
  plan.tokenizer = fake::choice<without_files>("hf");
  plan.tokenizers_after = {fake::choice<working>("tiktoken")};
  EXPECT_THAT(complaint(), HasSubstr("found no tokenizer.json"))
      << "only the server tokenizer replaces a tokenizer without files";
  EXPECT_THAT(book.lines(), IsEmpty());
}

}  // namespace
}  // namespace inferbench::services
