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

class lender_of_tokenizers : public ::testing::Test {
 protected:
  using nowhere = fake::absent<IFB_E_CONFIG>;
  using elsewhere = fake::absent<IFB_E_UNSUPPORTED>;
  using fine = fake::words;

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
  std::string created;
  options::plugin_choice chosen;
};

TEST_F(lender_of_tokenizers, of_a_run_without_a_tokenizer_has_none) {
  create();
  EXPECT_EQ(created, "");
}

TEST_F(lender_of_tokenizers, the_first_that_works_is_taken) {
  plan.tokenizer = fake::choice<fine>("hf");
  plan.tokenizers_after = {fake::choice<fine>("server")};
  create();
  EXPECT_EQ(created, "hf");
  EXPECT_EQ(chosen.use, "hf");
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, files_of_another_format_are_for_the_next) {
  plan.tokenizer = fake::choice<elsewhere>("hf");
  plan.tokenizers_after = {fake::choice<elsewhere>("a"), fake::choice<fine>("b"),
                           fake::choice<fine>("server")};
  create();
  EXPECT_EQ(created, "b");
  EXPECT_EQ(chosen.use, "b");
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, without_files_uses_the_last_tokenizer_and_warns) {
  plan.tokenizer = fake::choice<nowhere>("hf");
  plan.tokenizers_after = {fake::choice<fine>("a"), fake::choice<fine>("server")};
  create();
  EXPECT_EQ(created, "server");
  EXPECT_THAT(book.lines(),
              ElementsAre("the model's own tokenizer cannot be used, so the server counts "
                          "tokens: tokenizer fake: found no tokenizer.json"));
}

TEST_F(lender_of_tokenizers, does_not_replace_a_named_tokenizer) {
  plan.tokenizer_id = "org/name";
  plan.tokenizer = fake::choice<nowhere>("hf");
  plan.tokenizers_after = {fake::choice<fine>("server")};
  EXPECT_THAT(complaint(), HasSubstr("found no tokenizer.json"));
  EXPECT_THAT(book.lines(), IsEmpty());
}

TEST_F(lender_of_tokenizers, if_none_works_the_first_reports_why) {
  plan.tokenizer = fake::choice<nowhere>("hf");
  EXPECT_THAT(complaint(), HasSubstr("tokenizer fake: found no tokenizer.json"));
  plan.tokenizer = fake::choice<elsewhere>("hf");
  plan.tokenizers_after = {fake::choice<nowhere>("a")};
  EXPECT_THAT(complaint(), HasSubstr("tokenizer fake: found no tokenizer.json"));
  plan.tokenizer = fake::choice<nowhere>("hf");
  plan.tokenizers_after = {fake::choice<fine>("tiktoken")};
  EXPECT_THAT(complaint(), HasSubstr("found no tokenizer.json"))
      << "other files are not used instead";
  EXPECT_THAT(book.lines(), IsEmpty());
}

}  // namespace
}  // namespace inferbench::services
