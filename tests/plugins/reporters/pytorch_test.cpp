// Tests the reporter `pytorch`: which records it writes, their contents, and the files.
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidjson/document.h>

#include "base/text.hpp"
#include "driver.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::reporters_test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pair;

class pytorch_file : public testing::Test {
 protected:
  outcome report(const input& in, std::vector<setting> more = {}) const {
    more.push_back({"result-dir", folder.string()});
    return report_with("pytorch", more, in);
  }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder))
      names.push_back(entry.path().filename());
    return names;
  }
  rapidjson::Document records(const std::string& name = "r.pytorch.json") const {
    rapidjson::Document d;
    d.Parse(base::read_file((folder / name).string()).c_str());
    EXPECT_TRUE(d.IsArray()) << name;
    return d;
  }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
  setting r{"result-filename", std::string("r.json")};
};

std::vector<std::string> metrics_of(const rapidjson::Document& records) {
  std::vector<std::string> names;
  for (const auto& record : records.GetArray())
    names.emplace_back(record["metric"]["name"].GetString());
  return names;
}

bool compiled(const rapidjson::Document& records) {
  return records[0]["benchmark"]["extra_info"]["use_compile"].GetBool();
}

/// A plan in the host's layout.
input planned_run() {
  input in = plain_run();
  in.plan = R"PLAN("run": {"seed": 0, "ready-check-timeout": 0.0, "progress": false},
    "server": {"base-url": ["http://u:p@127.0.0.1:8000"], "header": {"X-Key": "(cut)"
}
},
    "backend": {"use": "openai", "model": "org/small-7b", "extra-body": {"top_p": 0.9}},
    "tokenizer": {"use": "none"},
    "dataset": {"use": "random", "num-prompts": 3, "input-len": 8, "range-ratio": 0.5},
    "load": {"request-rate": "inf", "burstiness": 1.0},
    "reporter": [{"use": "json"}], )PLAN";
  in.resolved.insert(in.resolved.rfind('}'), R"PLAN(, "flags": {"seed": 0,
    "ready-check-timeout-sec": 5.0, "disable-tqdm": true,
    "base-url": ["http://u:p@127.0.0.1:8000"], "header": {"X-Key": "(cut)"},
    "backend": "openai", "model": "org/small-7b", "extra-body": {"top_p": 0.9},
    "skip-tokenizer-init": true, "num-prompts": 3, "random-input-len": "8",
    "random-output-len": "lognormal(100,0.5)", "random-range-ratio": 0.5, "burstiness": 1,
    "metric-percentiles": [50.0, 99.9], "goodput": {"ttft": 100.0}, "idle-timeout": 5.0})PLAN");
  return in;
}

TEST_F(pytorch_file, a_record_for_each_metric_of_the_result) {
  const outcome o = report(planned_run(), {r});
  EXPECT_TRUE(o.ok) << testing::PrintToString(o.lines);
  EXPECT_FALSE(o.stamps);
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("pytorch", (folder / "r.pytorch.json").string())));
  expect_golden(base::read_file((folder / "r.pytorch.json").string()), "planned.pytorch.json");
  EXPECT_THAT(metrics_of(records()),
              ElementsAre("median_ttft_ms", "mean_ttft_ms", "std_ttft_ms", "p99_ttft_ms",
                          "mean_tpot_ms", "median_tpot_ms", "std_tpot_ms", "p99_tpot_ms",
                          "median_itl_ms", "mean_itl_ms", "std_itl_ms", "p99_itl_ms"));
}

TEST_F(pytorch_file, arguments_have_upstreams_names_types_and_defaults_and_no_secrets) {
  ASSERT_TRUE(report(planned_run(), {r}).ok);
  const auto all = records();
  const auto& args = all[0]["benchmark"]["extra_info"]["args"];
  EXPECT_EQ(args.MemberCount(), 107U + 1) << "upstream's, and one of ours";
  EXPECT_STREQ(args["base_url"].GetString(), "http://(cut)@127.0.0.1:8000");
  EXPECT_STREQ(args["header"][0].GetString(), "X-Key=(cut)");
  EXPECT_TRUE(args["disable_tqdm"].IsTrue());
  EXPECT_TRUE(args["skip_tokenizer_init"].IsTrue());
  EXPECT_TRUE(args["ready_check_timeout_sec"].IsInt());
  EXPECT_TRUE(args["random_input_len"].IsInt());
  EXPECT_STREQ(args["random_output_len"].GetString(), "lognormal(100,0.5)") << "no length there";
  EXPECT_STREQ(args["random_range_ratio"].GetString(), "0.5");
  EXPECT_TRUE(args["burstiness"].IsDouble());
  EXPECT_STREQ(args["metric_percentiles"].GetString(), "50,99.9");
  EXPECT_STREQ(args["goodput"][0].GetString(), "ttft:100");
  EXPECT_TRUE(args["temperature"].IsNull());
  EXPECT_TRUE(args["self_timed"].IsFalse());
  EXPECT_STREQ(args["tokenizer_mode"].GetString(), "auto");
  EXPECT_STREQ(args["asr_max_audio_len_sec"].GetString(), "inf");
  EXPECT_EQ(args["idle_timeout"].GetDouble(), 5.0);
  EXPECT_STREQ(all[0]["model"]["name"].GetString(), "org/small-7b");
}

TEST_F(pytorch_file, general_lengths_set_the_lengths_of_the_same_datasets_as_in_upstream) {
  input in = plain_run();
  in.resolved.insert(in.resolved.rfind('}'),
                     R"(, "flags": {"input-len": 20, "output-len": 4, "random-input-len": 70})");
  ASSERT_TRUE(report(in, {r}).ok);
  const auto all = records();
  const auto& args = all[0]["benchmark"]["extra_info"]["args"];
  EXPECT_EQ(args["input_len"].GetInt(), 20);
  EXPECT_EQ(args["random_input_len"].GetInt(), 20);
  for (const char* name :
       {"random_output_len", "sharegpt_output_len", "custom_output_len", "hf_output_len",
        "spec_bench_output_len", "prefix_repetition_output_len"})
    EXPECT_EQ(args[name].GetInt(), 4) << name;
  EXPECT_EQ(args["sonnet_output_len"].GetInt(), 150);
}

TEST_F(pytorch_file, a_journal_that_kept_no_flags_has_no_arguments_instead_of_wrong_ones) {
  ASSERT_TRUE(report(plain_run(), {r}).ok);
  EXPECT_EQ(records()[0]["benchmark"]["extra_info"]["args"].MemberCount(), 0U);
}

TEST_F(pytorch_file, a_model_that_the_server_named_is_null) {
  ASSERT_TRUE(report(plain_run(), {r}).ok);
  EXPECT_TRUE(records()[0]["model"]["name"].IsNull());
}

TEST_F(pytorch_file, metrics_that_were_not_asked_for_have_no_record) {
  input in = plain_run();
  in.run.selected = {"itl"};
  in.run.percentiles = {50};
  ASSERT_TRUE(report(in, {r}).ok);
  EXPECT_THAT(metrics_of(records()), ElementsAre("median_itl_ms", "mean_itl_ms", "std_itl_ms"));
}

TEST_F(pytorch_file, without_any_record_there_is_no_file) {
  const outcome o = report(pooling_run(), {r});
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(files(), IsEmpty());
  EXPECT_THAT(o.artifacts, IsEmpty());
}

TEST_F(pytorch_file, the_name_follows_that_of_the_result_whether_given_or_made) {
  ASSERT_TRUE(report(plain_run()).ok);
  EXPECT_THAT(files(), ElementsAre("openai-infqps-small-7b-20261120-063000.pytorch.json"));
  fs::remove(folder / files()[0]);
  ASSERT_TRUE(report(plain_run(), {{"result-filename", std::string("a.b")}}).ok);
  EXPECT_THAT(files(), ElementsAre("a.pytorch.json"));
}

TEST_F(pytorch_file, only_mode_0_and_the_word_eager_say_that_nothing_was_compiled) {
  const auto with = [&](const std::string& name, const std::vector<std::string>& metadata) {
    EXPECT_TRUE(report(plain_run(), {{"result-filename", name}, {"metadata", metadata}}).ok);
    return compiled(records(fs::path(name).replace_extension(".pytorch.json")));
  };
  EXPECT_TRUE(with("r.json", {"a=b"}));
  EXPECT_TRUE(with("r.json", {"compilation_config.mode=3"}));
  EXPECT_TRUE(with("r.json", {"compilation_config.mode=00"}));
  EXPECT_FALSE(with("r.json", {"compilation_config.mode=0"}));
  EXPECT_FALSE(with("my_eager_run.json", {"a=b"}));
  const auto all = records("my_eager_run.pytorch.json");
  EXPECT_STREQ(all[0]["benchmark"]["extra_info"]["optimization_level"].GetString(), "");
  EXPECT_STREQ(all[0]["benchmark"]["extra_info"]["compilation_config.mode"].GetString(), "");
  ASSERT_TRUE(report(plain_run()).ok);  // no file name at all
}

TEST_F(pytorch_file, the_degree_of_parallelism_comes_from_the_metadata) {
  ASSERT_TRUE(
      report(plain_run(), {r, {"metadata", std::vector<std::string>{"tensor_parallel_size=8"}}})
          .ok);
  const auto all = records();
  EXPECT_STREQ(all[0]["benchmark"]["extra_info"]["args"]["tensor_parallel_size"].GetString(), "8");
  EXPECT_STREQ(all[0]["metric"]["extra_info"]["tensor_parallel_size"].GetString(), "8");
}

TEST_F(pytorch_file, each_record_has_the_rest_of_the_result_without_arrays_and_our_figures) {
  ASSERT_TRUE(report(full_run(), {r}).ok);
  const auto all = records();
  const auto& info = all[0]["metric"]["extra_info"];
  EXPECT_EQ(info["completed"].GetInt(), 4);
  EXPECT_STREQ(info["burstiness"].GetString(), "inf");
  EXPECT_TRUE(info.HasMember("mean_e2el_ms"));
  for (const char* absent : {"mean_ttft_ms", "p99_itl_ms", "latencies", "queue_times", "ttfts",
                             "itls", "generated_texts", "errors", "inferbench"})
    EXPECT_FALSE(info.HasMember(absent)) << absent;
}

TEST_F(pytorch_file, each_run_replaces_the_file_and_appending_makes_one_array_of_all) {
  ASSERT_TRUE(report(plain_run(), {r}).ok);
  ASSERT_TRUE(report(plain_run(), {r}).ok);
  EXPECT_EQ(records().Size(), 12U);
  ASSERT_TRUE(report(plain_run(), {r, {"append-result", true}}).ok);
  EXPECT_EQ(records().Size(), 24U);
  std::ofstream(folder / "r.pytorch.json") << " [ ] \n";
  ASSERT_TRUE(report(plain_run(), {r, {"append-result", true}}).ok);
  EXPECT_EQ(records().Size(), 12U);
  ASSERT_TRUE(report(pooling_run(), {r, {"append-result", true}}).ok);
  EXPECT_EQ(records().Size(), 12U);
}

TEST_F(pytorch_file, a_file_that_cannot_be_appended_to_is_reported_before_the_run_and_not_changed) {
  for (const char* text : {"{}", "[1", "[1] [2]", "null"}) {
    std::ofstream(folder / "r.pytorch.json") << text;
    const outcome o = report(plain_run(), {r, {"append-result", true}});
    EXPECT_FALSE(o.ok);
    EXPECT_THAT(o.lines, ElementsAre(HasSubstr("is not a JSON array; move the file away")));
    EXPECT_EQ(base::read_file((folder / "r.pytorch.json").string()), text);
  }
}

TEST_F(pytorch_file, a_file_that_cannot_be_read_is_reported_before_the_run_and_not_changed) {
  const fs::path file = folder / "r.pytorch.json";
  fs::create_symlink("r.pytorch.json", file);  // a link to itself cannot be read
  const outcome looped = report(plain_run(), {r, {"append-result", true}});
  EXPECT_FALSE(looped.ok);
  EXPECT_THAT(looped.lines, ElementsAre(HasSubstr("r.pytorch.json: cannot be read, so nothing")));
  EXPECT_TRUE(fs::is_symlink(file));
}

TEST_F(pytorch_file, a_file_that_may_not_be_read_is_reported_before_the_run_and_not_changed) {
  const fs::path file = folder / "r.pytorch.json";
  std::ofstream(file) << "[1]";
  fs::permissions(file, fs::perms::none);
  if (std::ifstream(file)) GTEST_SKIP() << "this user may read everything";
  const outcome locked = report(plain_run(), {r, {"append-result", true}});
  EXPECT_FALSE(locked.ok);
  EXPECT_THAT(locked.lines, ElementsAre(HasSubstr("cannot be read, so nothing can be added")));
  fs::permissions(file, fs::perms::owner_read);
  EXPECT_EQ(base::read_file(file.string()), "[1]");
}

TEST_F(pytorch_file, a_link_to_a_file_that_is_not_there_yet_can_be_added_to) {
  fs::create_symlink("other.json", folder / "r.pytorch.json");
  ASSERT_TRUE(report(plain_run(), {r, {"append-result", true}}).ok);
  EXPECT_EQ(records("other.json").Size(), 12U);
}

TEST_F(pytorch_file, a_proxy_without_its_scheme_is_cut_all_the_same) {
  input in = plain_run();
  in.resolved.insert(in.resolved.rfind('}'), R"(, "flags": {"proxy": "me:secret@proxy:3128"})");
  ASSERT_TRUE(report(in, {r}).ok);
  const std::string text = base::read_file((folder / "r.pytorch.json").string());
  EXPECT_THAT(text, HasSubstr(R"("proxy": "(cut)@proxy:3128")"));
  EXPECT_THAT(text, testing::Not(HasSubstr("secret")));
}

}  // namespace
}  // namespace inferbench::reporters_test
