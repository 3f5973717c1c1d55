#include "experiment/cache_reset.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "experiment/sweep_failures.hpp"
#include "server_box.hpp"

namespace inferbench::experiment {
namespace {

using testing::HasSubstr;

std::string reset_refusal(const std::vector<std::string>& command) {
  try {
    require_reset(command);
  } catch (const base::error& e) {
    return e.what();
  }
  return "none";
}

TEST(cache_reset, is_possible_for_the_servers_that_upstream_knows) {
  for (const char* program : {"vllm", "/opt/venv/bin/vllm", "infinity_emb", "bin/infinity_emb"})
    EXPECT_EQ(reset_refusal({program, "serve"}), "none") << program;
}

TEST(cache_reset, is_possible_for_the_simulator) {
  EXPECT_EQ(reset_refusal({"bin/inferbench", "simulate", "--port", "8000"}), "none");
  EXPECT_THAT(reset_refusal({"inferbench", "serve"}), HasSubstr("give --after-bench-cmd"));
}

TEST(cache_reset, of_other_servers_needs_a_command_of_the_user) {
  EXPECT_EQ(reset_refusal({"python", "-m", "vllm"}),
            "the caches of the server python cannot be reset by inferbench, which knows only vllm, "
            "infinity_emb and inferbench simulate; give --after-bench-cmd (in TOML: after-bench), "
            "a command that "
            "resets them, or `true` if there is nothing to reset");
  EXPECT_THAT(reset_refusal({"vllm.sh"}), HasSubstr("give --after-bench-cmd"));
  EXPECT_EQ(reset_refusal({"infinity_emb", "v2", "--vector-disk-cache"}),
            "the disk cache of infinity_emb (--vector-disk-cache) cannot be reset; remove "
            "--vector-disk-cache, or give --after-bench-cmd (in TOML: after-bench)");
}

TEST(cache_reset, sends_the_requests_of_upstream_in_its_order) {
  server_box box;
  box.start();
  box.running->reset_caches();
  EXPECT_EQ(box.plain(box.out.text()), "Resetting caches at ADDRESS\n");
  EXPECT_THAT(box.requests(), HasSubstr("GET /health\nPOST /reset_prefix_cache\n"
                                        "POST /reset_mm_cache\nPOST /reset_encoder_cache\n"));
}

TEST(cache_reset, sends_nothing_to_infinity_emb) {
  server_box box({}, "infinity_emb");
  box.start();
  const std::string before = box.requests();
  box.running->reset_caches();
  EXPECT_EQ(box.out.text(), "");
  EXPECT_EQ(box.requests(), before);
}

TEST(cache_reset, ends_at_the_first_error_status) {
  server_box box({"--missing", "/reset_mm_cache"});
  box.start();
  try {
    box.running->reset_caches();
    FAIL();
  } catch (const base::error& e) {
    EXPECT_EQ(box.plain(e.what()),
              "the caches of the server were not reset: POST ADDRESS/reset_mm_cache has the status "
              "404, \"no such path\"; if this server resets its caches in another way, give "
              "--after-bench-cmd (in TOML: after-bench)");
  }
  EXPECT_TRUE(box.requests().ends_with("POST /reset_mm_cache\n"));
}

TEST(cache_reset, of_a_server_that_dies_is_an_error_and_the_server_is_named) {
  server_box box({"--fatal", "/reset_prefix_cache"});
  box.start();
  EXPECT_THROW(box.running->reset_caches(), base::error);
  try {
    box.running->require_alive(std::chrono::minutes(1));
    FAIL();
  } catch (const base::error& e) {
    EXPECT_THAT(box.plain(e.what()),
                HasSubstr("the server BIN/vllm ended with exit status 3; the last lines of its "
                          "output:\n"));
    EXPECT_THAT(e.what(), HasSubstr("out of memory"));
  }
}

TEST(cache_reset, ends_when_the_user_interrupts) {
  server_box box;
  box.start();
  box.stop = true;
  EXPECT_THROW(box.running->reset_caches(), stopped_sweep);
  EXPECT_THAT(box.requests(), testing::Not(HasSubstr("POST")));
}

}  // namespace
}  // namespace inferbench::experiment
