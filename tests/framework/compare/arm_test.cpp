#include "compare/arm.hpp"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "framework/config/fake_catalog.hpp"
#include "run_box.hpp"

namespace inferbench::compare {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class an_arm : public testing::Test {
 protected:
  [[nodiscard]] arm read(const std::string& files, const std::vector<std::string>& sets = {},
                         const std::vector<std::string>& figures = {}) {
    std::vector<declared_figure> declared;
    for (const std::string& each : figures)
      declared.push_back(figure_of(each));
    return arm_of(files, 1, sets, declared, "/bin/inferbench", env,
                  [] { return std::make_unique<config::fake_catalog>(); });
  }
  /// The --set of the percentiles; empty: there is none.
  [[nodiscard]] std::string percentiles_for(const std::string& file,
                                            const std::vector<std::string>& figures,
                                            const std::vector<std::string>& sets = {}) {
    std::string out;
    for (const std::string& word : read(file, sets, figures).runs.bench_command)
      if (word.starts_with("metrics.")) out = word;
    return out;
  }
  std::string write(const std::string& name, const std::string& more = {}) {
    return box.folder.write(name, "[server]\nbase-url = \"http://127.0.0.1:1\"\n" + more);
  }
  run_box box;
  options::environment env = options::test_environment();
};

TEST_F(an_arm, has_a_command_with_a_new_salt_for_each_run) {
  const std::string file = write("base one.toml");
  const arm found = read(file, {"run.seed=3"});
  EXPECT_EQ(found.folder, "1-base one");
  EXPECT_THAT(found.runs.bench_command,
              ElementsAre("/bin/inferbench", "run", file, "--set", "run.seed=3", "--set",
                          "dataset.salt=auto", "--set", "run.live=none"));
  EXPECT_EQ(found.runs.result_reporter, "json");
  EXPECT_THAT(found.server.base_urls, ElementsAre("http://127.0.0.1:1"));
  EXPECT_EQ(found.name, "base one.toml");
}

TEST_F(an_arm, may_have_several_files) {
  const std::string base = write("base.toml");
  const std::string more = box.folder.write("more.toml", "[load]\nmax-concurrency = 2\n");
  const arm found = read(base + "," + more);
  EXPECT_EQ(found.runs.bench_command[2], base);
  EXPECT_EQ(found.runs.bench_command[3], more);
  EXPECT_EQ(found.folder, "1-more");
  EXPECT_EQ(found.name, "base.toml,more.toml");
}

TEST_F(an_arm, has_the_same_digest_until_a_setting_changes) {
  const std::string file = write("a.toml");
  const std::string digest = read(file).digest;
  EXPECT_EQ(read(file).digest, digest);
  EXPECT_NE(read(file, {"run.seed=3"}).digest, digest);
  write("a.toml", "[load]\nmax-concurrency = 2\n");
  EXPECT_NE(read(file).digest, digest);
}

TEST_F(an_arm, computes_the_percentiles_of_the_declared_figures) {
  const std::string file = write("a.toml");
  EXPECT_EQ(percentiles_for(file, {"ttft.p95", "e2el.p99.9", "tpot.p95", "output_throughput"}),
            "metrics.metric-percentiles=99,95,99.9");
  EXPECT_EQ(percentiles_for(file, {"ttft.p99", "tpot.p50", "tpot.mean", "latency.p90"}), "");
  EXPECT_EQ(percentiles_for(file, {"ttft.p99"}, {"metrics.metric-percentiles=90"}),
            "metrics.metric-percentiles=90,99");
  EXPECT_NE(read(file, {}, {"ttft.p95"}).digest, read(file, {}, {"ttft.p99"}).digest);
  EXPECT_EQ(read(file, {}, {"ttft.p95"}).digest,
            read(file, {"metrics.metric-percentiles=99,95"}).digest);
}

TEST_F(an_arm, warns_of_a_journal_that_every_run_writes) {
  EXPECT_THAT(
      read(write("a.toml", "[run]\njournal = \"x.journal\"\n")).warnings,
      Contains("a.toml: every run writes the journal x.journal, which then has the last run only"));
  EXPECT_THAT(read(write("a.toml", "[run]\njournal = \"none\"\n")).warnings,
              Not(Contains(HasSubstr("journal"))));
}

TEST_F(an_arm, is_refused_if_it_is_more_than_one_run) {
  const auto refused = [&](const std::string& more) {
    const std::string file = write("a.toml", more);
    return box.refusal([&] { (void)read(file); });
  };
  EXPECT_THAT(refused("[run]\nnum-runs = 2\n"), HasSubstr("a.toml: run.num-runs is 2"));
  EXPECT_THAT(refused("[sweep]\nrepeats = 2\n[sweep.axes]\nload.max-concurrency = [1, 2]\n"),
              HasSubstr("a.toml describes an experiment"));
  EXPECT_THAT(refused("[load]\nmax-concurency = 2\n"), HasSubstr("max-concurency"));
  EXPECT_THAT(box.refusal([&] { (void)read(box.folder.path("no.toml")); }), HasSubstr("no.toml"));
}

}  // namespace
}  // namespace inferbench::compare
