#include "batch/publication.hpp"

#include <cstdio>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/reporter.hpp>

#include "framework/batch/batch_plugin.hpp"
#include "framework/batch/scripted_executor.hpp"
#include "framework/offline/lines.hpp"
#include "framework/options/test_environment.hpp"
#include "records/journal_reader.hpp"
#include "run/resolved.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::batch {
namespace {

using offline::refusal_of;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

/// A time at which the section is over for 3 s.
class clock_after_section final : public base::clock {
 public:
  std::uint64_t now() const noexcept override { return section_begin_ns + 5000 * one_ms; }
  std::int64_t unix_now() const noexcept override { return 1'700'000'000'000'000'000; }
};

/// The calls of the reporter below.
std::vector<std::string>& heard_of_requests() {
  static std::vector<std::string> all;
  return all;
}

class listening_reporter {
 public:
  static constexpr const char *id = "listening", *version = "1.0.0", *summary = "Keeps ids.",
                              *license = "Apache-2.0";

  explicit listening_reporter(ifb::host) {}
  void begin(const ifb_run& run) {
    heard_of_requests().push_back((run.flags & IFB_RUN_REPLAYED) != 0 ? "begin replayed" : "begin");
  }
  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& each : batch)
      heard_of_requests().push_back("request " + std::to_string(each.sequence));
  }
  void snapshot(const ifb_snapshot&) {}
  void end(const ifb_summary&) {
    if (fails) throw ifb::failure{IFB_E_IO, "the disk is full"};
    heard_of_requests().emplace_back("end");
  }

  static inline bool fails = false;
};

class publications : public ::testing::Test {
 protected:
  publications() {
    heard_of_requests().clear();
    listening_reporter::fails = false;
    plugins.put(ifb::reporter<listening_reporter>::descriptor);
    about.benchmark = "throughput";
    about.backend = "vllm";
    about.model = "m";
    about.arguments = options::node::table();
    about.arguments.set("num_prompts", options::node::of(std::int64_t{2}));
    about.engine.description = "vllm 1.0, Python 3.12";
    about.engine.load_ns = 1500 * one_ms;
    about.engine.clock_bound_ns = 250;
    measured = outcome_of(2000 * one_ms, {timed(3), timed(5), failed_answer("too long")});
  }
  /// The answer with stamps after 10 and 30 ms, and this number of tokens.
  static batch_answer timed(std::int64_t tokens) {
    batch_answer out = answer_with(4, tokens);
    client::record& record = out.record;
    record.due_ns = record.sent_ns = section_begin_ns;
    record.tokens = client::stamps(section_begin_ns);
    for (const std::uint64_t ms : {10U, 30U})
      record.tokens.push(section_begin_ns + ms * one_ms);
    record.first_text_ns = section_begin_ns + 10 * one_ms;
    record.last_text_ns = record.end_ns = section_begin_ns + 30 * one_ms;
    record.late.unknown = true;
    record.text = "some words";
    return out;
  }
  bool give() { return publish(about, measured, places, env, plugins, clock, kept.log, out.out); }
  [[nodiscard]] std::vector<client::record> written() const {
    records::journal_reader reader(*places.journal);
    std::vector<client::record> all;
    for (client::record each; reader.next(each);)
      all.push_back(each);
    EXPECT_FALSE(reader.interrupted());
    EXPECT_EQ(reader.end()->duration_ns, 2000 * one_ms);
    EXPECT_EQ(reader.end()->planned, 3U);
    return all;
  }
  [[nodiscard]] records::run_information run() const {
    return records::journal_reader(*places.journal).run();
  }

  const support::temporary_folder folder;
  const clock_after_section clock;
  const options::environment env = options::test_environment();
  listed_plugins plugins;
  kept_console kept;
  output_in_memory out;
  published_run about;
  batch_outcome measured;
  publication_places places;
};

TEST_F(publications, go_nowhere_by_default) {
  require_publication(places, env, plugins);
  EXPECT_TRUE(give());
  EXPECT_EQ(out.text(), "");
}

TEST_F(publications, write_every_request_to_the_journal) {
  places.journal = folder.path("a.journal");
  require_publication(places, env, plugins);
  EXPECT_TRUE(give());
  const std::vector<client::record> found = written();
  ASSERT_EQ(found.size(), 3U);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const client::record& expected = measured.answers[i].record;
    EXPECT_EQ(found[i].sequence, expected.sequence);
    EXPECT_EQ(found[i].status, expected.status);
    EXPECT_EQ(found[i].error, expected.error);
    EXPECT_EQ(found[i].start_ns, expected.start_ns);
    EXPECT_EQ(found[i].end_ns, expected.end_ns);
    EXPECT_EQ(found[i].prompt_tokens, expected.prompt_tokens);
    EXPECT_EQ(found[i].output_tokens, expected.output_tokens);
    EXPECT_EQ(found[i].tokens.absolute(), expected.tokens.absolute());
    EXPECT_EQ(found[i].late.unknown, expected.late.unknown);
  }
}

TEST_F(publications, date_the_run_by_the_begin_of_the_section) {
  places.journal = folder.path("a.journal");
  give();
  EXPECT_EQ(run().started_ns, section_begin_ns);
  EXPECT_EQ(run().started_unix_ns, 1'700'000'000'000'000'000 - 5'000'000'000);
}

TEST_F(publications, describe_the_run_and_cut_secrets) {
  places.journal = folder.path("a.journal");
  options::node inner = options::node::table();
  inner.set("hf_token", options::node::of(std::string("hf_abc")));
  inner.set("tokens", options::node::of(std::string("kept")));
  inner.set("environment", options::node::of(std::string("HF_TOKEN=hf_def")));
  inner.set("mirror", options::node::of(std::string("https://me:word@host/path")));
  about.arguments.set("api_key", options::node::of(std::string("s3cret")));
  about.arguments.set("override", std::move(inner));
  give();
  EXPECT_THAT(
      run().config_json,
      AllOf(HasSubstr(R"("benchmark": "throughput")"),
            HasSubstr(R"("engine": "vllm 1.0, Python 3.12")"), HasSubstr(R"("load_s": 1.5)"),
            HasSubstr(R"("clock_bound_ns": 250)"), HasSubstr(R"("num_prompts": 2)"),
            HasSubstr(R"x("api_key": "(cut)")x"), HasSubstr(R"x("hf_token": "(cut)")x"),
            HasSubstr(R"("tokens": "kept")"), Not(HasSubstr("s3cret")), Not(HasSubstr("hf_def")),
            Not(HasSubstr("me:word")), HasSubstr("host/path"), Not(HasSubstr("hf_abc"))));
  const ifb::run_description found = run::description_from(run().config_json);
  EXPECT_EQ(found.backend, "vllm");
  EXPECT_EQ(found.model_id, "m");
  EXPECT_EQ(found.tokenizer_id, "m") << "without it, reporters leave out the figures of tokens";
  EXPECT_EQ(found.num_prompts, 3);
  EXPECT_EQ(found.planned, 3);
}

TEST_F(publications, cut_secrets_of_every_type_and_all_headers) {
  places.journal = folder.path("a.journal");
  options::node headers = options::node::list();
  headers.items.push_back(options::node::of(std::string("X-Team=blue")));
  headers.items.push_back(options::node::of(std::string("Authorization: Bearer abc")));
  about.arguments.set("api_key", options::node::of(std::int64_t{12345678}));
  about.arguments.set("HF_TOKEN", options::node::of(std::string("hf_abc")));
  about.arguments.set("header", std::move(headers));
  about.arguments.set("other_key", options::node{});
  give();
  EXPECT_THAT(run().config_json,
              AllOf(HasSubstr(R"x("api_key": "(cut)")x"), HasSubstr(R"x("header": "(cut)")x"),
                    HasSubstr(R"("other_key": null)"), Not(HasSubstr("12345678")),
                    Not(HasSubstr("hf_abc")), Not(HasSubstr("blue")), Not(HasSubstr("Bearer"))));
}

TEST_F(publications, select_the_figures_whose_times_the_engine_knows) {
  places.journal = folder.path("a.journal");
  const auto selected = [this](time_detail detail) {
    measured.detail = detail;
    give();
    return run::description_from(run().config_json).selected;
  };
  EXPECT_THAT(selected(time_detail::events), ElementsAre("ttft", "tpot", "itl", "e2el"));
  EXPECT_THAT(selected(time_detail::first_and_last), ElementsAre("ttft", "tpot", "e2el"));
  EXPECT_THAT(selected(time_detail::end), ElementsAre("e2el"));
  // The tokens of several outputs come at the same time.
  measured.answers.front().outputs = 2;
  EXPECT_THAT(selected(time_detail::events), ElementsAre("ttft", "e2el"));
}

TEST_F(publications, give_the_journal_to_reporters) {
  places.journal = folder.path("a.journal");
  places.reporters = {"listening"};
  require_publication(places, env, plugins);
  EXPECT_TRUE(give());
  EXPECT_THAT(heard_of_requests(),
              ElementsAre("begin replayed", "request 0", "request 1", "request 2", "end"));
  EXPECT_EQ(written().size(), 3U);
}

TEST_F(publications, need_no_journal_of_the_user_for_reporters) {
  places.reporters = {"listening"};
  EXPECT_TRUE(give());
  EXPECT_EQ(heard_of_requests().back(), "end");
  EXPECT_TRUE(std::filesystem::is_empty(folder.root));
}

TEST_F(publications, say_that_a_reporter_failed) {
  places.reporters = {"listening"};
  listening_reporter::fails = true;
  EXPECT_FALSE(give());
  EXPECT_THAT(kept.logged, ::testing::Contains(HasSubstr("the disk is full")));
}

TEST_F(publications, are_refused_if_two_results_have_one_file) {
  places.result = folder.path("a.json");
  places.journal = folder.root.string() + "/./a.json";
  EXPECT_THAT(refusal_of([&] {
                require_publication(places, env, plugins);
                return 0;
              }),
              ::testing::HasSubstr("is also the file of --output-json; name another file"));
  places.result = places.journal = "/dev/null";
  require_publication(places, env, plugins);
}

TEST_F(publications, are_refused_before_the_measurement_if_a_place_cannot_be_written) {
  places.journal = folder.write("file", "") + "/below.journal";
  EXPECT_THAT(refusal_of([&] {
                require_publication(places, env, plugins);
                return 0;
              }),
              ::testing::StartsWith("1: --journal: "));
  places.journal.reset();
  places.reporters = {"nobody"};
  EXPECT_EQ(refusal_of([&] {
              require_publication(places, env, plugins);
              return 0;
            }),
            "1: no reporter is called nobody");
}

TEST_F(publications, keep_an_older_journal_until_there_is_a_new_one) {
  places.journal = folder.write("a.journal", "older");
  require_publication(places, env, plugins);
  std::FILE* const file = std::fopen(places.journal->c_str(), "r");
  char text[6] = {};
  EXPECT_EQ(std::fread(text, 1, 5, file), 5U);
  std::fclose(file);
  EXPECT_STREQ(text, "older");
  EXPECT_THAT(kept.logged, IsEmpty());
}

}  // namespace
}  // namespace inferbench::batch
