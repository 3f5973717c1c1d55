// Tests the dataset sharegpt with the name of a data set on the Hugging Face hub as its path. The
// files are in the cache that Hugging Face's libraries share.
#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/datasets/tokenizers.hpp"
#include "support/temporary_folder.hpp"

namespace {

using inferbench::support::temporary_folder;
using support::dataset_box;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr const char* file_name = "ShareGPT_V3_unfiltered_cleaned_split.json";
constexpr const char* commit = "0123456789abcdef0123456789abcdef01234567";

// During a test the hub's cache and the working directory are in a temporary folder, and the hub is
// offline. The destructor restores the environment and the working directory.
class sharegpt_on_the_hub : public ::testing::Test {
 protected:
  sharegpt_on_the_hub() : before_(std::filesystem::current_path()) {
    set("HF_HUB_CACHE", folder_.path("cache"));
    set("HF_HUB_OFFLINE", "1");
    std::filesystem::create_directories(folder_.path("work"));
    std::filesystem::current_path(folder_.path("work"));
  }
  ~sharegpt_on_the_hub() override {
    std::filesystem::current_path(before_);
    for (const auto& [name, value] : kept_) {
      if (value)
        ::setenv(name.c_str(), value->c_str(), 1);
      else
        ::unsetenv(name.c_str());
    }
  }
  void set(const char* name, const std::string& value) {
    const char* const now = std::getenv(name);
    kept_.try_emplace(name, now == nullptr ? std::nullopt : std::optional<std::string>(now));
    ::setenv(name, value.c_str(), 1);
  }
  /// Puts a file with one conversation into the cache of the data set org/talks.
  void cache(const std::string& file, const std::string& prompt) const {
    const std::string repository = "cache/datasets--org--talks/";
    (void)folder_.write(repository + "refs/main", commit);
    (void)folder_.write(repository + "snapshots/" + commit + "/" + file, rows(prompt));
  }
  static std::string rows(const std::string& prompt) {
    return R"([{"conversations": [{"value": ")" + prompt + R"("}, {"value": "the answer"}],
               "image": "a.png"}])";
  }

  temporary_folder folder_;

 private:
  std::filesystem::path before_;
  // Variables with their values before the test; nullopt: not set.
  std::map<std::string, std::optional<std::string>> kept_;
};

/// The dataset sharegpt after prepare(); `status` is the result of prepare().
struct talks {
  explicit talks(const std::string& path) {
    box.host.services[IFB_SERVICE_TOKENIZER] = &support::byte_counter;
    EXPECT_EQ(box.create({{"path", path}}), IFB_OK);
    status = box.prepare(1);
  }
  dataset_box box{"sharegpt"};
  ifb_status status = IFB_OK;
};

TEST_F(sharegpt_on_the_hub, the_file_in_the_cache_is_read_without_a_network) {
  cache(file_name, "from the cache");
  talks found("org/talks");
  ASSERT_EQ(found.status, IFB_OK) << found.box.message();
  ASSERT_EQ(found.box.read(0), IFB_OK) << found.box.message();
  EXPECT_EQ(found.box.prompt(), "from the cache");
  ASSERT_EQ(found.box.sample.media.count, 1U);
  EXPECT_EQ(ifb::view(found.box.sample.media.first->uri),
            "file://" + folder_.path("cache/datasets--org--talks/snapshots/") + commit + "/a.png");
}

TEST_F(sharegpt_on_the_hub, a_local_file_of_the_same_name_takes_precedence_over_the_cache) {
  cache(file_name, "from the cache");
  (void)folder_.write("work/org/talks", rows("from here"));
  talks found("org/talks");
  ASSERT_EQ(found.status, IFB_OK) << found.box.message();
  ASSERT_EQ(found.box.read(0), IFB_OK);
  EXPECT_EQ(found.box.prompt(), "from here");
}

TEST_F(sharegpt_on_the_hub, the_file_in_a_local_folder_of_the_same_name_is_read) {
  (void)folder_.write(std::string("work/org/talks/") + file_name, rows("from the folder"));
  talks found("org/talks");
  ASSERT_EQ(found.status, IFB_OK) << found.box.message();
  ASSERT_EQ(found.box.read(0), IFB_OK);
  EXPECT_EQ(found.box.prompt(), "from the folder");
}

TEST_F(sharegpt_on_the_hub, offline_a_file_that_is_not_in_the_cache_is_refused_with_the_remedy) {
  const talks found("org/talks");
  EXPECT_EQ(found.status, IFB_E_CONFIG);
  EXPECT_EQ(found.box.option_at_fault(), "path");
  EXPECT_THAT(found.box.message(),
              AllOf(HasSubstr("there is no file org/talks, and as a dataset of the hub: "),
                    HasSubstr("is not in the cache"), HasSubstr("HF_HUB_OFFLINE")));
}

TEST_F(sharegpt_on_the_hub, a_dataset_without_the_file_is_refused_with_its_name) {
  cache("other.json", "from the cache");
  const talks found("org/talks");
  EXPECT_EQ(found.status, IFB_E_CONFIG);
  EXPECT_EQ(found.box.option_at_fault(), "path");
  EXPECT_THAT(found.box.message(), AllOf(HasSubstr(file_name), HasSubstr("give its path")));
}

TEST_F(sharegpt_on_the_hub, a_path_that_is_no_name_of_a_data_set_is_not_looked_for_on_the_hub) {
  for (const char* const path :
       {"data/rows.json", "data/rows.jsonl", "a/b/c", "rows", "/org/talks", "./org/talks"}) {
    const talks found(path);
    EXPECT_EQ(found.status, IFB_E_IO);
    EXPECT_EQ(found.box.message(),
              "cannot read " + std::string(path) + ": No such file or directory");
  }
}

}  // namespace
