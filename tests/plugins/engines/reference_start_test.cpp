// The reference engine: its start, the options of the engine, and profiles.
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/draft/batch_engine.hpp>
#include <inferbench/json_reader.hpp>

#include "engine_host.hpp"
#include "engines/reference-engine/reference_plugin.hpp"

namespace reference_engine {
namespace {

using engine_test::engine_host;
using engine_test::failure_of;
using engine_test::message_of;
using engine_test::text_batch;
using std::chrono::milliseconds;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const ifb_plugin& described = ifb::draft::batch_engine<reference_plugin>::descriptor;

class reference_engines : public testing::Test {
 protected:
  reference_engines() {
    given_.max_model_len = 1000;
    given_.max_batch = 2;
    given_.seed = 1;
  }
  void configure(reference_plugin& engine, const std::string& json,
                 std::vector<ifb_field> environment = {}) {
    engine.configure(
        {sizeof(ifb_engine_setup), 0, ifb::str(json), environment.data(), environment.size()});
  }
  std::string refusal_of(const std::string& json) {
    reference_plugin engine(host_.host(), given_);
    return message_of([&] { configure(engine, json); });
  }

  engine_host host_;
  reference_options given_;
};

TEST_F(reference_engines, offer_both_interfaces_and_all_abilities) {
  EXPECT_THAT((std::vector<std::string>{described.interfaces[0], described.interfaces[1]}),
              ElementsAre(IFB_BATCH_ENGINE, IFB_ENGINE));
  const auto* const table =
      static_cast<const ifb_batch_engine*>(described.query(&described, IFB_BATCH_ENGINE));
  EXPECT_EQ(table->flags, 31U);
  EXPECT_NE(table->configure, nullptr);
  EXPECT_NE(table->start_profile, nullptr);
  EXPECT_NE(table->stop_profile, nullptr);
}

TEST_F(reference_engines, tell_the_phases_of_their_start) {
  given_.load = milliseconds(300);
  given_.compilation = milliseconds(200);
  given_.encoder_compilation = milliseconds(50);
  reference_plugin engine(host_.host(), given_);
  const ifb_loaded_engine loaded = engine.load();
  EXPECT_EQ(loaded.load_ns, 550'000'000U);
  EXPECT_EQ(loaded.max_model_len, 1000);
  EXPECT_EQ(loaded.max_adapters, -1);
  EXPECT_EQ(ifb::view(loaded.description), "reference-engine 1.0.0");
  ASSERT_EQ(loaded.measures.count, 3U);
  EXPECT_EQ(ifb::view(loaded.measures.first[1].name), "compilation");
  EXPECT_DOUBLE_EQ(loaded.measures.first[1].value, 0.2);
  EXPECT_EQ(loaded.measures.first[1].began_ns, loaded.measures.first[0].ended_ns);
  EXPECT_DOUBLE_EQ(loaded.measures.first[2].value, 0.05);
}

TEST_F(reference_engines, compile_faster_without_a_cache_folder_of_their_own) {
  given_.compilation = milliseconds(200);
  given_.warm_compilation = milliseconds(20);
  reference_plugin warm(host_.host(), given_);
  configure(warm, "{}", {ifb::field("VLLM_ENABLE_V1_MULTIPROCESSING", "0")});
  EXPECT_EQ(warm.load().load_ns, 20'000'000U);
  reference_plugin cold(host_.host(), given_);
  configure(cold, "", {ifb::field("VLLM_CACHE_ROOT", "/tmp/x")});
  EXPECT_EQ(cold.load().load_ns, 200'000'000U);
}

TEST_F(reference_engines, take_options_of_engines) {
  reference_plugin engine(host_.host(), given_);
  configure(engine, R"({"model": "m", "max-model-len": 77, "max_num_seqs": 1, "max_loras": 3,
                        "seed": null, "enable_prefix_caching": false,
                        "scheduling_policy": "priority"})");
  const ifb_loaded_engine loaded = engine.load();
  EXPECT_EQ(loaded.max_model_len, 77);
  EXPECT_EQ(loaded.max_adapters, 3);
  const text_batch what({"a", "b"}, 1);
  const ifb_batch_report report = engine.run(what.batch, host_.arena());
  EXPECT_EQ(report.elapsed_ns, 0U);
}

TEST_F(reference_engines, have_texts_of_the_engine_option_seed) {
  const text_batch what({"a"}, 20);
  std::vector<std::string> texts;
  for (const char* json : {R"({"seed": 1})", R"({"seed": 5})"}) {
    reference_plugin engine(host_.host(), given_);
    configure(engine, json);
    static_cast<void>(engine.load());
    const ifb_batch_report report = engine.run(what.batch, host_.arena());
    texts.emplace_back(ifb::view(report.results[0].outputs[0].text));
  }
  EXPECT_NE(texts[0], texts[1]);
}

TEST_F(reference_engines, refuse_wrong_options_of_engines) {
  EXPECT_EQ(refusal_of(R"({"max_speed": 3})"),
            "the reference engine has no option max_speed; its own options begin with "
            "--reference-engine-");
  EXPECT_EQ(refusal_of(R"({"max_model_len": "long"})"),
            "engine option max_model_len: \"long\" is no whole number");
  EXPECT_EQ(refusal_of(R"({"max_num_seqs": 0})"),
            "engine option max_num_seqs: 0 is not from 1 to 1000000000");
  EXPECT_EQ(refusal_of(R"({"seed": 1.5})"), "engine option seed: 1.5 is no whole number");
  EXPECT_EQ(refusal_of(R"({"seed": 18446744073709551615})"),
            "engine option seed: 18446744073709551615 is no whole number");
  EXPECT_EQ(refusal_of("[1]"), "the options of the engine are not a JSON object");
  EXPECT_THAT(refusal_of("{"), HasSubstr("malformed JSON"));
}

/// A folder for traces.
class reference_profiles : public reference_engines {
 protected:
  reference_profiles() {
    std::string name = (std::filesystem::temp_directory_path() / "trace-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    given_.profile.text = (folder_ / "trace.json").string();
    given_.ttft = milliseconds(100);
    given_.itl = milliseconds(10);
  }
  ~reference_profiles() override { std::filesystem::remove_all(folder_); }

  /// The names of the spans in the trace.
  std::vector<std::string> spans() {
    std::ifstream from(given_.profile.text);
    const std::string text((std::istreambuf_iterator<char>(from)), {});
    document_ = ifb::read_json(text);
    std::vector<std::string> out;
    for (const auto& each : ifb::find(document_, "traceEvents")->GetArray())
      out.emplace_back(ifb::text_of(ifb::find(each, "name")));
    return out;
  }

  std::filesystem::path folder_;
  ifb::json_document document_;
  text_batch what_{{"a", "b"}, 3};
};

TEST_F(reference_profiles, have_a_span_for_each_request) {
  reference_plugin engine(host_.host(), given_);
  const ifb_loaded_engine loaded = engine.load();
  EXPECT_EQ(ifb::view(loaded.profiler), "reference");
  EXPECT_EQ(ifb::view(loaded.profile_path), given_.profile.text);
  static_cast<void>(engine.run(what_.batch, host_.arena()));
  EXPECT_FALSE(std::filesystem::exists(given_.profile.text)) << "no profile was asked for";
  what_.batch.flags = IFB_BATCH_PROFILE;
  static_cast<void>(engine.run(what_.batch, host_.arena()));
  EXPECT_THAT(spans(), ElementsAre("request 0", "prefill", "request 1", "prefill"));
  const ifb::json_value& first = (*ifb::find(document_, "traceEvents"))[0];
  EXPECT_NEAR(ifb::find(first, "dur")->GetDouble(), 120'000, 1e-6);
  EXPECT_EQ(ifb::integer_of(ifb::find_path(first, "args.output_tokens")), 3);
}

TEST_F(reference_profiles, contain_all_batches_between_start_and_stop) {
  reference_plugin engine(host_.host(), given_);
  static_cast<void>(engine.load());
  EXPECT_THAT(message_of([&] { engine.stop_profile(); }), HasSubstr("no profile has been started"));
  engine.start_profile();
  EXPECT_THAT(message_of([&] { engine.start_profile(); }), HasSubstr("already been started"));
  for (int i = 0; i < 2; ++i)
    static_cast<void>(engine.run(what_.batch, host_.arena()));
  engine.stop_profile();
  EXPECT_EQ(spans().size(), 8U);
}

TEST_F(reference_profiles, need_a_file_that_can_be_written) {
  given_.profile.text = (folder_ / "no" / "trace.json").string();
  reference_plugin engine(host_.host(), given_);
  engine.start_profile();
  EXPECT_THAT(message_of([&] { engine.stop_profile(); }), HasSubstr("cannot write the trace"));
  given_.profile.text.clear();
  reference_plugin without(host_.host(), given_);
  EXPECT_EQ(without.load().profiler.size, 0U);
  what_.batch.flags = IFB_BATCH_PROFILE;
  const ifb::failure refused =
      failure_of([&] { static_cast<void>(without.run(what_.batch, host_.arena())); });
  EXPECT_EQ(refused.code(), IFB_E_UNSUPPORTED);
  EXPECT_EQ(refused.option(), "profile");
  EXPECT_EQ(failure_of([&] { without.start_profile(); }).code(), IFB_E_UNSUPPORTED);
}

}  // namespace
}  // namespace reference_engine
