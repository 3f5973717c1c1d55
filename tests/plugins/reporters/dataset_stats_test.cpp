// Tests the reporter `dataset-stats`: a picture of the right format and size that is not empty.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

class dataset_stats_picture : public testing::Test {
 protected:
  outcome report(const input& in) const {
    return report_with(
        "dataset-stats",
        {{"result-dir", folder.string()}, {"result-filename", std::string("r.json")}}, in);
  }
  fs::path picture() const { return folder / "r.dataset_stats.png"; }
  /// The output of tests/tools/png_facts.py: "2100x1500 150 dpi", and a line for each colour.
  std::string facts(const std::string& colours) const {
    const std::string out = (folder / "facts").string();
    const std::string command = "python3 '" INFERBENCH_SOURCE "/tests/tools/png_facts.py' '" +
                                picture().string() + "' " + colours + " >'" + out + "' 2>&1";
    EXPECT_EQ(std::system(command.c_str()), 0) << base::read_file(out);
    return base::read_file(out);
  }

  support::temporary_folder files_;
  const fs::path& folder = files_.root;
};

TEST_F(dataset_stats_picture, four_charts_of_fourteen_by_ten_inches) {
  const outcome o = report(strained_run());
  EXPECT_TRUE(o.ok);
  EXPECT_FALSE(o.stamps);
  EXPECT_THAT(o.lines, IsEmpty());
  EXPECT_THAT(o.artifacts, ElementsAre(Pair("dataset statistics", picture().string())));
  // The first and the last chart have steel blue, the second and the last coral, the third sea
  // green.
  EXPECT_EQ(facts("4682b4 ff7f50 3cb371"),
            "2100x1500, 150 dots per inch\n"
            "4682b4: upper left, lower right\n"
            "ff7f50: upper right, lower right\n"
            "3cb371: lower left\n");
}

TEST_F(dataset_stats_picture, lengths_may_all_be_equal_or_senseless) {
  input in = plain_run();
  in.records.resize(1);
  EXPECT_TRUE(report(in).ok);
  EXPECT_TRUE(fs::exists(picture()));
  in.records[0].prompt_tokens = INT64_MAX;
  in.records[0].output_tokens = INT64_MAX;
  const outcome o = report(in);
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.lines, IsEmpty());
  EXPECT_THAT(report(hopeless_run()).lines, IsEmpty());
}

TEST_F(dataset_stats_picture, without_tokens_or_requests_a_warning_says_so) {
  EXPECT_THAT(report(pooling_run()).lines,
              ElementsAre(HasSubstr("no dataset statistics: answers that come whole")));
  input in = plain_run();
  in.records.clear();
  EXPECT_THAT(report(in).lines,
              ElementsAre(HasSubstr("no dataset statistics: no request was sent")));
  EXPECT_FALSE(fs::exists(picture()));
}

TEST_F(dataset_stats_picture, a_file_that_cannot_be_written_causes_a_warning) {
  fs::create_directory(picture());
  const outcome o = report(plain_run());
  EXPECT_TRUE(o.ok);
  EXPECT_THAT(o.lines, ElementsAre(HasSubstr("no dataset statistics: ")));
}

}  // namespace
}  // namespace inferbench::reporters_test
