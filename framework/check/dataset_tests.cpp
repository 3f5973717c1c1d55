// Tests of datasets: the host can read rows in any order, each row is well-formed, and it is the
// same every time.
#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "check/dataset_rows.hpp"
#include "check/exercise.hpp"
#include "check/sample.hpp"
#include "check/sample_faults.hpp"
#include "check/test.hpp"
#include "plugin/instance.hpp"

namespace inferbench::check {

namespace {

constexpr std::uint64_t looked_at = 8;  // rows that are read several times
constexpr std::uint64_t judged = 1000;  // rows that must be well-formed

// Reports the faults of samples; each kind of fault once, with the first row that has it.
class sample_judge {
 public:
  explicit sample_judge(subject& s) : s_(s) {}

  void look(const rows& from, std::uint64_t row) {
    for (const finding& fault : faults_of(from.sample(), from.flags()))
      if (told_.insert(fault.remedy).second) {
        const std::string what = name_of_row(row) + ": " + fault.what;
        fault.failure ? s_.fail(what, fault.remedy) : s_.warn(what, fault.remedy);
      }
  }

 private:
  subject& s_;
  std::set<std::string> told_;
};

}  // namespace

void check_rows(subject& s) {
  rows one(s, {.strict = true});
  if (one.count() < -1)
    s.fail("prepare sets the number of rows to " + std::to_string(one.count()),
           "set -1 if the number is not known");
  const auto in_order = first_rows(one, looked_at);
  if (in_order.size() == 1 && one.status() < 0)
    s.fail(name_of_row(0) + " cannot be read: " + in_order.front());
  // Reads each row a second time, unless the dataset can only be read in order.
  for (std::size_t i = in_order.size(); one.count() >= 0 && i-- > 0;) {
    const std::string again = one.read(i);
    if (again != in_order[i]) {
      s.fail(
          name_of_row(i) + " differs when it is read again: " + difference({in_order[i]}, {again}),
          "let a row depend on options, seed and number alone");
      break;
    }
  }
  rows fresh(s);
  sample_judge judge(s);
  for (std::uint64_t row = 0; row < judged && !s.full() && !s.late(0.3); ++row) {
    static_cast<void>(fresh.read(row));
    judge_refusal(s, "read", fresh.status(), fresh.error());
    if (fresh.status() == IFB_OK) judge.look(fresh, row);
    if (fresh.status() == IFB_SKIP && fresh.error().message[0] == '\0') {
      s.fail("read skips " + name_of_row(row) + " and does not say why",
             "fill ifb_error.message, which the host shows once for each reason");
      break;
    }
    if (fresh.status() == IFB_END || fresh.status() < 0) break;
  }
}

void check_any_sample(subject& s) {
  rows one(s);
  std::string reason;
  std::uint64_t row = 0;
  bool ended = false;
  for (constexpr std::uint64_t most = 10'000; row < most && !ended && !s.late(0.3);) {
    static_cast<void>(one.read(row));
    // A row that cannot be read is the concern of the tests dataset-rows and dataset-end.
    if (one.status() == IFB_OK || one.status() < 0) return;
    ended = one.status() == IFB_END;
    if (!ended && row++ == 0) reason = plugin::text_of(one.error(), one.status());
  }
  if (row == 0) {
    if (!ended) return;
    s.fail("the dataset has no rows",
           "refuse data without rows in prepare with IFB_E_DATA; if your data have no rows, give "
           "other data with --set");
    return;
  }
  const std::string what = (ended ? "read skips all " : "read skips the first ") +
                           std::to_string(row) + (row == 1 ? " row" : " rows") +
                           "; the first reason: " + reason;
  const char* const remedy =
      "if no row can be used, refuse the data in prepare with IFB_E_DATA; if your data have no "
      "usable rows, give other data with --set";
  if (ended)
    s.fail(what, remedy);
  else
    s.warn(what, remedy);
}

void check_wanted(subject& s) {
  std::uint32_t flags = dataset_of(s).flags;
  std::vector<std::pair<std::int64_t, std::string>> refused;
  sample_judge judge(s);
  for (const std::int64_t wanted : {std::int64_t{1}, std::int64_t{0}, std::int64_t{-1}}) {
    try {
      rows some(s, {.wanted = wanted});
      flags |= some.flags();
      for (std::size_t i = 0; i < looked_at; ++i) {
        static_cast<void>(some.read(i));
        judge_refusal(s, "read", some.status(), some.error());
        if (some.status() == IFB_END || some.status() < 0) break;
        if (some.status() == IFB_OK) judge.look(some, i);
      }
    } catch (const skipped& why) {
      refused.emplace_back(wanted, why.why);
    }
  }
  if (refused.size() == 3) subject::skip(refused.front().second);
  for (const auto& [wanted, why] : refused)
    if (wanted <= 0 && (flags & IFB_DATASET_ENDLESS) != 0)
      s.fail("with the flag IFB_DATASET_ENDLESS, and " + std::to_string(wanted) +
                 " samples wanted, " + why,
             "prepare for any number of rows if `wanted` is not above 0");
}

void check_seed(subject& s) {
  rows first(s, {.seed = 42});
  rows second(s, {.seed = 42});
  const auto wanted = first_rows(first, looked_at);
  const auto found = first_rows(second, looked_at);
  if (wanted != found)
    s.fail("the same seed makes other rows: " + difference(wanted, found),
           "draw from ifb_dataset_request.seed, or from the host's seed, and from nothing else");
}

void check_row_memory(subject& s) {
  // With `pages`, the memory of the arena becomes unreadable when the arena is closed.
  rows one(s, {.memory = {.pages = true}});
  const std::string first = one.read(0);
  if (one.status() != IFB_OK) subject::skip(name_of_row(0) + " has no sample: " + first);
  const ifb_sample& sample = one.sample();
  static_cast<void>(one.read(1, true));
  const std::string later = text_of(sample);
  if (later != first)
    s.fail("the views of a row change when the next row is read: " + difference({first}, {later}),
           "put all data of a row that the instance does not keep for good into the arena");
  if (one.count() < 0) return;
  static_cast<void>(one.read(1));
  const std::string again = one.read(0);
  if (again != first)
    s.fail("a row differs when it is read with another arena: " + difference({first}, {again}),
           "keep no pointer into an arena: its memory is gone when the next row is read");
}

void check_arrivals(subject& s) {
  rows one(s);
  if (!one.has(IFB_DATASET_ARRIVALS))
    subject::skip("the dataset does not have the flag IFB_DATASET_ARRIVALS");
  const auto seconds = [](std::int64_t ns) {
    return std::to_string(ns / 1'000'000'000) + "." +
           std::to_string(1'000'000'000 + ns % 1'000'000'000).substr(1) + " s";
  };
  std::int64_t latest = -1;
  std::uint64_t latest_row = 0;
  for (std::uint64_t row = 0; row < 100'000 && !s.late(0.3); ++row) {
    static_cast<void>(one.read(row));
    if (one.status() == IFB_END || one.status() < 0) return;
    if (one.status() != IFB_OK || one.sample().arrival_ns < 0) continue;
    if (one.sample().arrival_ns < latest) {
      s.fail(name_of_row(row) + " arrives at " + seconds(one.sample().arrival_ns) +
                 ", but the earlier " + name_of_row(latest_row) + " arrives at " + seconds(latest),
             "sort the rows by their arrival, or refuse the data in prepare with IFB_E_DATA: the "
             "host sends the rows in their order");
      return;
    }
    latest = one.sample().arrival_ns;
    latest_row = row;
  }
}

namespace {

// Every row of an endless dataset has a sample. `part`: the share of the test's time.
void check_no_end(subject& s, rows& one, double part) {
  for (std::uint64_t row = 0; row < 10'000 && !s.late(part); ++row) {
    static_cast<void>(one.read(row));
    if (one.status() == IFB_OK) continue;
    s.fail(name_of_row(row) + " has no sample, and the dataset has the flag IFB_DATASET_ENDLESS: " +
               refusal(one.status(), one.error()),
           "make a sample for every row number, or drop the flag");
    return;
  }
}

// Reads the first rows and the last: each must exist.
void search_early_end(subject& s, rows& one, std::uint64_t count) {
  const auto ends = [&](std::uint64_t row) {
    static_cast<void>(one.read(row));
    if (one.status() != IFB_END) return false;
    s.fail(name_of_row(row) + " of " + std::to_string(count) + " answers IFB_END",
           "let prepare set the number of rows that read knows, or -1 if it is not known; answer "
           "IFB_SKIP for a row without a sample");
    return true;
  };
  for (std::uint64_t row = 0; row < std::min<std::uint64_t>(count, looked_at); ++row)
    if (ends(row)) return;
  if (count > looked_at) static_cast<void>(ends(count - 1));
}

void check_end_of_counted(subject& s, rows& one) {
  const auto count = static_cast<std::uint64_t>(one.count());
  search_early_end(s, one, count);
  for (const std::uint64_t row : {count, count + 1, UINT64_MAX}) {
    static_cast<void>(one.read(row));
    if (one.status() != IFB_END)
      s.fail(name_of_row(row) + " of " + std::to_string(count) + " answers " +
                 name_of_status(one.status()),
             "answer IFB_END for a row past the end");
  }
}

// Reads rows in order until IFB_END.
void search_end(subject& s, rows& one) {
  constexpr std::uint64_t most = 100'000;
  std::uint64_t row = 0;
  for (; row < most && !s.late(0.3); ++row) {
    static_cast<void>(one.read(row));
    if (one.status() == IFB_END) break;
    if (one.status() < 0) {
      s.fail(name_of_row(row) + " cannot be read: " + refusal(one.status(), one.error()));
      return;
    }
  }
  if (one.status() != IFB_END) {
    s.note("no end within " + std::to_string(row) + " rows");
    return;
  }
  static_cast<void>(one.read(row));
  if (one.status() != IFB_END)
    s.fail("after the end " + name_of_row(row) + " answers " + name_of_status(one.status()),
           "answer IFB_END again");
}

}  // namespace

void check_rows_end(subject& s) {
  rows one(s);
  if (one.count() >= 0)
    check_end_of_counted(s, one);
  else if (one.has(IFB_DATASET_ENDLESS))
    check_no_end(s, one, 0.3);
  else
    search_end(s, one);
  if (!one.has(IFB_DATASET_ENDLESS)) return;
  // An endless dataset may have as many rows as the run wants. If the run does not know this
  // number, there is no end.
  rows any(s, {.wanted = 0});
  if (any.count() >= 0)
    s.fail("with 0 samples wanted prepare sets the number of rows to " +
               std::to_string(any.count()) + ", and the dataset has the flag IFB_DATASET_ENDLESS",
           "set -1, and make a sample for every row number; or drop the flag");
  else
    check_no_end(s, any, 0.6);
}

}  // namespace inferbench::check
