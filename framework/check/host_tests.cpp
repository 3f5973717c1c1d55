// Tests for every kind of plugin: memory that is taken back, hosts that lack memory or services,
// and hosts of another minor version.
#include <algorithm>

#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/test.hpp"

namespace inferbench::check {

void check_borrowing(subject& s) {
  const auto expected = ordinary_answers(s);
  constexpr lending how{.pages = true};
  const host on({.memory = how});
  instance_under_test instance(s, on, s.values(), how);
  need(instance);
  const auto found = exercise(s, instance, {.memory = how});
  if (found != expected)
    s.fail("with inputs elsewhere in memory the plugin answers differently: " +
               difference(expected, found),
           "let answers depend on the contents of the inputs, and not on their addresses");
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
  const auto expected = ordinary_answers(s);
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
          std::string(is_longer ? "on a newer host" : "with unreadable memory after each struct") +
              " the plugin answers differently: " + difference(expected, found),
          is_longer ? "walk arrays by their stride, and leave struct_size as it is"
                    : "test IFB_HAS or IFB_KNOWS before you read a member that came later");
  }
}

}  // namespace inferbench::check
