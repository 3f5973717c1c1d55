// Tests of datasets: the host can read rows in any order, and each row is the same every time.
#include <string>
#include <vector>

#include "check/exercise.hpp"
#include "check/instance_under_test.hpp"
#include "check/sample.hpp"
#include "check/test.hpp"
#include "dataset/shape.hpp"

namespace inferbench::check {

namespace {

constexpr std::int64_t usual = 100;  // number of requested rows; some datasets refuse fewer

// A prepared dataset and the row that was read last.
class rows {
 public:
  /// Skips the test if prepare refuses. `strict`: it is an error if prepare refuses the options
  /// that the user gave.
  rows(subject& s, std::uint64_t seed, lending how = {}, bool strict = false,
       std::int64_t asked_for = usual)
      : on_({}), instance_(s, on_, s.values()), memory_(how), arena_(how) {
    need(instance_);
    ops_ = dataset_of(s);
    const ifb_dataset_request request{sizeof(ifb_dataset_request), 0, asked_for, seed};
    auto* const info = memory_.room<ifb_dataset_info>();
    // The error is in lent memory, because a plugin that keeps the pointer could otherwise
    // overwrite the stack later.
    ifb_error& error = *lend_error(memory_);
    const ifb_status status = ops_.prepare(instance_.get(), memory_.put(request), info, &error);
    judge_refusal(s, "prepare", status, error);
    if (status < 0 && strict && !s.given().settings.empty())
      s.fail("prepare fails: " + refusal(status, error),
             "let prepare succeed with the values that --set gives");
    if (status != IFB_OK)
      subject::skip("prepare refuses: " + refusal(status, error) +
                    "; give what it needs with --set OPTION=VALUE");
    count_ = info->rows;
    flags_ = info->flags;
  }

  /// Reads a row and returns it as text. If the plugin returns no sample, returns the refusal.
  /// `beside`: the memory of the previous row stays valid in the arena.
  std::string read(std::uint64_t row, bool beside = false) {
    if (!beside) arena_.close();
    error_ = blank_error();
    sample_ = memory_.room<ifb_sample>();
    status_ = ops_.read(instance_.get(), row, arena_.handle(), sample_, &error_);
    return status_ == IFB_OK ? text_of(*sample_) : refusal(status_, error_);
  }

  [[nodiscard]] ifb_status status() const { return status_; }
  [[nodiscard]] const ifb_error& error() const { return error_; }
  [[nodiscard]] const ifb_sample& sample() const { return *sample_; }
  /// The number of rows; -1: unknown, so rows are read until IFB_END.
  [[nodiscard]] std::int64_t count() const { return count_; }
  [[nodiscard]] std::uint32_t flags() const { return flags_; }

 private:
  host on_;
  instance_under_test instance_;
  plugin::dataset ops_{};
  lent_memory memory_;
  arena arena_;
  ifb_sample* sample_ = nullptr;
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
  std::int64_t count_ = 0;
  std::uint32_t flags_ = 0;
};

constexpr std::uint64_t looked_at = 8;

// The first `looked_at` rows in order, or all rows if there are fewer.
std::vector<std::string> first_rows(rows& from) {
  std::vector<std::string> out;
  for (std::uint64_t row = 0; row < looked_at; ++row) {
    out.push_back(from.read(row));
    if (from.status() == IFB_END || from.status() < 0) break;
  }
  return out;
}

// Checks that a sample is valid and has the properties that the flags of the dataset promise.
void judge_sample(subject& s, const rows& from, std::size_t row) {
  const ifb_sample& sample = from.sample();
  if (const char* const wrong = dataset::wrong_with(sample)) {
    s.fail("row " + std::to_string(row) + " is not a valid sample: " + wrong,
           "see ifb_prompt_shape in abi.h");
    return;
  }
  if ((from.flags() & IFB_DATASET_ARRIVALS) != 0 && sample.arrival_ns < 0)
    s.fail("row " + std::to_string(row) +
               " has no arrival_ns, but the dataset has the flag IFB_DATASET_ARRIVALS",
           "drop IFB_DATASET_ARRIVALS, or give each sample its time");
  if ((from.flags() & IFB_DATASET_SESSIONS) != 0 && sample.shape != IFB_PROMPT_CHAT)
    s.fail("row " + std::to_string(row) +
               " is not a chat, but the dataset has the flag IFB_DATASET_SESSIONS",
           "drop IFB_DATASET_SESSIONS, or answer IFB_SKIP for a row that is not a conversation");
}

}  // namespace

void check_rows(subject& s) {
  rows one(s, 0, {}, true);
  if (one.count() < -1)
    s.fail("prepare reports " + std::to_string(one.count()) + " rows",
           "set rows to -1 if the number is not known");
  const auto in_order = first_rows(one);
  // Reads each row a second time, unless the dataset can only be read in order.
  for (std::size_t i = in_order.size(); one.count() >= 0 && i-- > 0;) {
    const std::string again = one.read(i);
    if (again != in_order[i]) {
      s.fail("row " + std::to_string(i) +
                 " differs when it is read again: " + difference({in_order[i]}, {again}),
             "let a row depend on options, seed and number alone");
      break;
    }
  }
  rows fresh(s, 0);
  for (std::size_t i = 0; i < in_order.size(); ++i) {
    static_cast<void>(fresh.read(i));
    judge_refusal(s, "read", fresh.status(), fresh.error());
    if (fresh.status() == IFB_SKIP && fresh.error().message[0] == '\0')
      s.fail("read passes over row " + std::to_string(i) + " and does not say why",
             "fill ifb_error.message, which is shown once for each reason");
    if (fresh.status() != IFB_OK) continue;
    judge_sample(s, fresh, i);
  }
  if (in_order.size() == 1 && one.status() < 0) s.fail("row 0 cannot be read: " + in_order.front());
}

void check_wanted(subject& s) {
  std::string refused;
  int refusals = 0;
  for (const std::int64_t wanted : {std::int64_t{1}, std::int64_t{0}, std::int64_t{-1}}) {
    try {
      rows some(s, 0, {}, false, wanted);
      for (std::size_t i = 0; i < looked_at; ++i) {
        static_cast<void>(some.read(i));
        judge_refusal(s, "read", some.status(), some.error());
        if (some.status() == IFB_END || some.status() < 0) break;
        if (some.status() == IFB_OK) judge_sample(s, some, i);
      }
    } catch (const skipped& why) {
      refused = why.why;
      ++refusals;
    }
  }
  if (refusals == 3) subject::skip(refused);
}

void check_seed(subject& s) {
  rows first(s, 42);
  rows second(s, 42);
  const auto wanted = first_rows(first);
  const auto found = first_rows(second);
  if (wanted != found)
    s.fail("the same seed makes other rows: " + difference(wanted, found),
           "draw from ifb_dataset_request.seed, or from the host's seed, and from nothing else");
}

void check_row_memory(subject& s) {
  // With `pages`, the memory of the arena becomes unreadable when the arena is closed.
  rows one(s, 0, {.pages = true});
  const std::string first = one.read(0);
  if (one.status() != IFB_OK) subject::skip("row 0 is not a valid sample: " + first);
  const ifb_sample& sample = one.sample();
  static_cast<void>(one.read(1, true));
  const std::string later = text_of(sample);
  if (later != first)
    s.fail("the views of a row change when the next one is read: " + difference({first}, {later}),
           "put into the arena what the instance does not keep for good");
  if (one.count() < 0) return;
  static_cast<void>(one.read(1));
  const std::string again = one.read(0);
  if (again != first)
    s.fail("a row differs when it is read with another arena: " + difference({first}, {again}),
           "keep no pointer into an arena: it is gone when the next row is read");
}

void check_rows_end(subject& s) {
  rows one(s, 0);
  if (one.count() >= 0) {
    const auto count = static_cast<std::uint64_t>(one.count());
    for (const std::uint64_t row : {count, count + 1, UINT64_MAX}) {
      static_cast<void>(one.read(row));
      if (one.status() != IFB_END)
        s.fail("row " + std::to_string(row) + " of " + std::to_string(count) + " answers " +
                   name_of_status(one.status()),
               "answer IFB_END for a row past the end");
    }
    return;
  }
  constexpr std::uint64_t most = 100'000;
  std::uint64_t row = 0;
  for (; row < most && !s.late(0.3); ++row) {
    static_cast<void>(one.read(row));
    if (one.status() == IFB_END) break;
    if (one.status() < 0) {
      s.fail("row " + std::to_string(row) +
             " cannot be read: " + refusal(one.status(), one.error()));
      return;
    }
  }
  if (one.status() != IFB_END) {
    s.note("no end within " + std::to_string(row) + " rows");
    return;
  }
  static_cast<void>(one.read(row));
  if (one.status() != IFB_END)
    s.fail("after the end row " + std::to_string(row) + " answers " + name_of_status(one.status()),
           "answer IFB_END again");
}

}  // namespace inferbench::check
