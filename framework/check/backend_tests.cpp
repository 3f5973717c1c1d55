// A test of codecs and engines: samples of a later version of abi.h.
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <inferbench/draft/batch_engine.h>

#include "check/engine_call.hpp"
#include "check/instance_under_test.hpp"
#include "check/player.hpp"
#include "check/test.hpp"

namespace inferbench::check {

namespace {

struct strange_sample {
  const char* has;  // the part of the sample that abi.h does not have
  const char* json;
};

constexpr strange_sample strange_samples[] = {
    {"a prompt of shape 99", R"({"shape": 99, "prompt": ["hi"]})"},
    {"a part of kind 99", R"({"shape": "parts", "prompt": ["hi", {"kind": 99, "data": "x"}]})"},
};

const char* const remedy =
    "refuse shapes and kinds that you do not know with IFB_E_UNSUPPORTED: a request without them "
    "measures another prompt";

void ask_codec(subject& s, instance_under_test& instance) {
  player one(s, instance);
  one.judge();
  for (const auto& [has, json] : strange_samples) {
    if (one.open(json) && one.request())
      s.fail(std::string("the codec makes a request of a sample with ") + has +
                 ", which abi.h does not have",
             remedy);
    else if (one.status() != IFB_E_UNSUPPORTED)
      s.fail(std::string("the codec refuses ") + has + ", which abi.h does not have, with " +
                 refusal(one.status(), one.error()),
             remedy);
  }
}

// Another failure than IFB_E_UNSUPPORTED is accepted, because usually there is no server for the
// engine here.
// `calls` receives the calls, which must outlive the instance: a thread of the engine may report
// further events until then.
void ask_engine(subject& s, instance_under_test& instance,
                std::vector<std::unique_ptr<engine_call>>& calls) {
  for (const auto& [has, json] : strange_samples) {
    auto call = std::make_unique<engine_call>(s, instance, json);
    if (!call->wait(s.given().limit / 20)) engine_call::stop(call);
    call->release();
    const bool done = call->heard().done();
    calls.push_back(std::move(call));
    if (done)
      s.fail(std::string("the engine answers a sample with ") + has +
                 ", which abi.h does not have, with on_done",
             remedy);
  }
}

}  // namespace

void check_unknown_prompts(subject& s) {
  std::vector<std::unique_ptr<engine_call>> calls;
  const host on({});
  instance_under_test instance(s, on, s.values());
  need(instance);
  if (offers(s, IFB_HTTP_CODEC)) return ask_codec(s, instance);
  if (offers(s, IFB_ENGINE)) return ask_engine(s, instance, calls);
  subject::skip(offers(s, IFB_BATCH_ENGINE)
                    ? "the engine takes whole batches: see the test batch-unknown"
                    : "the backend has neither a codec nor an engine");
}

}  // namespace inferbench::check
