#include "startup/server_form.hpp"

#include <cstdlib>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "server_start_box.hpp"
#include "startup/caches.hpp"

namespace inferbench::startup {
namespace {

using testing::DoubleEq;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

offline::startup_options options_of_server(const std::string& command) {
  offline::startup_options out;
  out.server = offline::started_server{.command = command};
  return out;
}

std::string setup_refusal(const offline::startup_options& of) {
  try {
    static_cast<void>(setup_of(of, {}));
  } catch (const base::error& e) {
    return e.what();
  }
  return "accepted";
}

TEST(server_form, splits_the_command_and_takes_its_address) {
  const server_start_setup found =
      setup_of(options_of_server("vllm serve 'a model' --host 127.0.0.1 --port=8123"), {});
  EXPECT_THAT(found.command,
              ElementsAre("vllm", "serve", "a model", "--host", "127.0.0.1", "--port=8123"));
  EXPECT_EQ(found.where.where.text(), "http://127.0.0.1:8123");
  EXPECT_FALSE(found.ready_path);
  EXPECT_TRUE(found.first_token);
  EXPECT_EQ(found.timeout_ns, 1800 * base::ns_per_s);
}

TEST(server_form, has_the_address_path_model_time_and_key_of_the_user) {
  offline::startup_options options = options_of_server("server --port x");
  options.model = "m";
  options.server->url = "unix:/run/server.sock";
  options.server->ready_path = "/ready?a=b";
  options.server->first_token = false;
  options.server->timeout_s = 0.5;
  const server_start_setup found =
      setup_of(options, {.variables = {{"OPENAI_API_KEY", "secret"}}, .random = {}});
  EXPECT_EQ(found.where.where.text(), "unix:/run/server.sock");
  EXPECT_EQ(found.ready_path, "/ready?a=b");
  EXPECT_FALSE(found.first_token);
  EXPECT_EQ(found.model, "m");
  EXPECT_EQ(found.api_key, "secret");
  EXPECT_EQ(found.timeout_ns, base::ns_per_s / 2);
}

TEST(server_form, refuses_what_cannot_be_used_before_anything_is_started) {
  EXPECT_THAT(setup_refusal(options_of_server("")), HasSubstr("--server-cmd: "));
  EXPECT_THAT(setup_refusal(options_of_server("a 'b")), HasSubstr("--server-cmd: "));
  EXPECT_THAT(setup_refusal(options_of_server("a --port x")), HasSubstr("the port of the server"));
  offline::startup_options options = options_of_server("a");
  options.server->url = "localhost:8000";
  EXPECT_THAT(setup_refusal(options), HasSubstr("--server-url: "));
  options.server->url = "http://127.0.0.1:1";
  options.server->ready_path = "/a b";
  EXPECT_THAT(setup_refusal(options), HasSubstr("--ready-path: "));
}

TEST(server_form, a_sample_has_the_phases_with_their_uncertainty) {
  server_start_times times;
  times.started_ns = 1'000'000'000;
  times.listening = {.at_ns = 1'500'000'000, .earliest_ns = 1'499'000'000};
  times.ready = {.at_ns = 3'000'000'000, .earliest_ns = 2'990'000'000};
  times.token = first_token{3'100'000'000, 3'200'000'000, 3'300'000'000, {}};
  const start_sample found = sample_of(times, 7);
  EXPECT_THAT(found.startup_s, DoubleEq(2));
  EXPECT_FALSE(found.compilation_s);
  ASSERT_EQ(found.phases.size(), 3U);
  EXPECT_EQ(found.phases[0].name, "listening");
  EXPECT_EQ(found.phases[0].start_ns, 1'000'000'007);
  EXPECT_THAT(found.phases[0].duration_s(), DoubleEq(0.5));
  EXPECT_THAT(found.phases[0].uncertainty_s, DoubleEq(0.001));
  EXPECT_EQ(found.phases[1].name, "ready");
  EXPECT_THAT(found.phases[1].duration_s(), DoubleEq(1.5));
  EXPECT_THAT(found.phases[1].uncertainty_s, DoubleEq(0.011));
  EXPECT_EQ(found.phases[2].name, "first_token");
  EXPECT_THAT(found.phases[2].duration_s(), DoubleEq(0.1));
  EXPECT_THAT(*whole_time(found), DoubleEq(2.2));
  EXPECT_THAT(found.remarks, IsEmpty());
}

TEST(server_form, a_first_token_that_did_not_come_is_a_missing_phase_with_a_remark) {
  server_start_times times;
  times.token = first_token{.error = "status 500"};
  const start_sample found = sample_of(times, 0);
  EXPECT_TRUE(found.phases.back().missing);
  EXPECT_THAT(found.remarks, ElementsAre("no first token: status 500"));
  times.token.reset();
  EXPECT_EQ(sample_of(times, 0).phases.size(), 2U);
}

TEST(server_form, a_server_gets_the_environment_of_its_start_only) {
  const char* before = std::getenv("VLLM_CACHE_ROOT");
  const server_start_box box({"--fill"});
  repeated_server server(box.setup, box.clock, box.stop);
  const cold_caches caches(usual_cache_variables(), box.folder.path());
  EXPECT_THAT(server.start(caches.environment()).phases, testing::SizeIs(3));
  EXPECT_THAT(caches.used(), ElementsAre("VLLM_CACHE_ROOT"));
  EXPECT_EQ(std::getenv("VLLM_CACHE_ROOT"), before);
}

TEST(server_form, facts_of_the_result_have_no_secrets) {
  server_start_box box({"--api-key", "secret"});
  box.setup.first_token = false;
  repeated_server server(box.setup, box.clock, box.stop);
  static_cast<void>(server.start({}));
  const options::node about = server.about();
  EXPECT_EQ(about.names, (std::vector<std::string>{"form", "command", "url", "ready_path",
                                                   "longest_stop_s", "killed"}));
  EXPECT_EQ(about.find("command")->items.back().text, "(cut)");
  EXPECT_EQ(about.find("ready_path")->text, "/health");
  EXPECT_EQ(about.find("killed")->integer, 0);
}

TEST(server_form, a_server_that_had_to_be_killed_is_a_remark) {
  server_start_box box({"--deaf"});
  box.setup.first_token = false;
  box.setup.stop_timeout_ns = 0;
  repeated_server server(box.setup, box.clock, box.stop);
  EXPECT_THAT(server.start({}).remarks,
              ElementsAre("the server did not end within 0 s after SIGTERM, so it was ended by "
                          "SIGKILL"));
  EXPECT_EQ(server.about().find("killed")->integer, 1);
}

}  // namespace
}  // namespace inferbench::startup
