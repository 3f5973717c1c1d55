#include "check/exercise.hpp"

#include <memory>
#include <string_view>
#include <utility>

#include "check/engine_call.hpp"
#include "check/player.hpp"
#include "check/sample.hpp"
#include "check/streams.hpp"

namespace inferbench::check {

std::vector<std::string> exercise(subject& s, instance_under_test& instance, const effort& how) {
  if (!instance) return {"create " + refusal(instance.status, instance.error)};
  switch (s.given().kind) {
    case IFB_BACKEND: {
      if (offers(s, IFB_HTTP_CODEC)) return exercise_codec(s, instance, how);
      if (offers(s, IFB_ENGINE)) return exercise_engine(s, instance, how);
      return {};
    }
    case IFB_DATASET:
      return offers(s, IFB_DATASET_OPS) ? exercise_dataset(s, instance, how)
                                        : std::vector<std::string>{};
    case IFB_REPORTER:
      return offers(s, IFB_REPORTER_OPS) ? exercise_reporter(s, instance, how)
                                         : std::vector<std::string>{};
    case IFB_TOKENIZER:
      return offers(s, IFB_TOKENIZER_OPS) ? exercise_tokenizer(s, instance, how)
                                          : std::vector<std::string>{};
    default: return {};
  }
}

std::vector<std::string> exercise_codec(subject& s, instance_under_test& instance,
                                        const effort& how) {
  std::vector<std::string> out;
  player one(s, instance, how.memory);
  if (how.judging) one.judge();
  for (const named_sample& shape : all_shapes()) {
    for (const answer& from : minimal_answers()) {
      const std::string name = shape.name;
      if (!one.open(shape.json)) {
        out.push_back(name + ": open " + refusal(one.status(), one.error()));
        break;
      }
      const bool asked = one.converse(from);
      out.push_back(name + ": " + (asked ? one.asked() : refusal(one.status(), one.error())));
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
  ifb_status status = ops.prepare(instance.get(), memory.put(request), info, lent_error);
  error = *lent_error;
  if (info->struct_size != info_size)
    s.fail("prepare changes the struct_size of the ifb_dataset_info",
           "leave struct_size as the host set it (rule R3 in abi.h)");
  const std::int64_t there = info->rows;
  memory.give_back();
  if (how.judging) judge_refusal(s, "prepare", status, error);
  out.push_back("prepare " + refusal(status, error) + " " + std::to_string(there));
  if (status < 0) return out;
  for (std::uint64_t row = 0; row < 4; ++row) {
    auto* const sample = memory.room<ifb_sample>();
    const std::uint32_t size = sample->struct_size;
    lent_error = lend_error(memory);
    status = ops.read(instance.get(), row, rows.handle(), sample, lent_error);
    error = *lent_error;
    if (how.judging) judge_refusal(s, "read", status, error);
    if (status == IFB_OK && sample->struct_size != size)
      s.fail("read changes the struct_size of the sample",
             "leave struct_size as the host set it (rule R3 in abi.h)");
    out.push_back("row " + std::to_string(row) + " " +
                  (status == IFB_OK ? text_of(*sample) : refusal(status, error)));
    memory.give_back();
    rows.close();
    if (status == IFB_END || status < 0) break;
  }
  return out;
}

namespace {

std::string encoded(const plugin::tokenizer& ops, instance_under_test& instance,
                    lent_memory& memory, std::string_view text, std::uint32_t flags,
                    std::vector<std::uint32_t>& ids) {
  constexpr std::size_t capacity = 256;
  auto* const room = static_cast<std::uint32_t*>(memory.take(capacity * sizeof(std::uint32_t), 4));
  auto* const needed = static_cast<std::size_t*>(memory.take(sizeof(std::size_t), 8));
  const ifb_status status =
      ops.encode(instance.get(), memory.text(text), flags, room, capacity, needed);
  ids.assign(room, room + (status == IFB_OK ? std::min(capacity, *needed) : 0));
  memory.give_back();
  std::string out = name_of_status(status);
  for (const std::uint32_t id : ids)
    out += " " + std::to_string(id);
  return out;
}

}  // namespace

std::vector<std::string> exercise_tokenizer(subject& s, instance_under_test& instance,
                                            const effort& how) {
  std::vector<std::string> out;
  const plugin::tokenizer ops = tokenizer_of(s);
  lent_memory memory(how.memory);
  auto* const vocabulary = memory.room<ifb_vocabulary>();
  const std::uint32_t size = vocabulary->struct_size;
  ifb_status status = ops.vocabulary(instance.get(), vocabulary);
  if (vocabulary->struct_size != size)
    s.fail("vocabulary changes the struct_size of the ifb_vocabulary",
           "leave struct_size as the host set it (rule R3 in abi.h)");
  out.push_back("vocabulary " + name_of_status(status) + " " + std::to_string(vocabulary->size));
  memory.give_back();
  const auto judged = [&](const char* call) {
    if (how.judging && (status > 0 || status < IFB_E_DATA))
      s.fail(std::string(call) + " answers with " + name_of_status(status) +
                 ", which is neither IFB_OK nor a failure",
             "answer IFB_OK, or a code below 0");
  };
  judged("vocabulary");
  for (const char* text : {"Say hi to the 3 bears.", "", "caf\u00e9 \u4e2d\U0001F600\n\tx"}) {
    std::vector<std::uint32_t> ids;
    out.push_back("encode " + encoded(ops, instance, memory, text, IFB_ENCODE_SPECIAL, ids));
    out.push_back("encode " + encoded(ops, instance, memory, text, 0, ids));
    constexpr std::size_t capacity = 1024;
    auto* const room = static_cast<char*>(memory.take(capacity, 1));
    auto* const needed = static_cast<std::size_t*>(memory.take(sizeof(std::size_t), 8));
    status = ops.decode(instance.get(), memory.copy(std::span<const std::uint32_t>(ids)),
                        ids.size(), 0, room, capacity, needed);
    judged("decode");
    out.push_back(
        "decode " + name_of_status(status) + " " +
        (status == IFB_OK ? std::string(room, std::min(capacity, *needed)) : std::string()));
    memory.give_back();
    auto* const counted = static_cast<std::uint64_t*>(memory.take(sizeof(std::uint64_t), 8));
    status = ops.count(instance.get(), memory.text(text), 0, counted);
    judged("count");
    out.push_back("count " + name_of_status(status) + " " + std::to_string(*counted));
    memory.give_back();
    auto* const some = static_cast<std::uint32_t*>(memory.take(256, 4));
    auto* const types = static_cast<std::uint32_t*>(memory.take(256, 4));
    auto* const pair = static_cast<std::size_t*>(memory.take(sizeof(std::size_t), 8));
    status = ops.encode_pair(instance.get(), memory.text(text), memory.text("pair"), 0, some, types,
                             64, pair);
    judged("encode_pair");
    out.push_back("encode_pair " + name_of_status(status) + " " + std::to_string(*pair));
    memory.give_back();
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
    if (s.late(0.6))
      throw too_slow{{"the plugin's calls take too long to be made again and again"}};
    auto call = std::make_unique<engine_call>(s, instance, shape.json, how.memory);
    // Usually there is no server for the engine here, so any end of a call is accepted, but it must
    // come soon. Only one call gets time to end without being cancelled. It gets more time if the
    // first call of the test ended in this way, because other threads may run calls at the same
    // time.
    const bool waits = !waited && s.calls_are() != pace::slow;
    const bool ended = waits && call->wait(s.calls_are() == pace::quick ? limit / 4 : limit / 20);
    if (!ended) {
      static_cast<void>(call->wait_for_name(limit / 8));
      call->cancel();
    }
    if (!ended && !call->wait(limit / 4)) {
      engine_call::leave_behind(std::move(call));
      subject::skip("a call does not end: see the test engine-cancel");
    }
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
