#include "check/exercise.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include <inferbench/draft/batch_engine.h>
#include <inferbench/draft/scorer.h>

#include "check/dataset_rows.hpp"
#include "check/engine_call.hpp"
#include "check/player.hpp"
#include "check/raw_call.hpp"
#include "check/sample.hpp"
#include "check/streams.hpp"

namespace inferbench::check {

std::vector<std::string> exercise(subject& s, instance_under_test& instance, const effort& how) {
  if (!instance) return {"create " + refusal(instance.status, instance.error)};
  switch (s.given().kind) {
    case IFB_BACKEND: {
      if (offers(s, IFB_HTTP_CODEC)) return exercise_codec(s, instance, how);
      if (offers(s, IFB_ENGINE)) return exercise_engine(s, instance, how);
      if (offers(s, IFB_BATCH_ENGINE)) return exercise_batches(s, instance, how);
      return {};
    }
    case IFB_DATASET:
      return offers(s, IFB_DATASET_OPS) ? exercise_dataset(s, instance, how)
                                        : std::vector<std::string>{};
    case IFB_REPORTER: {
      // An instance is used for one of the two interfaces; the tests table-* use the other one.
      if (offers(s, IFB_REPORTER_OPS)) return exercise_reporter(s, instance, how);
      if (offers(s, IFB_TABLE_REPORTER_OPS)) return exercise_table(s, instance, how);
      return {};
    }
    case IFB_TOKENIZER:
      return offers(s, IFB_TOKENIZER_OPS) ? exercise_tokenizer(s, instance, how)
                                          : std::vector<std::string>{};
    case IFB_SCORER:
      return offers(s, IFB_SCORER_OPS) ? exercise_scorer(s, instance, how)
                                       : std::vector<std::string>{};
    default: return {};
  }
}

std::vector<std::string> ordinary_answers(subject& s) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  return exercise(s, instance);
}

std::vector<std::string> exercise_codec(subject& s, instance_under_test& instance,
                                        const effort& how) {
  std::vector<std::string> out;
  player one(s, instance, how.memory);
  if (how.judging) one.judge();
  if (how.elsewhere) one.ask_elsewhere();
  for (const named_sample& shape : all_shapes()) {
    for (const answer& from : minimal_answers()) {
      const std::string name = shape.name;
      if (!one.open(shape.json)) {
        out.push_back(name + ": open " + refusal(one.status(), one.error()));
        break;
      }
      const bool asked = one.converse(from);
      out.push_back(name + ": " + (asked ? one.first_asked() : refusal(one.status(), one.error())));
      if (!asked) break;
      for (const std::string& line : one.heard().lines())
        out.emplace_back(name).append(": ").append(line);
    }
    one.close();
  }
  return out;
}

std::vector<std::string> exercise_dataset(subject& s, instance_under_test& instance,
                                          const effort& how) {
  constexpr std::int64_t wanted = 100;  // number of rows; some datasets refuse fewer
  std::vector<std::string> out;
  const plugin::dataset ops = dataset_of(s);
  lent_memory memory(how.memory);
  arena rows(how.memory);
  ifb_error error = blank_error();
  ifb_error* lent_error = lend_error(memory);
  auto* const info = memory.room<ifb_dataset_info>();
  const std::uint32_t info_size = info->struct_size;
  const ifb_dataset_request request{sizeof(ifb_dataset_request), 0, wanted, how.seed};
  const ifb_dataset_request* const lent_request = memory.put(request);
  ifb_status status = raw_call(ops.plugin, "prepare", ops.ifb_dataset::prepare, instance.get(),
                               lent_request, info, lent_error);
  error = *lent_error;
  if (info->struct_size != info_size)
    s.fail("prepare changes the struct_size of the struct that it fills in",
           "leave struct_size as the host set it (rule R3 in abi.h)");
  const std::int64_t there = info->rows;
  memory.give_back();
  if (how.judging) judge_refusal(s, "prepare", status, error);
  out.push_back("prepare " + refusal(status, error) + " " + std::to_string(there));
  if (status < 0) return out;
  for (std::uint64_t row = 0; row < 4; ++row) {
    ifb_sample* const sample = room_for_sample(memory);
    const std::uint32_t size = sample->struct_size;
    lent_error = lend_error(memory);
    status = raw_call(ops.plugin, "read", ops.ifb_dataset::read, instance.get(), row, rows.handle(),
                      sample, lent_error);
    error = *lent_error;
    if (how.judging) judge_refusal(s, "read", status, error);
    if (status == IFB_OK && sample->struct_size != size)
      s.fail("read changes the struct_size of the sample",
             "leave struct_size as the host set it (rule R3 in abi.h)");
    out.push_back(name_of_row(row) + " " +
                  (status == IFB_OK ? text_of(*sample) : refusal(status, error)));
    memory.give_back();
    rows.close();
    if (status == IFB_END || status < 0) break;
  }
  return out;
}

namespace {

// The first line that reports an end of a call.
std::string end_of(const recorder& heard, bool reasons) {
  constexpr std::string_view error = "error ";
  for (const std::string& line : heard.lines()) {
    if (line.starts_with("done ")) return line;
    if (line.starts_with(error))
      return reasons ? line : line.substr(0, line.find(' ', error.size()));
  }
  return "no end";
}

}  // namespace

std::vector<std::string> exercise_engine(subject& s, instance_under_test& instance,
                                         const effort& how) {
  const auto limit = s.given().limit;
  std::vector<std::string> out;
  bool waited = false;
  for (const named_sample& shape : all_shapes()) {
    if (s.late(0.6)) throw too_slow{{"the calls take too long to be made again and again"}};
    auto call = std::make_unique<engine_call>(s, instance, shape.json, how.memory);
    // Usually there is no server for the engine here, so any end of a call is accepted, but it must
    // come soon. Only one call gets time to end without being cancelled. It gets more time if the
    // first call of the test ended in this way, because other threads may run calls at the same
    // time.
    const bool waits = !waited && s.calls_are() != pace::slow;
    const bool ended = waits && call->wait(s.calls_are() == pace::quick ? limit / 4 : limit / 20);
    if (!ended) engine_call::stop(call);
    if (how.judging) judge_refusal(s, "submit", call->status(), call->error());
    std::string line = std::string(shape.name) + ": submit " + name_of_status(call->status());
    if (waits && call->status() == IFB_OK) {
      waited = true;
      if (s.calls_are() == pace::unknown) s.calls_are(ended ? pace::quick : pace::slow);
      call->release();
      if (ended)
        line += ", " + end_of(call->heard(), how.reasons);
      else if (s.calls_are() == pace::quick)
        line += ", over when cancelled";
    }
    out.push_back(std::move(line));
  }
  return out;
}

std::string difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& found) {
  const auto shown = [](const std::vector<std::string>& in, std::size_t i) {
    constexpr std::size_t longest = 200;
    return i < in.size() ? "\"" + in[i].substr(0, longest) + "\"" : std::string("nothing");
  };
  for (std::size_t i = 0; i < std::max(expected.size(), found.size()); ++i)
    if (i >= expected.size() || i >= found.size() || expected[i] != found[i])
      return shown(found, i) + " instead of " + shown(expected, i);
  return {};
}

}  // namespace inferbench::check
