#include "experiment/server.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experiment/sweep_failures.hpp"
#include "server_box.hpp"
#include "support/own_host.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(server, is_ready_when_its_health_has_the_status_200) {
  server_box box({"--busy", "3"});
  box.start();
  EXPECT_EQ(box.requests(), "mode 1\nGET /health\nGET /health\nGET /health\nGET /health\n");
  EXPECT_EQ(box.running->address(), server_box::address());
  box.running->require_alive();
}

TEST(server, is_gone_when_its_object_is_gone) {
  server_box box;
  for (int i = 0; i < 3; ++i) {
    // The address must be free each time.
    box.start();
    box.running.reset();
  }
}

TEST(server, that_cannot_be_started_is_an_error) {
  server_box box;
  box.setup.command.front() = "/there/is/none";
  EXPECT_EQ(box.refusal(), "cannot start /there/is/none: No such file or directory");
}

TEST(server, that_ends_before_it_is_ready_is_an_error_with_its_last_lines) {
  server_box box;
  box.setup.command = {"sh",     "-c",     "for i in $(seq 30); do echo line $i; done; exit 3",
                       "sh",     "--host", support::own_host(),
                       "--port", "20080"};
  const std::string text = box.refusal();
  EXPECT_THAT(text, StartsWith("the server sh ended with exit status 3 before it was ready; the "
                               "last lines of its output:\nline 11\nline 12\n"));
  EXPECT_TRUE(text.ends_with("\nline 30")) << text;
}

TEST(server, that_ends_without_a_word_says_so) {
  server_box box;
  box.setup.command = {"sh",     "-c",   "kill -SEGV $$", "sh", "--host", support::own_host(),
                       "--port", "20080"};
  EXPECT_EQ(box.refusal(),
            "the server sh ended with Segmentation fault (signal 11) before it was ready; it has "
            "printed nothing");
}

TEST(server, that_ends_during_the_request_for_its_health_is_an_error) {
  server_box box({"--fatal", "/health"});
  EXPECT_THAT(box.refusal(),
              AllOf(HasSubstr("exit status 3 before it was ready"), HasSubstr("out of memory")));
}

TEST(server, that_is_not_ready_in_time_is_an_error) {
  server_box box;
  box.setup.command = {"sh",     "-c",   "sleep 1000", "sh", "--host", support::own_host(),
                       "--port", "20080"};
  box.setup.ready_timeout_s = 0;
  EXPECT_THAT(
      box.refusal(),
      AllOf(StartsWith("the server sh was not ready within 0 s: no connection to ADDRESS/health: "),
            HasSubstr("; give it more time by --server-ready-timeout (in TOML: ready-timeout), or "
                      "see why in its log; ")));
}

TEST(server, is_refused_if_another_process_listens_at_its_address) {
  server_box other;
  other.start();
  server_box box;
  EXPECT_EQ(box.refusal(),
            "another process listens at ADDRESS already; end it (`ss -ltnp sport = :20080` shows "
            "it), or give the server another --port");
  EXPECT_FALSE(std::filesystem::exists(box.log()));  // it was not started
}

TEST(server, is_refused_if_its_host_is_unknown) {
  // A label of more than 63 characters: no name server is asked.
  const std::string unknown = std::string(64, 'a') + ".invalid";
  server_box box({"--host", unknown});
  EXPECT_THAT(box.refusal(), HasSubstr("cannot find the host " + unknown));
}

TEST(server, is_not_started_after_an_interrupt) {
  server_box box;
  box.stop = true;
  EXPECT_THROW(box.start(), stopped_sweep);
  EXPECT_FALSE(std::filesystem::exists(box.log()));
}

TEST(server, is_not_awaited_after_an_interrupt) {
  server_box box({"--busy", "1000000000"});
  box.setup.with.meanwhile = [&box] { box.stop = true; };
  EXPECT_THROW(box.start(), stopped_sweep);
}

TEST(server, prints_to_standard_error_and_to_standard_output_if_wanted) {
  for (const bool wanted : {false, true}) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    server_box box;
    box.setup.with.show_stdout = wanted;
    box.start();
    box.running.reset();
    EXPECT_EQ(testing::internal::GetCapturedStdout(), wanted ? "listening\n" : "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "a warning\n");
  }
}

}  // namespace
}  // namespace inferbench::experiment
