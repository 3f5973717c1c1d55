// Tests of an instance's life from create to destroy. create_tests.cpp tests the results of create.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <dlfcn.h>
#include <fmt/format.h>
#include <malloc.h>
#include <unistd.h>

#include "check/child.hpp"
#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/test.hpp"
#include "options/option.hpp"

namespace inferbench::check {

namespace {

using values = std::vector<options::option_value>;

struct heap_counter {
  std::size_t (*in_use)();
  std::size_t least;  // bytes of the smallest block
};

// A sanitizer's heap has its own counter of requested bytes. Without a sanitizer the child must
// have been started with exact_heap_variable, so that malloc's counter is exact.
heap_counter counter() {
  if (void* const own = ::dlsym(RTLD_DEFAULT, "__sanitizer_get_current_allocated_bytes"))
    return {reinterpret_cast<std::size_t (*)()>(own), 1};
  const char* const tunables = std::getenv("GLIBC_TUNABLES");
  if (tunables == nullptr || !std::string_view(exact_heap_variable).ends_with(tunables))
    subject::skip("the heap can be measured in a separate process only");
  const auto in_use = [] {
    const struct mallinfo2 all = ::mallinfo2();
    return static_cast<std::size_t>(all.uordblks + all.hblkhd);
  };
  return {in_use, 16};
}

std::size_t entries_of(const char* folder) {
  std::error_code stop;
  return static_cast<std::size_t>(
      std::distance(std::filesystem::directory_iterator(folder, stop), {}));
}

// The size of the address space in bytes: the heap, and memory that the plugin maps itself.
std::size_t mapped() {
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

struct resource {
  std::function<std::size_t()> in_use;
  std::size_t least;  // a round that leaves less than this is not reported
  const char* one;
  const char* more;
  std::size_t growth = SIZE_MAX;  // smallest growth of one round in any interval
  std::size_t before = 0;
};

std::vector<resource> resources() {
  const heap_counter heap = counter();
  std::vector<resource> out = {
      {heap.in_use, heap.least, "byte", "bytes"},
      {[] { return entries_of("/proc/self/fd"); }, 1, "open file", "open files"},
      {[] { return entries_of("/proc/self/task"); }, 1, "thread", "threads"},
  };
  // With a sanitizer the mapped memory is not measured, because the sanitizer maps memory itself.
  constexpr std::size_t page = 4096;
  if (heap.least > 1)
    out.push_back({&mapped, page, "byte of mapped memory", "bytes of mapped memory"});
  return out;
}

// The resources that a round does not free, such as "32 bytes and 1 open file"; empty if there are
// none. `warm_up` rounds come first, because a resource that is set up once and kept is not a leak.
template <typename function>
std::string growth_of(const subject& s, int warm_up, int rounds, const function& round) {
  std::vector<resource> all = resources();
  // A library's caches may grow from time to time, but a leak grows in every interval.
  constexpr int intervals = 4;
  const auto grows = [](const resource& r) { return r.growth >= r.least; };
  for (int i = 0; i < warm_up && !(i > 0 && s.late(0.05)); ++i)
    round();
  for (int k = 0; k < intervals && std::ranges::any_of(all, grows); ++k) {
    for (resource& r : all)
      r.before = r.in_use();
    int done = 0;
    while (done < rounds && !(done > 1 && s.late(0.05 + 0.05 * (k + 1)))) {
      round();
      ++done;
    }
    for (resource& r : all) {
      const std::size_t now = r.in_use();
      const std::size_t more = now < r.before ? 0 : now - r.before;
      r.growth = std::min(r.growth, more / static_cast<std::size_t>(done));
    }
  }
  std::vector<std::string> grown;
  for (const resource& r : all)
    if (grows(r)) grown.push_back(fmt::format("{} {}", r.growth, r.growth == 1 ? r.one : r.more));
  return fmt::format("{}", fmt::join(grown, " and "));
}

}  // namespace

void check_growth(subject& s) {
  const host on({});
  const values given = s.values();
  const std::string growth = growth_of(s, 10, 25, [&] { need(instance_under_test(s, on, given)); });
  if (!growth.empty())
    s.fail("each instance that is made and destroyed leaves " + growth + " behind",
           "give back in destroy all that create takes");
}

void check_call_growth(subject& s) {
  const host on({});
  const values given = s.values();
  const std::string growth = growth_of(s, 3, 5, [&] {
    instance_under_test instance(s, on, given);
    need(instance);
    static_cast<void>(exercise(s, instance));
  });
  if (!growth.empty())
    s.fail("a short life of an instance leaves " + growth + " behind",
           "give back in close, or in destroy, all that other calls take");
}

void check_calls(subject& s) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  static_cast<void>(exercise(s, instance, {.judging = true}));
  s.add(on.fault());
}

void check_instances(subject& s) {
  const host on({});
  const host on_other({});
  const values given = s.values();
  auto first = std::make_unique<instance_under_test>(s, on, given);
  need(*first);
  std::vector<std::string> alone;
  {
    instance_under_test fresh(s, on, given);
    alone = exercise(s, fresh);
  }
  // The other instance has another value of the option "model", if the plugin has such an option
  // with free text.
  values others = given;
  const auto options = s.plugin().options();
  for (std::size_t i = 0; i < others.size(); ++i)
    if (options[i]->type == IFB_STRING && std::string_view(options[i]->name) == "model")
      others[i].text = "another", others[i].is_set = true;
  {
    instance_under_test neighbour(s, on_other, others);
    if (neighbour) static_cast<void>(exercise(s, neighbour, {.seed = 1}));
    const auto beside = exercise(s, *first);
    if (beside != alone)
      s.fail(
          "an instance answers differently beside another instance: " + difference(alone, beside),
          "keep state in the instance, and none in static variables");
  }
  first = std::make_unique<instance_under_test>(s, on, given);
  need(*first);
  const auto after = exercise(s, *first);
  if (after != alone)
    s.fail("an instance answers differently after another instance is gone: " +
               difference(alone, after),
           "keep state in the instance, and none in static variables");
}

}  // namespace inferbench::check
