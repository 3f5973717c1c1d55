// Tests of reporters of several runs: unusual tables, hostile records, memory that is gone.
#include <string>
#include <string_view>
#include <vector>

#include "check/exercise.hpp"
#include "check/raw_call.hpp"
#include "check/table.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

// The call that failed, and its status and error.
struct table_call {
  std::string call;  // empty: no call failed
  ifb_status status = IFB_OK;
  ifb_error error = blank_error();
};

// The calls of a table. `calls`: the number of calls after which the table breaks off; `hostile`:
// the records are those of a damaged journal.
table_call tell(subject& s, instance_under_test& instance, const table_story& what,
                bool hostile = false, std::size_t calls = 1000) {
  const plugin::table_reporter ops = table_reporter_of(s);
  lent_memory memory;
  table_call out;
  std::size_t made = 0;
  const auto called = [&](const char* call, auto* function, auto... arguments) {
    if (made == calls) return false;
    ++made;
    out.status = raw_call(ops.plugin, call, function, instance.get(), arguments..., &out.error);
    judge_refusal(s, call, out.status, out.error);
    if (out.status < 0) out.call = call;
    return out.status >= 0;
  };
  if (!called("begin", ops.ifb_table_reporter::begin, lend_table(memory, what))) return out;
  for (std::uint32_t i = 0; i < what.runs; ++i) {
    if (what.records > 0) {
      const auto records =
          hostile ? lend_hostile_records(memory) : lend_records(memory, what.records);
      if (!called("records", ops.ifb_table_reporter::records,
                  lend_table_run(memory, what, i, false), records.data(), records.size(),
                  std::size_t{memory.stride<ifb_record>()}))
        return out;
    }
    if (!called("run", ops.ifb_table_reporter::run, lend_table_run(memory, what, i, true)))
      return out;
  }
  called("end", ops.ifb_table_reporter::end, lend_table_end(memory, what));
  return out;
}

void expect_table(subject& s, const table_story& what, const std::string& of, bool hostile = false,
                  std::size_t calls = 1000) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  const table_call out = tell(s, instance, what, hostile, calls);
  if (!out.call.empty())
    s.fail(out.call + " fails" + of + ": " + refusal(out.status, out.error),
           "report the data that there are");
}

std::vector<std::string> table_answers(subject& s, const lending& how) {
  const host on({.memory = how});
  instance_under_test instance(s, on, s.values(), how);
  need(instance);
  return exercise_table(s, instance, {.memory = how});
}

}  // namespace

void check_table_runs(subject& s) {
  expect_table(s, {}, ", of two runs");
  expect_table(s, {.axes = false}, ", of a table without axes");
  expect_table(s, {.runs = 1}, ", of a table with one run");
  expect_table(s, {.records = 0}, ", of runs without records");
  expect_table(s, {.runs = 3, .counted = false}, ", of a number of runs that begin does not know");
  expect_table(s, {.runs = 0, .counted = false}, ", of a table without runs");
}

void check_table_figures(subject& s) {
  expect_table(s, {.unknown = true}, ", of runs with unknown figures");
}

void check_table_records(subject& s) {
  expect_table(s, {}, ", of records from a damaged journal", true);
}

void check_table_broken_off(subject& s) {
  for (const std::size_t calls : {1U, 2U, 3U, 4U, 5U})
    expect_table(s, {}, ", of a table that breaks off", false, calls);
  expect_table(s, {.interrupted = true}, ", of a table that was stopped");
}

void check_table_folder(subject& s) {
  auto values = s.values();
  const auto options = s.plugin().options();
  bool any = false;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i]->type != IFB_PATH) continue;
    values[i].is_set = true;
    values[i].text = "/dev/null/folder";  // even root cannot make this folder
    any = true;
  }
  if (!any) subject::skip("the reporter has no option that is a path");
  const host on({});
  instance_under_test instance(s, on, values);
  if (!instance) {
    judge_refusal(s, "create", instance.status, instance.error);
    return;
  }
  const table_call out = tell(s, instance, {});
  if (out.call.empty() && on.complaints() == 0)
    s.fail("a table for a folder that cannot be made succeeds without a word",
           "fail with IFB_E_IO where a file cannot be written; best in begin");
}

void check_table_memory(subject& s) {
  const auto expected = table_answers(s, {});
  const bool newer = s.plugin().abi_minor > IFB_ABI_MINOR;
  const lending longer{.tail = 64, .filling = static_cast<unsigned char>(newer ? 0 : 0xA5)};
  for (const lending& how : {lending{.pages = true}, longer}) {
    const auto found = table_answers(s, how);
    if (found != expected)
      s.fail(std::string(how.pages ? "with inputs elsewhere in memory" : "on a newer host") +
                 " the reporter answers differently: " + difference(expected, found),
             "walk arrays by their stride, and copy what is needed after the call");
  }
}

}  // namespace inferbench::check
