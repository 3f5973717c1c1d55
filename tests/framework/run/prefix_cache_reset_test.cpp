#include "run/prefix_cache_reset.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/clock.hpp"
#include "base/error.hpp"
#include "config/plan.hpp"
#include "framework/services/answering_server.hpp"

namespace inferbench::run {
namespace {

using services::testing::answered;
using services::testing::answering_server;
using services::testing::asked;
using ::testing::HasSubstr;

/// The message of the error; empty if there was none.
std::string trouble_of_reset(const config::server& plan, interrupt& signals) {
  const base::monotonic_clock clock;
  const services::target servers(plan, clock);
  try {
    reset_prefix_caches(servers, signals);
  } catch (const base::error& e) {
    return e.what();
  }
  return {};
}

TEST(prefix_cache_reset, asks_each_server_with_key_and_headers) {
  interrupt signals;
  const answering_server one([](const asked&) { return answered{}; });
  const answering_server two([](const asked&) { return answered{204, {}}; });
  config::server plan;
  plan.base_urls = {one.url(), two.url()};
  plan.api_key = "secret";
  plan.headers = {{"X-Tenant", "t"}};
  EXPECT_EQ(trouble_of_reset(plan, signals), "");
  for (const answering_server* each : {&one, &two}) {
    const auto seen = each->seen();
    ASSERT_EQ(seen.size(), 1U);
    EXPECT_EQ(seen[0].line, "POST /reset_prefix_cache");
    EXPECT_EQ(seen[0].body, "");
    EXPECT_THAT(seen[0].head, HasSubstr("Authorization: Bearer secret\r\n"));
    EXPECT_THAT(seen[0].head, HasSubstr("X-Tenant: t\r\n"));
  }
}

TEST(prefix_cache_reset, of_a_server_without_the_path_is_an_error_with_the_remedy) {
  interrupt signals;
  const answering_server good([](const asked&) { return answered{}; });
  const answering_server bad([](const asked&) { return answered{404, "Not\nFound"}; });
  config::server plan;
  plan.base_urls = {good.url(), bad.url()};
  EXPECT_EQ(trouble_of_reset(plan, signals),
            "the prefix cache was not emptied: POST " + bad.url() +
                "/reset_prefix_cache has the status 404, \"Not Found\"; vllm has this path if "
                "VLLM_SERVER_DEV_MODE is 1; or leave out --reset-prefix-cache");
}

TEST(prefix_cache_reset, of_a_server_that_is_gone_is_an_error) {
  interrupt signals;
  config::server plan;
  {
    const answering_server gone([](const asked&) { return answered{}; });
    plan.base_urls = {gone.url()};
  }
  EXPECT_THAT(trouble_of_reset(plan, signals), HasSubstr("the prefix cache was not emptied: "));
}

}  // namespace
}  // namespace inferbench::run
