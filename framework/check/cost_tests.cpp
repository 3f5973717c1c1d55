// Measures the time of calls on this machine, while other programs may run. The result is
// information and never a failure.
#include <algorithm>
#include <chrono>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "check/engine_call.hpp"
#include "check/instance_under_test.hpp"
#include "check/material.hpp"
#include "check/player.hpp"
#include "check/run.hpp"
#include "check/sample.hpp"
#include "check/scorer_answers.hpp"
#include "check/streams.hpp"
#include "check/table.hpp"
#include "check/test.hpp"
#include "plugin/instance.hpp"

namespace inferbench::check {

namespace {

// The time of one call in nanoseconds, from the fastest batch: other batches were slowed down by
// other programs. At least one call is made, even if the test has used up its time. A batch has
// `batch` calls, or fewer if calls are slow.
double best(subject& s, int batch, const std::function<void()>& call) {
  using steady = std::chrono::steady_clock;
  const auto timed = [&](int calls) {
    const auto began = steady::now();
    for (int k = 0; k < calls; ++k)
      call();
    const std::chrono::duration<double, std::nano> took = steady::now() - began;
    return took.count() / calls;
  };
  double out = timed(1);
  const double room = 0.02 * std::chrono::duration<double, std::nano>(s.given().limit).count();
  if (out * batch > room) batch = std::max(1, static_cast<int>(room / out));
  for (int i = 0; i < 20 && !s.late(0.3); ++i)
    out = std::min(out, timed(batch));
  return out;
}

std::string shown(double ns) {
  if (ns < 10'000) return fmt::format("{:.0f} ns", ns);
  return ns < 10'000'000 ? fmt::format("{:.0f} us", ns / 1e3) : fmt::format("{:.0f} ms", ns / 1e6);
}

// A codec and a sample that it takes.
struct sampled_codec {
  plugin::codec ops;
  ifb_instance* instance;
  const ifb_sample* sample;
  arena room{lending{}};
  ifb_error error = blank_error();
  ifb_http_request request{};  // of the exchange that was opened last

  // Opens an exchange and gets its request. nullptr on a refusal, and if open breaks its contract.
  ifb_exchange* open() {
    ifb_exchange* made = nullptr;
    request = {};
    request.struct_size = sizeof request;
    if (ops.open(instance, sample, room.handle(), &made, &error) != IFB_OK) return nullptr;
    if (made != nullptr) static_cast<void>(ops.request(made, &request, &error));
    return made;
  }
};

void cost_of_requests(subject& s, sampled_codec& codec) {
  s.note("a request costs " + shown(best(s, 100, [&] {
           if (ifb_exchange* const made = codec.open()) codec.ops.close(made);
         })));
}

// sign runs right before the first byte is sent, so its time is a part of the latency.
void cost_of_signatures(subject& s, sampled_codec& codec) {
  ifb_exchange* const made = codec.ops.signs ? codec.open() : nullptr;
  if (made == nullptr) return;
  ifb_http_target target{};
  target.struct_size = sizeof target;
  target.scheme = ifb::str("https");
  target.authority = ifb::str("host.example");
  target.unix_ns = wall_clock_ns;
  s.note("a signature costs " + shown(best(s, 100, [&] {
           ifb_http_request unsigned_request = codec.request;
           static_cast<void>(codec.ops.sign(made, &target, &unsigned_request, &codec.error));
         })));
  codec.ops.close(made);
}

// The table of `heard` with functions that do nothing, so that only the time of the codec counts.
ifb_events without_effect(const recorder& heard) {
  ifb_events out = *heard.events();
  out.on_token = [](ifb_output*, const ifb_token*) {};
  out.on_usage = [](ifb_output*, const ifb_usage*) {};
  out.on_attribute = [](ifb_output*, ifb_str, ifb_str) {};
  out.on_done = [](ifb_output*, const ifb_done*) {};
  out.on_error = [](ifb_output*, const ifb_error*) {};
  return out;
}

// The events of a stream of this protocol, if the kit knows them.
void cost_of_events(subject& s, sampled_codec& codec) {
  for (const std::string_view data :
       {R"({"choices":[{"index":0,"delta":{"content":"Hello"},"text":"Hello"}]})",
        R"({"type":"response.output_text.delta","delta":"Hello"})"}) {
    recorder quiet;
    const ifb_events events = without_effect(quiet);
    ifb_exchange* const made = codec.open();
    if (made == nullptr) return;
    ifb_http_message message{};
    message.struct_size = sizeof message;
    message.data = ifb::bytes(data);
    const auto hear = [&] {
      return codec.ops.on_message(made, &message, &events, quiet.output(), &codec.error);
    };
    const ifb_status status = hear();
    if (status == IFB_OK)
      s.note("an event costs " + shown(best(s, 500, [&] { static_cast<void>(hear()); })));
    codec.ops.close(made);
    if (status == IFB_OK) return;
  }
}

void cost_of_codec(subject& s, instance_under_test& instance) {
  const plugin::codec ops = codec_of(s);
  player one(s, instance);
  const std::optional<std::string> sample = taken_sample(one);
  if (!sample) subject::skip(takes_none(one));
  one.close();
  lent_memory memory;
  sampled_codec codec{ops, instance.get(), lend_sample(memory, *sample)};
  cost_of_requests(s, codec);
  cost_of_signatures(s, codec);
  cost_of_events(s, codec);
}

// The longest time for a submit that does not block. After a longer time the host reports its
// worker as late.
constexpr std::chrono::milliseconds longest_submit{5};

// The time that a request costs the host's thread in submit and release. The time between the two
// calls belongs to the server.
void cost_of_engine(subject& s, instance_under_test& instance) {
  if (engine_of(s).blocks()) subject::skip("submit blocks, so its time is the time of the request");
  std::chrono::duration<double, std::nano> least{1e18};
  int done = 0;
  for (; done < 2000 && !(done > 0 && s.late(0.3)); ++done) {
    auto call = std::make_unique<engine_call>(s, instance, all_shapes().front().json);
    if (call->status() != IFB_OK)
      subject::skip("submit refuses: " + refusal(call->status(), call->error()));
    if (!call->wait(std::chrono::milliseconds(0))) engine_call::stop(call);
    call->release();
    least = std::min<decltype(least)>(least, call->spent());
  }
  const std::string cost = fmt::format("a request costs {}, submit and release; the best of {}",
                                       shown(least.count()), done);
  if (least > longest_submit)
    s.warn(cost + ", and no other request leaves meanwhile",
           "return at once and report from a thread of your own, or set IFB_ENGINE_BLOCKING");
  else
    s.note(cost);
}

void cost_of_dataset(subject& s, instance_under_test& instance) {
  const plugin::dataset ops = dataset_of(s);
  arena room({});
  ifb_error error = blank_error();
  ifb_dataset_info info{};
  info.struct_size = sizeof info;
  const ifb_dataset_request request{sizeof(ifb_dataset_request), 0, 100, 0};
  if (const ifb_status status = ops.prepare(instance.get(), &request, &info, &error); status < 0)
    subject::skip("prepare refuses: " + refusal(status, error));
  std::uint64_t row = 0;
  s.note("a row costs " + shown(best(s, 100, [&] {
           ifb_sample sample = IFB_SAMPLE_INIT;
           const ifb_status status =
               ops.read(instance.get(), row++, room.handle(), &sample, &error);
           if (status == IFB_END && info.rows > 0) row = 0;
         })));
}

void cost_of_reporter(subject& s, instance_under_test& instance) {
  const plugin::reporter ops = reporter_of(s);
  lent_memory memory;
  ifb_error error = blank_error();
  if (const ifb_status status = ops.begin(instance.get(), lend_run(memory), &error); status < 0)
    subject::skip("begin refuses: " + refusal(status, error));
  constexpr std::size_t batch = 100;
  const auto records = lend_records(memory, batch);
  const double ns = best(s, 1, [&] {
    static_cast<void>(ops.records(instance.get(), records.data(), records.size(),
                                  memory.stride<ifb_record>(), &error));
  });
  s.note("a record costs " + shown(ns / batch));
}

// A table with runs until the time is up. Each run comes once, so a call cannot be made again.
void cost_of_table(subject& s, instance_under_test& instance) {
  const plugin::table_reporter ops = table_reporter_of(s);
  constexpr table_story what{.counted = false};
  constexpr std::size_t batch = 100;
  constexpr std::uint32_t most_runs = 200;
  using steady = std::chrono::steady_clock;
  const auto timed = [](double& least, const auto& call) {
    const auto began = steady::now();
    const ifb_status status = call();
    const std::chrono::duration<double, std::nano> took = steady::now() - began;
    least = std::min(least, took.count());
    return status;
  };
  ifb_error error = blank_error();
  lent_memory table;
  if (const ifb_status status = ops.begin(instance.get(), lend_table(table, what), &error);
      status < 0)
    subject::skip("begin refuses: " + refusal(status, error));
  double record = std::numeric_limits<double>::infinity();
  double run = record;
  for (std::uint32_t i = 0; i < most_runs && !(i > 0 && s.late(0.3)); ++i) {
    lent_memory memory;
    const auto records = lend_records(memory, batch);
    const ifb_table_run* const begun = lend_table_run(memory, what, i, false);
    const ifb_table_run* const ended = lend_table_run(memory, what, i, true);
    ifb_status status = timed(record, [&] {
      return ops.records(instance.get(), begun, records.data(), records.size(),
                         memory.stride<ifb_record>(), &error);
    });
    if (status >= 0) status = timed(run, [&] { return ops.run(instance.get(), ended, &error); });
    if (status < 0) subject::skip("a call refuses: " + refusal(status, error));
  }
  // A reporter that takes no records spends nothing on them.
  if (record / batch >= 1) s.note("a record costs " + shown(record / batch));
  s.note("a run of a table costs " + shown(run));
}

void cost_of_tokenizer(subject& s, instance_under_test& instance) {
  const plugin::tokenizer ops = tokenizer_of(s);
  std::string text;
  while (text.size() < 1000)
    text += "The quick brown fox jumps over the lazy dog, 7 times. ";
  std::vector<std::uint32_t> ids(4 * text.size());
  std::size_t needed = 0;
  ifb_error error = blank_error();
  const double ns = best(s, 5, [&] {
    static_cast<void>(
        ops.encode(instance.get(), plugin::str(text), 0, ids.data(), ids.size(), &needed, &error));
  });
  s.note("encoding costs " + shown(ns * 1000 / static_cast<double>(text.size())) + " per KB");
}

void cost_of_scorer(subject& s, instance_under_test& instance) {
  const plugin::scorer ops = scorer_of(s);
  lent_memory memory;
  arena room({});
  double most = 0;
  ifb_error error = blank_error();
  for (const scorer_answer& each : scorer_answers()) {
    const ifb_record* const record = lend_answer(memory, each);
    ifb_score score{};
    score.struct_size = sizeof score;
    most = std::max(
        most, best(s, 1, [&] {
          static_cast<void>(ops.score(instance.get(), record, room.handle(), &score, &error));
          room.close();
        }));
    memory.give_back();
  }
  s.note("the answer that takes longest costs " + shown(most));
}

}  // namespace

void check_cost(subject& s) {
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  if (s.given().kind == IFB_BACKEND && offers(s, IFB_HTTP_CODEC)) return cost_of_codec(s, instance);
  if (s.given().kind == IFB_BACKEND && offers(s, IFB_ENGINE)) return cost_of_engine(s, instance);
  if (s.given().kind == IFB_DATASET && offers(s, IFB_DATASET_OPS))
    return cost_of_dataset(s, instance);
  if (s.given().kind == IFB_REPORTER && offers(s, IFB_REPORTER_OPS))
    return cost_of_reporter(s, instance);
  if (s.given().kind == IFB_REPORTER && offers(s, IFB_TABLE_REPORTER_OPS))
    return cost_of_table(s, instance);
  if (s.given().kind == IFB_TOKENIZER && offers(s, IFB_TOKENIZER_OPS))
    return cost_of_tokenizer(s, instance);
  if (s.given().kind == IFB_SCORER && offers(s, IFB_SCORER_OPS)) return cost_of_scorer(s, instance);
  subject::skip("the plugin has no call whose cost could be measured");
}

}  // namespace inferbench::check
