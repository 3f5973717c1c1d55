#include "run/output_places.hpp"

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::run {
namespace {

namespace fs = std::filesystem;

// A reporter with the option `file`, and the general options `result-dir` and `result-filename`.
class output_places : public ::testing::Test {
 protected:
  output_places() {
    for (std::size_t i = 0; i < options_.size(); ++i) {
      options_[i].struct_size = sizeof(ifb_option);
      options_[i].name = names_[i];
      options_[i].flags = i == 0 ? 0 : IFB_OPT_GENERAL;
    }
    plugin_.struct_size = sizeof plugin_;
    plugin_.kind = IFB_REPORTER;
    plugin_.id = "r";
    plugin_.options = options_.data();
    plugin_.option_count = static_cast<std::uint32_t>(options_.size());
    plugin_.option_stride = sizeof(ifb_option);
  }

  options::plugin_choice choice(const std::string& file, const std::string& folder = {},
                                const std::string& result = {}) {
    options::plugin_choice out;
    out.library.plugin = &plugin_;
    out.use = "r";
    for (const std::string& text : {file, folder, result}) {
      out.values.emplace_back().is_set = !text.empty();
      out.values.back().text = text;
      out.values.back().where.file = "--r";
    }
    return out;
  }
  /// The message about this reporter; empty: its place can be written.
  static std::string complaint(const options::plugin_choice& one,
                               const place_in_series& which = {}) {
    try {
      require_places(std::vector{one}, which);
    } catch (const base::error& e) {
      return e.what();
    }
    return {};
  }
  std::string complaint(const std::string& file) { return complaint(choice(file)); }

  static constexpr std::array names_{"file", "result-dir", "result-filename"};
  std::array<ifb_option, 3> options_{};
  ifb_plugin plugin_{};
  support::temporary_folder files_;
};

TEST_F(output_places, a_new_file_and_an_existing_one_can_be_written) {
  files_.write("old", "text");
  EXPECT_EQ(complaint(files_.path("new")), "");
  EXPECT_EQ(complaint(files_.path("old")), "");
  EXPECT_EQ(complaint(files_.path("{result}.csv")), "");
  EXPECT_EQ(complaint("/dev/null"), "");
  EXPECT_EQ(complaint("-"), "");
  EXPECT_EQ(complaint(choice("")), "");
  // Nothing is left behind.
  EXPECT_EQ(std::distance(fs::directory_iterator(files_.path()), fs::directory_iterator()), 1);
}

TEST_F(output_places, a_folder_is_no_file) {
  fs::create_directory(files_.path("f"));
  EXPECT_EQ(complaint(files_.path("f")), "--r: reporter r cannot write to " + files_.path("f") +
                                             ": it is a folder; name a file");
  // The second run of the series writes f-run2.
  EXPECT_EQ(complaint(choice(files_.path("f")), {2, 2}), "");
}

TEST_F(output_places, a_missing_folder_is_refused_unless_it_is_made) {
  const std::string file = files_.path("missing/deep/r.csv");
  EXPECT_EQ(complaint(file), "--r: reporter r cannot write to " + file + ": there is no folder " +
                                 files_.path("missing/deep") + "; make it, or name another");
  options::plugin_choice named = choice(file);
  named.named = true;
  EXPECT_EQ(complaint(named), "");
  EXPECT_FALSE(fs::exists(files_.path("missing")));
  EXPECT_EQ(complaint(choice("", files_.path("missing"))), "");
}

TEST_F(output_places, a_folder_without_room_for_a_file_is_refused_for_root_too) {
  options::plugin_choice named = choice("/proc/inferbench/r.csv");
  named.named = true;
  EXPECT_THAT(complaint(named), ::testing::StartsWith("--r: reporter r cannot write to "
                                                      "/proc/inferbench/r.csv: no file can be made "
                                                      "in /proc: "));
  EXPECT_THAT(complaint(choice("", "/proc/inferbench")),
              ::testing::StartsWith("--r: reporter r cannot write to /proc/inferbench: no file "));
}

TEST_F(output_places, a_file_is_no_folder) {
  files_.write("file", "text");
  EXPECT_THAT(complaint(choice("", files_.path("file"), "r.json")),
              ::testing::HasSubstr(files_.path("file") + " is not a folder; name another folder"));
  EXPECT_THAT(complaint(files_.path("file/r.csv")),
              ::testing::HasSubstr(files_.path("file") + " is not a folder"));
}

}  // namespace
}  // namespace inferbench::run
