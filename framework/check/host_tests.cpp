// Tests for every kind of plugin: memory that is taken back, hosts that lack memory or services,
// and hosts of another minor version.
#include <algorithm>
#include <atomic>
#include <memory>
#include <thread>

#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

// The answers of the plugin on an ordinary host. Skips the test if the instance cannot be created
// there.
std::vector<std::string> ordinary(subject& s) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  return exercise(s, instance);
}

}  // namespace

void check_borrowing(subject& s) {
  const auto expected = ordinary(s);
  constexpr lending how{.pages = true};
  const host on({.memory = how});
  instance_under_test instance(s, on, s.values(), how);
  need(instance);
  const auto found = exercise(s, instance, {.memory = how});
  if (found != expected)
    s.fail("with inputs elsewhere in memory the plugin answers differently: " +
               difference(expected, found),
           "let answers depend on what is in the inputs alone");
}

void check_threads(subject& s) {
  const bool shared = s.given().kind == IFB_BACKEND || s.given().kind == IFB_TOKENIZER;
  if (!shared && s.given().kind != IFB_DATASET)
    subject::skip("the host calls a reporter on one thread at a time");
  const auto expected = ordinary(s);
  const host on({});
  // In a run all workers call open or submit on one instance of a backend, and all threads use one
  // tokenizer. A dataset gets one instance for each thread here.
  constexpr int count = 4;
  std::vector<std::unique_ptr<instance_under_test>> instances;
  for (int i = 0; i < (shared ? 1 : count); ++i)
    need(*instances.emplace_back(std::make_unique<instance_under_test>(s, on, s.values())));
  std::vector<std::vector<std::string>> found(count);
  std::atomic<bool> slow = false;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back([&, i] {
      try {
        found[i] = exercise(s, *instances[shared ? 0 : i]);
      } catch (const too_slow&) {
        found[i] = expected;  // the answers are not compared, because the calls are too slow
        slow = true;
      } catch (const skipped& why) {
        found[i] = {why.why};
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& lines : found)
    if (lines != expected) {
      s.fail("on several threads the plugin answers differently: " + difference(expected, lines),
             "keep the instance as it is after create, and what changes in the exchange");
      return;
    }
  if (slow) subject::skip("the plugin's calls take too long to be made on several threads");
}

void check_no_memory(subject& s) {
  // Repeats an ordinary life; each time another call of alloc fails.
  constexpr std::size_t most = 300;
  std::size_t there = 0;
  {
    const host on({});
    instance_under_test instance(s, on, s.values());
    need(instance);
    static_cast<void>(exercise(s, instance));
    there = on.allocations();
  }
  if (there == 0) subject::skip("the plugin takes no memory from the host");
  std::size_t n = 0;
  for (; n < std::min(there, most) && !s.full() && !s.late(); ++n) {
    const host on({.failing = n});
    instance_under_test instance(s, on, s.values());
    if (!instance) {
      judge_refusal(s, "create", instance.status, instance.error);
      continue;
    }
    static_cast<void>(exercise(s, instance, {.judging = true}));
  }
  s.note(std::to_string(n) + " of " + std::to_string(there) + " allocations failed once");
}

void check_no_services(subject& s) {
  const host on({.services = false});
  instance_under_test instance(s, on, s.values());
  if (!instance) {
    judge_refusal(s, "create without services", instance.status, instance.error);
    return;
  }
  static_cast<void>(exercise(s, instance, {.judging = true}));
}

void check_forward(subject& s) {
  const auto expected = ordinary(s);
  // A newer host: every growing struct is longer. A plugin of this minor version must not read
  // beyond the known members; a plugin that is newer than this host may read them, and sees zeros.
  const bool newer = s.plugin().abi_minor > IFB_ABI_MINOR;
  const lending longer{.tail = 64, .filling = static_cast<unsigned char>(newer ? 0 : 0xA5)};
  // A host of exactly this minor version: the memory after each struct is not readable.
  constexpr lending exact{.pages = true};
  for (const lending& how : {longer, exact}) {
    const host on({.memory = how});
    instance_under_test instance(s, on, s.values());
    const bool is_longer = how.tail != 0;
    const auto found = exercise(s, instance, {.memory = how});
    if (found != expected)
      s.fail(
          std::string(is_longer ? "on a newer host" : "with no readable memory after the structs") +
              " the plugin answers differently: " + difference(expected, found),
          is_longer ? "walk arrays by their stride, and leave struct_size as it is"
                    : "ask IFB_HAS before reading a member that came later");
  }
}

}  // namespace inferbench::check
