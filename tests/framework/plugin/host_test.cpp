#include "plugin/host.hpp"

#include <atomic>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/arena.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;

ifb_str str(std::string_view text) { return {text.data(), text.size()}; }

class fixed_clock final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return 42; }
  std::int64_t unix_now() const noexcept override { return 1'700'000'000'000'000'007; }
};

TEST(host, log_lines_carry_the_plugins_name_and_stay_one_line) {
  std::vector<std::string> lines;
  base::log log(base::log_level::debug, [&](base::log_level level, std::string_view line) {
    lines.push_back(std::to_string(static_cast<int>(level)) + " " + std::string(line));
  });
  services shared;
  shared.log = &log;
  const host h(shared, "backend x");
  const ifb_host* const c = h.table();
  c->log(c, 2, str("hello"));
  c->log(c, 0, str("below the level"));
  c->log(c, 99, str("two\nlines\xFF\n"));
  c->log(c, 3, ifb_str{nullptr, 0});
  EXPECT_THAT(lines, ElementsAre("2 backend x: hello", "5 backend x: two lines\xEF\xBF\xBD",
                                 "3 backend x: "));
  EXPECT_EQ(c->log_level(c), 1U);
}

TEST(host, works_without_any_service) {
  const services none;
  const host h(none, "dataset x");
  const ifb_host* const c = h.table();
  c->log(c, 5, str("nobody listens"));
  EXPECT_EQ(c->log_level(c), 6U);
  EXPECT_GT(c->now(c), 0U);
  EXPECT_GT(c->unix_now(c), 1'790'000'000LL * static_cast<std::int64_t>(base::ns_per_s));
  EXPECT_EQ(c->cancelled(c), 0U);
  EXPECT_EQ(c->alloc(c, nullptr, 8), nullptr);
  for (const char* id : {IFB_SERVICE_TOKENIZER, IFB_SERVICE_PROGRESS, IFB_SERVICE_CONSOLE,
                         IFB_SERVICE_HTTP, "acme.service/1"})
    EXPECT_EQ(c->service(c, id), nullptr);
  EXPECT_EQ(c->service(c, nullptr), nullptr);
}

TEST(host, offers_version_clock_cancellation_and_services) {
  const fixed_clock clock;
  std::atomic<bool> cancelled{false};
  const ifb_tokenizer_service tokenizer{};
  const ifb_http_service http{};
  services shared;
  shared.clock = &clock;
  shared.cancelled = &cancelled;
  shared.tokenizer = &tokenizer;
  shared.http = &http;
  const host h(shared, "dataset x");
  const ifb_host* const c = h.table();
  EXPECT_EQ(c->struct_size, sizeof(ifb_host));
  EXPECT_EQ(c->abi_major, IFB_ABI_MAJOR);
  EXPECT_NE(std::string(c->version), "");
  EXPECT_EQ(c->now(c), 42U);
  EXPECT_EQ(c->unix_now(c), 1'700'000'000'000'000'007);
  EXPECT_EQ(c->cancelled(c), 0U);
  cancelled = true;
  EXPECT_EQ(c->cancelled(c), 1U);
  EXPECT_EQ(c->service(c, "inferbench.service.tokenizer/1"), &tokenizer);
  EXPECT_EQ(c->service(c, IFB_SERVICE_HTTP), &http);
  EXPECT_EQ(&services_of(c), &shared);
}

TEST(host, allocates_from_the_arena_that_it_is_given) {
  const services none;
  const host h(none, "x");
  base::arena arena(64);
  EXPECT_NE(h.table()->alloc(h.table(), &arena, 32), nullptr);
  EXPECT_EQ(h.table()->alloc(h.table(), &arena, 1000), nullptr);
}

TEST(host, seeds_are_the_output_of_splitmix64) {
  // The first numbers of the reference implementation for the seed 1234567.
  EXPECT_EQ(seed_of_stream(1234567, 0), 6457827717110365317U);
  EXPECT_EQ(seed_of_stream(1234567, 1), 3203168211198807973U);
  EXPECT_EQ(seed_of_stream(1234567, 2), 9817491932198370423U);
  services shared;
  shared.seed = 1234567;
  const host h(shared, "x");
  EXPECT_EQ(h.table()->seed(h.table(), 1), 3203168211198807973U);
}

}  // namespace
}  // namespace inferbench::plugin
