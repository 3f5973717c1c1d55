// The dataset hf with a hub: the files that rows name are fetched one by one.
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/echo_tokenizer.hpp"
#include "plugins/datasets/tokenizers.hpp"
#include "plugins/hub/fake_hub.hpp"
#include "support/temporary_folder.hpp"

namespace {

using support::dataset_box;

// A hub with a copy of MMVU, and the environment in which a plugin finds this hub.
class hf_on_the_hub : public ::testing::Test {
 protected:
  hf_on_the_hub() {
    net_.id = "datasets/yale-nlp/MMVU";
    std::string rows;
    for (const std::string name : {"0", "1", "2", "3"}) {
      net_.files["videos/" + name + ".mp4"] = {"video " + name, "video" + name};
      rows +=
          (rows.empty() ? "[" : ",") +
          (R"({"question": "Q)" + name + R"(", "choices": {"A": "a"}, "video": ")" +
           "https://huggingface.co/datasets/yale-nlp/MMVU/resolve/main/videos/" + name + ".mp4\"}");
    }
    net_.files["validation.json"] = {rows + "]", "rows"};
    set("HF_HUB_CACHE", folder_.path("cache"));
    set("HF_HUB_OFFLINE", "0");
    set("HF_ENDPOINT", net_.server.address());
    box_.host.services[IFB_SERVICE_TOKENIZER] = &support::echo_tokenizer;
    hub_test::see_answers(box_.host);
  }
  ~hf_on_the_hub() override {
    for (const auto& [name, value] : kept_) {
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
  }
  /// The videos that were fetched.
  [[nodiscard]] std::vector<std::string> fetched() const {
    std::vector<std::string> out;
    for (const std::string& line : net_.server.lines())
      if (const auto at = line.find("videos/"); line.starts_with("GET ") && at != line.npos)
        out.push_back(line.substr(at + 7));
    return out;
  }

  inferbench::support::temporary_folder folder_;
  hub_test::fake_hub net_;
  dataset_box box_{"hf"};

 private:
  void set(const char* name, const std::string& value) {
    const char* const now = std::getenv(name);
    kept_.try_emplace(name, now == nullptr ? std::nullopt : std::optional<std::string>(now));
    ::setenv(name, value.c_str(), 1);
  }
  std::map<std::string, std::optional<std::string>> kept_;
};

TEST_F(hf_on_the_hub, a_video_is_fetched_when_its_row_is_read) {
  ASSERT_EQ(box_.create({{"path", "yale-nlp/MMVU"}}), IFB_OK) << box_.message();
  ASSERT_EQ(box_.prepare(4), IFB_OK) << box_.message();
  EXPECT_EQ(box_.info.rows, 4);
  EXPECT_THAT(fetched(), ::testing::IsEmpty());
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(box_.read(2), IFB_OK) << box_.message();
    const std::string name = box_.prompt().substr(1, 1) + ".mp4";
    EXPECT_THAT(fetched(), ::testing::ElementsAre(name));
    const auto media = ifb::view(box_.sample.media);
    ASSERT_EQ(media.size(), 1U);
    EXPECT_EQ(ifb::view(media.front().uri),
              "file://" + folder_.path("cache/datasets--yale-nlp--MMVU/snapshots/") +
                  hub_test::commit + "/videos/" + name);
  }
}

TEST_F(hf_on_the_hub, a_video_that_the_repository_lacks_costs_its_row) {
  net_.files.erase("videos/1.mp4");
  ASSERT_EQ(box_.create({{"path", "yale-nlp/MMVU"}}), IFB_OK) << box_.message();
  ASSERT_EQ(box_.prepare(4), IFB_OK) << box_.message();
  std::vector<std::string> reasons;
  for (const std::uint64_t i : {0U, 1U, 2U, 3U})
    if (box_.read(i) == IFB_SKIP) reasons.push_back(box_.message());
  EXPECT_THAT(reasons, ::testing::ElementsAre("the data set lacks the file that \"video\" names; "
                                              "yale-nlp/MMVU/validation.json, row 2"));
}

TEST_F(hf_on_the_hub, a_hub_that_fails_ends_the_run) {
  ASSERT_EQ(box_.create({{"path", "yale-nlp/MMVU"}}), IFB_OK) << box_.message();
  ASSERT_EQ(box_.prepare(4), IFB_OK) << box_.message();
  net_.before_hub = [](const hub_test::request&) -> std::optional<hub_test::response> {
    return hub_test::response{404, {{"X-Error-Code", "RepoNotFound"}}, ""};
  };
  EXPECT_LT(box_.read(0), 0);
  EXPECT_THAT(box_.message(), ::testing::HasSubstr("yale-nlp/MMVU"));
}

}  // namespace
