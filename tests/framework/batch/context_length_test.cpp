#include "batch/context_length.hpp"

#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::batch {
namespace {

using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;

TEST(context_length, is_that_of_the_model_with_the_name) {
  const char* body = R"({"data":[{"id":"a","max_model_len":10},{"id":"b","max_model_len":20}]})";
  EXPECT_EQ(context_length_of(body, "b"), 20);
  EXPECT_EQ(context_length_of(body, "c"), -1);
}

TEST(context_length, is_that_of_the_only_model_if_it_has_another_name) {
  EXPECT_EQ(context_length_of(R"({"data":[{"id":"a.gguf","max_model_len":10}]})", "a"), 10);
}

TEST(context_length, of_llama_cpp_is_the_context_of_a_slot_or_that_of_the_training) {
  EXPECT_EQ(context_length_of(R"({"data":[{"id":"a","meta":{"n_ctx_train":4096}}]})", "a"), 4096);
  EXPECT_EQ(
      context_length_of(R"({"data":[{"id":"a","meta":{"n_ctx":512,"n_ctx_train":4096}}]})", "a"),
      512);
}

TEST(context_length, is_not_known_from_an_answer_of_another_form) {
  for (const char* body :
       {"", "null", "[]", "7", "not JSON", R"({"data":7})", R"({"data":[]})", R"({"data":[7]})",
        R"({"data":[{"id":"a"}]})", R"({"data":[{"id":7,"max_model_len":"long"}]})",
        R"({"data":[{"id":"a","max_model_len":0}]})", R"({"data":[{"id":"a","max_model_len":-3}]})",
        R"({"data":[{"id":"a","max_model_len":1e9}]})", R"({"data":[{"id":"a","meta":[]}]})",
        R"({"data":[{"id":"a","max_model_len":99999999999999999999}]})"})
    EXPECT_EQ(context_length_of(body, "a"), -1) << body;
}

TEST(context_length, of_several_servers_is_the_smallest) {
  const answering_server one(
      [](const asked&) { return answered{200, R"({"data":[{"id":"m","max_model_len":64}]})"}; });
  const answering_server two(
      [](const asked&) { return answered{200, R"({"data":[{"id":"m","max_model_len":32}]})"}; });
  const answering_server three([](const asked&) { return answered{404}; });
  const base::monotonic_clock clock;
  config::server where;
  where.base_urls = {one.url(), two.url(), three.url()};
  EXPECT_EQ(ask_context_length(services::target(where, clock), "m"), 32);
  where.base_urls = {three.url()};
  EXPECT_EQ(ask_context_length(services::target(where, clock), "m"), -1);
}

}  // namespace
}  // namespace inferbench::batch
