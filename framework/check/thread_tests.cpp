// Tests of calls on several threads.
#include <algorithm>
#include <array>
#include <atomic>
#include <barrier>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/dataset_rows.hpp"
#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/raw_call.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

constexpr std::size_t threads_at_once = 4;

}  // namespace

void check_threads(subject& s) {
  const bool shared = s.given().kind == IFB_BACKEND || s.given().kind == IFB_TOKENIZER;
  if (!shared && s.given().kind != IFB_DATASET)
    subject::skip("the host calls a plugin of this kind on one thread at a time");
  if (s.given().kind == IFB_BACKEND && !offers(s, IFB_HTTP_CODEC) && !offers(s, IFB_ENGINE) &&
      offers(s, IFB_BATCH_ENGINE))
    subject::skip("the host calls an engine of whole batches on one thread at a time");
  const auto expected = ordinary_answers(s);
  const host on({});
  // In a run several threads call open or submit on one instance of a backend, and all threads use
  // one tokenizer. A dataset gets one instance for each thread here; the test dataset-parallel
  // reads one instance on several threads.
  std::vector<std::unique_ptr<instance_under_test>> instances;
  for (std::size_t i = 0; i < (shared ? 1 : threads_at_once); ++i)
    need(*instances.emplace_back(std::make_unique<instance_under_test>(s, on, s.values())));
  std::array<std::vector<std::string>, threads_at_once> found;
  std::atomic<bool> slow = false;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < threads_at_once; ++i)
    threads.emplace_back([&, i] {
      try {
        found[i] = exercise(s, *instances[shared ? 0 : i]);
      } catch (const too_slow&) {
        found[i] = expected;  // the answers are not compared, because the calls are too slow
        slow = true;
      } catch (const skipped& why) {
        found[i] = {why.why};
      } catch (const escaped& e) {
        found[i] = {e.what};
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const auto& lines : found)
    if (lines != expected) {
      s.fail("on several threads the plugin answers differently: " + difference(expected, lines),
             "keep the instance as it is after create, and changing data in the exchange");
      return;
    }
  if (slow) subject::skip("the calls take too long to be made on several threads");
}

void check_handover(subject& s) {
  const auto expected = ordinary_answers(s);
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  const auto found = exercise(s, instance, {.elsewhere = true});
  if (found != expected)
    s.fail(
        "the codec answers differently if one thread calls open and request, and another thread "
        "the other calls: " +
            difference(expected, found),
        "keep the data of an exchange in the exchange, and nothing in thread-local variables");
}

namespace {

// Reads rows of a dataset on one of several threads.
class row_reader {
 public:
  explicit row_reader(const rows& from) : from_(from) {}

  // The row as text, or the refusal.
  std::string read(std::uint64_t row) {
    ifb_sample* const sample = room_for_sample(memory_);
    ifb_error* const error = lend_error(memory_);
    const plugin::dataset& ops = from_.table();
    std::string out;
    try {
      const ifb_status status = raw_call(ops.plugin, "read", ops.ifb_dataset::read,
                                         from_.instance(), row, room_.handle(), sample, error);
      out = status == IFB_OK ? text_of(*sample) : refusal(status, *error);
    } catch (const escaped& e) {
      out = e.what;
    }
    room_.close();
    return out;
  }

 private:
  const rows& from_;
  lent_memory memory_;
  arena room_{{}};
};

}  // namespace

void check_parallel(subject& s) {
  auto prepared = std::make_unique<rows>(s);
  // An endless dataset may have the flag only if the run does not know the number of rows.
  if (!prepared->has(IFB_DATASET_PARALLEL) && prepared->has(IFB_DATASET_ENDLESS))
    prepared = std::make_unique<rows>(s, rows::manner{.wanted = 0});
  rows& one = *prepared;
  if (!one.has(IFB_DATASET_PARALLEL))
    subject::skip("the dataset does not have the flag IFB_DATASET_PARALLEL");
  constexpr std::uint64_t most = 64;
  const auto expected = first_rows(one, most);
  // Each thread begins at another row, if rows can be read in any order.
  const bool ordered = one.count() < 0 && !one.has(IFB_DATASET_ENDLESS);
  const std::size_t step =
      ordered ? 0 : std::max<std::size_t>(1, expected.size() / threads_at_once);
  std::barrier together(threads_at_once);
  std::array<std::string, threads_at_once> found;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < threads_at_once; ++i)
    threads.emplace_back([&, i] {
      row_reader reader(one);
      for (int round = 0; round < 4; ++round) {
        together.arrive_and_wait();
        for (std::size_t n = 0; n < expected.size() && !s.late(); ++n) {
          const std::size_t row = (n + i * step) % expected.size();
          const std::string text = reader.read(row);
          if (found[i].empty() && text != expected[row])
            found[i] = name_of_row(row) + " is " + difference({expected[row]}, {text});
        }
      }
    });
  for (std::thread& thread : threads)
    thread.join();
  for (const std::string& different : found)
    if (!different.empty()) {
      s.fail(
          "if several threads read at the same time, " + different,
          "keep the instance as it is after prepare, and the data of a row in its arena; or drop "
          "IFB_DATASET_PARALLEL");
      return;
    }
}

}  // namespace inferbench::check
