#include "experiment/sweep_manifest.hpp"

#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/text.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::experiment {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Pointee;

sweep_manifest::entry small_entry() {
  return {R"({"max_num_seqs": 16})",
          R"({"_benchmark_name": "\u00e4\"", "x": 0.1, "y": NaN, "z": null})",
          {"vllm", "serve", "--max-num-seqs", "16"},
          {"bench", "--x", "0.1"}};
}

std::string refusal_of_manifest(const std::string& text) {
  const support::temporary_folder box;
  try {
    const sweep_manifest read(box.write(".sweep.json", text));
  } catch (const base::error& e) {
    std::string out = e.what();
    return out.replace(0, box.path().size() + 1, "");
  }
  return {};
}

TEST(sweep_manifest, is_empty_without_a_file) {
  const support::temporary_folder box;
  const sweep_manifest fresh(box.path(".sweep.json"));
  EXPECT_THAT(fresh.serve_command, IsEmpty());
  EXPECT_EQ(fresh.find("a"), nullptr);
  EXPECT_EQ(fresh.known_levels("a"), nullptr);
}

TEST(sweep_manifest, reads_what_it_has_saved) {
  const support::temporary_folder box;
  {
    sweep_manifest first(box.path(".sweep.json"));
    first.serve_command = {"vllm", "serve"};
    first.bench_command = {"bench", "with blanks", "\"quotes\""};
    first.settings_digest = "0123";
    first.set("", small_entry());
    first.set("SERVE--a", {"{}", "{}", {}, {}});
    first.set_known_levels("SLA--a.json", {1, 8192});
    first.set_known_levels("SLA--b.json", {});
    first.save();
  }
  const sweep_manifest second(box.path(".sweep.json"));
  EXPECT_THAT(second.serve_command, ElementsAre("vllm", "serve"));
  EXPECT_THAT(second.bench_command, ElementsAre("bench", "with blanks", "\"quotes\""));
  EXPECT_EQ(second.settings_digest, "0123");
  EXPECT_THAT(second.find(""), Pointee(small_entry()));
  EXPECT_NE(second.find("SERVE--a"), nullptr);
  EXPECT_THAT(second.known_levels("SLA--a.json"), Pointee(ElementsAre(1, 8192)));
  EXPECT_THAT(second.known_levels("SLA--b.json"), Pointee(IsEmpty()));
  EXPECT_EQ(second.known_levels("SLA--c.json"), nullptr);
}

TEST(sweep_manifest, changes_nothing_on_the_disk_before_it_is_saved) {
  const support::temporary_folder box;
  sweep_manifest first(box.path(".sweep.json"));
  first.set("a", small_entry());
  EXPECT_FALSE(std::filesystem::exists(box.path(".sweep.json")));
}

TEST(sweep_manifest, refuses_a_damaged_file_and_says_what_deleting_it_means) {
  EXPECT_THAT(refusal_of_manifest("{\"layout\": 1,\n"),
              AllOf(HasSubstr(".sweep.json:2:1: malformed JSON"),
                    HasSubstr("delete the file: the results are then compared with the parameters "
                              "that they contain")));
  for (const char* other : {"[]", "{}", R"({"layout": 2, "folders": {}})", R"({"layout": 1})",
                            R"({"layout": 1, "folders": []})"})
    EXPECT_THAT(refusal_of_manifest(other),
                HasSubstr(".sweep.json: the file was not written by this version"))
        << other;
}

TEST(sweep_manifest, reads_an_entry_that_somebody_has_edited_as_changed_parameters) {
  const support::temporary_folder box;
  const sweep_manifest read(box.write(
      ".sweep.json",
      R"({"layout": 1, "folders": {"a": 1, "b": {"serve": {"x":1}}}, "searches": {"s": 5}})"));
  EXPECT_EQ(read.find("a")->serve, "{}");
  EXPECT_EQ(read.find("b")->serve, R"({"x": 1})");
  EXPECT_THAT(read.known_levels("s"), Pointee(IsEmpty()));
}

}  // namespace
}  // namespace inferbench::experiment
