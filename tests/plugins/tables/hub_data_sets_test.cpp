// Tests data sets of a hub: files one after the other, the cache, failures, and the conversion to
// Parquet. Most files are JSON lines, which need no DuckDB.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/split_rows.hpp"
#include "plugins/hub/fake_hub.hpp"
#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using hub_test::response;
using strings = std::vector<std::string>;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class hub_data_sets : public tables_test::bench {
 protected:
  hub_data_sets() {
    hub_test::see_answers(host_);
    net.id = "datasets/org/name";
  }
  void add(const std::string& name, const std::string& text) {
    net.files[name] = {text, "etag" + std::to_string(net.files.size())};
  }
  std::unique_ptr<rows> open(const strings& columns = {"a"}) {
    return std::make_unique<split_rows>(host(), settings, what, columns);
  }
  ifb::failure refusal() {
    return failure_of([&] { texts(*open()); });
  }
  /// The files that were fetched, without README.md.
  strings fetched() const {
    strings out;
    for (const std::string& line : net.server.lines()) {
      const auto at = line.find("/resolve/");
      if (!line.starts_with("GET ") || at == line.npos) continue;
      const std::string name = line.substr(line.find('/', at + 9) + 1);
      if (name != "README.md") out.push_back(name);
    }
    return out;
  }

  hub_test::fake_hub net;
  hub::environment settings = net.settings(folder_.path("cache"));
  request what{.path = "org/name", .shuffle = false};
};

TEST_F(hub_data_sets, are_fetched_file_by_file) {
  add("data/train-00000-of-00002.jsonl", "{\"a\": 1}\n{\"a\": 2}\n");
  add("data/train-00001-of-00002.jsonl", "{\"a\": 3}\n");
  add("data/test-00000-of-00001.jsonl", "{\"a\": 4}\n");
  const auto found = open();
  EXPECT_THAT(fetched(), ElementsAre("data/train-00000-of-00002.jsonl"));
  EXPECT_EQ(found->count(), std::nullopt);
  EXPECT_THAT(log(),
              HasSubstr("org/name: downloading at most 2 of 2 files (1 kB), each when its rows are "
                        "needed; data/train-00000-of-00002.jsonl has 1 kB"));
  EXPECT_THAT(texts(*found, 2), ElementsAre("{\"a\": 1}", "{\"a\": 2}"));
  EXPECT_EQ(fetched().size(), 1U);
  EXPECT_THAT(texts(*found), ElementsAre("{\"a\": 1}", "{\"a\": 2}", "{\"a\": 3}"));
  EXPECT_THAT(fetched(),
              ElementsAre("data/train-00000-of-00002.jsonl", "data/train-00001-of-00002.jsonl"));
  row one;
  ASSERT_TRUE(found->read(2, one));
  EXPECT_EQ(one.place(), "org/name/data/train-00001-of-00002.jsonl:1");
  EXPECT_EQ(found->attached()->folder(),
            folder_.path("cache/datasets--org--name/snapshots/") + hub_test::commit);
}

TEST_F(hub_data_sets, announce_the_first_file_of_a_shuffled_order) {
  for (const char* name : {"train-0.jsonl", "train-1.jsonl", "train-2.jsonl"})
    add(name, "{\"a\": \"" + std::string(name) + "\"}\n");
  what.shuffle = true;
  what.seed = 5;
  (void)open();
  ASSERT_EQ(fetched().size(), 1U);
  EXPECT_THAT(log(), HasSubstr("needed; " + fetched()[0] + " has 1 kB"));
}

TEST_F(hub_data_sets, that_are_loaded_whole_are_fetched_at_once) {
  add("train-0.jsonl", "{\"a\": 1}\n");
  add("train-1.jsonl", "{\"a\": 2}\n");
  what.whole = true;
  const auto found = open();
  EXPECT_EQ(fetched().size(), 2U);
  EXPECT_EQ(found->count(), 2U);
  EXPECT_THAT(log(), HasSubstr("org/name: downloading 2 of 2 files (1 kB)"));
}

TEST_F(hub_data_sets, follow_their_card) {
  add("README.md",
      "---\nconfigs:\n- config_name: a\n  data_files:\n  - split: gold\n    path: x/*\n---\n");
  add("x/1.jsonl", "{\"a\": 1}\n");
  add("train.jsonl", "{\"a\": 2}\n");
  what.split = "gold";
  EXPECT_THAT(texts(*open()), ElementsAre("{\"a\": 1}"));
}

TEST_F(hub_data_sets, are_listed_page_by_page) {
  for (int i = 0; i < 7; ++i)
    add("train-" + std::to_string(i) + ".jsonl", "{\"a\": " + std::to_string(i) + "}\n");
  net.page = 3;
  EXPECT_EQ(texts(*open()).size(), 7U);
}

TEST_F(hub_data_sets, need_no_network_if_they_are_in_the_cache) {
  add("train.jsonl", "{\"a\": 1}\n");
  EXPECT_EQ(texts(*open()).size(), 1U);
  const auto asked = net.server.requests().size();
  settings.offline = true;
  EXPECT_EQ(texts(*open()).size(), 1U);
  EXPECT_EQ(net.server.requests().size(), asked);
}

TEST_F(hub_data_sets, that_are_in_the_cache_in_part_say_so_without_network) {
  add("data/train-00000-of-00002.jsonl", "{\"a\": 1}\n");
  add("data/train-00001-of-00002.jsonl", "{\"a\": 2}\n");
  (void)texts(*open(), 1);
  settings.offline = true;
  EXPECT_THAT(texts(*open()), ElementsAre("{\"a\": 1}"));
  EXPECT_THAT(log(), HasSubstr("only 1 of the 2 files of the split train are there"));
}

TEST_F(hub_data_sets, that_are_not_in_the_cache_say_so_without_network) {
  settings.offline = true;
  EXPECT_THAT(refusal().message(), AllOf(HasSubstr("org/name (revision main) is not in the cache"),
                                         HasSubstr("HF_HUB_OFFLINE")));
  EXPECT_EQ(refusal().option(), "path");
}

TEST_F(hub_data_sets, whose_split_is_not_in_the_cache_say_so_without_network) {
  add("train.jsonl", "{\"a\": 1}\n");
  add("test.jsonl", "{\"a\": 2}\n");
  (void)texts(*open());
  settings.offline = true;
  what.split = "test";
  EXPECT_EQ(refusal().message(),
            "org/name has no split \"test\"; it has train; only the files in the cache " +
                settings.cache.string() +
                " are known, because HF_HUB_OFFLINE forbids asking the hub; unset it to fetch the "
                "others");
  EXPECT_EQ(refusal().option(), "path");
}

TEST_F(hub_data_sets, whose_files_are_not_in_the_cache_say_so_without_network) {
  add("README.md", "about");
  add("data/train.txt", "no rows");
  EXPECT_THAT(refusal().message(), HasSubstr("the hub has no conversion"));
  settings.offline = true;
  EXPECT_THAT(refusal().message(), AllOf(HasSubstr("org/name has no files that can be read"),
                                         HasSubstr("HF_HUB_OFFLINE forbids asking the hub"),
                                         Not(HasSubstr("conversion"))));
}

TEST_F(hub_data_sets, whose_listed_file_is_not_there_name_the_remedy) {
  add("train.jsonl", "{\"a\": 1}\n");
  net.before_hub = [](const hub_test::request& asked) -> std::optional<response> {
    if (!asked.target.ends_with("train.jsonl")) return std::nullopt;
    return response{
        404, {{"X-Error-Code", "EntryNotFound"}, {"X-Repo-Commit", hub_test::commit}}, ""};
  };
  EXPECT_EQ(refusal().message(), std::string("org/name@") + hub_test::commit +
                                     " has no train.jsonl, although the hub lists it; try again "
                                     "later, or choose another commit with --hf-revision");
}

TEST_F(hub_data_sets, that_may_be_a_mistyped_folder_say_so) {
  what.path = "data/mine";
  EXPECT_THAT(refusal().message(), HasSubstr("(there is no folder data/mine either)"));
  settings.endpoint = "http://127.0.0.1:1";
  EXPECT_THAT(refusal().message(),
              HasSubstr("or give a local folder (there is no folder data/mine)"));
  settings.offline = true;
  EXPECT_THAT(refusal().message(),
              HasSubstr("or give a local folder (there is no folder data/mine)"));
}

TEST_F(hub_data_sets, of_other_revisions_are_named) {
  what.revision = "v9";
  EXPECT_EQ(refusal().option(), "revision");
  EXPECT_THAT(refusal().message(), HasSubstr("org/name has no such revision"));
}

TEST_F(hub_data_sets, are_resumed_after_a_broken_transfer) {
  add("train.jsonl", "{\"a\": 1}\n{\"a\": 2}\n");
  bool broken = false;
  net.before_hub = [&](const hub_test::request& asked) -> std::optional<response> {
    if (asked.method != "GET" || !asked.target.ends_with("train.jsonl") || broken)
      return std::nullopt;
    broken = true;
    response half{200, {}, net.files["train.jsonl"].text};
    half.send = 9;
    return half;
  };
  EXPECT_EQ(texts(*open()).size(), 2U);
  EXPECT_THAT(fetched(), ElementsAre("train.jsonl", "train.jsonl"));
}

TEST_F(hub_data_sets, that_are_refused_say_why) {
  const auto answer = [&](int status, const char* code) {
    net.before_hub = [=](const hub_test::request&) -> std::optional<response> {
      return response{status, {{"X-Error-Code", code}}, ""};
    };
  };
  answer(401, "GatedRepo");
  EXPECT_THAT(refusal().message(), AllOf(HasSubstr("access to org/name is not granted"),
                                         HasSubstr("HF_TOKEN"), HasSubstr("/datasets/org/name")));
  answer(401, "RepoNotFound");
  EXPECT_THAT(refusal().message(), HasSubstr("knows no org/name"));
  answer(404, "RepoNotFound");
  EXPECT_THAT(refusal().message(), HasSubstr("knows no org/name"));
  answer(429, "");
  EXPECT_THAT(refusal().message(), HasSubstr("answers HTTP 429; try again later, or give"));
  settings.token.clear();
  EXPECT_THAT(refusal().message(), HasSubstr("HTTP 429; try again later, set HF_TOKEN, or give"));
  answer(503, "");
  EXPECT_THAT(refusal().message(), HasSubstr("answers HTTP 503"));
  EXPECT_EQ(refusal().option(), "path");
}

TEST_F(hub_data_sets, that_fail_later_keep_the_rows_before) {
  add("train-0.jsonl", "{\"a\": 1}\n");
  add("train-1.jsonl", "{\"a\": 2}\n");
  const auto found = open();
  net.before_hub = [](const hub_test::request&) -> std::optional<response> {
    return response{500, {}, ""};
  };
  row one;
  EXPECT_TRUE(found->read(0, one));
  EXPECT_THAT(failure_of([&] { (void)found->read(1, one); }).message(),
              HasSubstr("cannot fetch train-1.jsonl of org/name"));
  net.before_hub = nullptr;
  EXPECT_TRUE(found->read(1, one));
}

TEST_F(hub_data_sets, with_a_script_are_read_as_the_hub_has_converted_them) {
  INFERBENCH_NEEDS_DUCKDB();
  const std::string path = write_parquet("p.parquet", "SELECT 7 AS a");
  add("name.py", "");
  add("data/train.tsv", "not\trows\n");
  net.converted["en/train/0000.parquet"] = {hub_test::content(path), "converted"};
  net.converted["de/partial-train/0000.parquet"] = {hub_test::content(path), "converted"};
  what.subset = "en";
  EXPECT_THAT(texts(*open()), ElementsAre("{\"a\": 7}"));
  EXPECT_THAT(log(), HasSubstr("the hub's conversion to Parquet"));
  what.subset = "de";
  EXPECT_THAT(texts(*open()), ElementsAre("{\"a\": 7}"));
  EXPECT_THAT(log(), HasSubstr("has converted only the first part of the split train"));
  what.subset = "fr";
  EXPECT_EQ(refusal().message(), "org/name has no subset \"fr\"; it has de, en");
}

TEST_F(hub_data_sets, without_files_and_without_conversion_are_refused) {
  add("name.py", "");
  add("data/train.tar.gz", "");
  EXPECT_EQ(
      refusal().message(),
      "org/name has no files that can be read: Parquet, JSON, JSON lines or CSV; it has files "
      "with the endings .gz, .py; the hub has no conversion of it to Parquet (branch "
      "refs/convert/parquet), so convert it and give a local folder");
  EXPECT_EQ(refusal().option(), "path");
}

TEST_F(hub_data_sets, keep_to_their_folder) {
  add("README.md", "---\nconfigs:\n- config_name: a\n  data_files: ../../../secret.jsonl\n---\n");
  add("train.jsonl", "{\"a\": 1}\n");
  EXPECT_THAT(refusal().message(), HasSubstr("which is not inside the data set"));
  net.files.erase("README.md");
  settings.cache = folder_.path("other");
  net.before_hub = [&](const hub_test::request& asked) -> std::optional<response> {
    if (asked.target.find("recursive") == asked.target.npos) return std::nullopt;
    return response{200, {}, R"([{"type":"file","path":"../train.jsonl","size":1},
                                {"type":"file","path":"train.jsonl","size":9}])"};
  };
  EXPECT_THAT(texts(*open()), ElementsAre("{\"a\": 1}"));
  EXPECT_THAT(net.server.lines(), Not(Contains(HasSubstr("/../"))));
}

}  // namespace
}  // namespace tables
