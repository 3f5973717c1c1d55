#include "common/hub/environment.hpp"

#include <map>

#include <gtest/gtest.h>

#include "plugins/hub/fake_hub.hpp"

namespace hub {
namespace {

environment read(const std::map<std::string, std::string>& given) {
  return read_environment([&](const char* name) -> const char* {
    const auto at = given.find(name);
    return at == given.end() ? nullptr : at->second.c_str();
  });
}

TEST(environment, finds_the_cache_where_huggingface_hub_has_it) {
  EXPECT_EQ(read({{"HOME", "/h"}}).cache, "/h/.cache/huggingface/hub");
  EXPECT_EQ(read({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}}).cache, "/x/huggingface/hub");
  EXPECT_EQ(read({{"HOME", "/h"}, {"XDG_CACHE_HOME", "/x"}, {"HF_HOME", "~/f"}}).cache, "/h/f/hub");
  EXPECT_EQ(read({{"HF_HOME", "/f"}, {"HUGGINGFACE_HUB_CACHE", "/o"}}).cache, "/o");
  EXPECT_EQ(
      read({{"HF_HOME", "/f"}, {"HUGGINGFACE_HUB_CACHE", "/o"}, {"HF_HUB_CACHE", "/c"}}).cache,
      "/c");
  EXPECT_EQ(read({{"HF_HOME", "/f"}, {"HF_HUB_CACHE", ""}}).cache, "/f/hub");
}

TEST(environment, takes_another_endpoint_without_its_slash) {
  EXPECT_EQ(read({}).endpoint, "https://huggingface.co");
  EXPECT_EQ(read({{"HF_ENDPOINT", "https://mirror.example//"}}).endpoint, "https://mirror.example");
}

TEST(environment, has_the_token_of_the_variable_or_of_the_file) {
  const hub_test::folder home;
  hub_test::write(home.path / "token", "hf_file\n");
  hub_test::write(home.path / "other", "  hf_other  ");
  const std::string at = home.path.string();
  EXPECT_EQ(read({{"HF_HOME", at}}).token, "hf_file");
  EXPECT_EQ(read({{"HF_HOME", at}, {"HF_TOKEN", " hf_variable "}}).token, "hf_variable");
  EXPECT_EQ(read({{"HF_HOME", at}, {"HF_TOKEN_PATH", at + "/other"}}).token, "hf_other");
  EXPECT_EQ(read({{"HF_HOME", at}, {"HF_HUB_DISABLE_IMPLICIT_TOKEN", "1"}}).token, "");
  EXPECT_EQ(read({{"HF_HOME", at + "/none"}}).token, "");
}

TEST(environment, sends_no_token_that_would_be_more_than_a_header) {
  EXPECT_EQ(read({{"HF_TOKEN", "a\r\nX: y"}}).token, "");
}

TEST(environment, goes_offline_at_either_word) {
  EXPECT_FALSE(read({}).offline);
  for (const char* yes : {"1", "true", "ON", "Yes"}) {
    EXPECT_TRUE(read({{"HF_HUB_OFFLINE", yes}}).offline) << yes;
    EXPECT_TRUE(read({{"TRANSFORMERS_OFFLINE", yes}}).offline) << yes;
  }
  for (const char* no : {"", "0", "false", "no", "2"})
    EXPECT_FALSE(read({{"HF_HUB_OFFLINE", no}}).offline) << no;
}

TEST(environment, reads_time_outs_in_seconds_and_nothing_else) {
  EXPECT_EQ(read({{"HF_HUB_ETAG_TIMEOUT", "3"}}).connect_timeout, std::chrono::seconds(3));
  EXPECT_EQ(read({{"HF_HUB_DOWNLOAD_TIMEOUT", "30"}}).silence_timeout, std::chrono::seconds(30));
  for (const char* bad : {"", "x", "-1", "0", "1.5", "99999999999"})
    EXPECT_EQ(read({{"HF_HUB_ETAG_TIMEOUT", bad}}).connect_timeout, std::chrono::seconds(10));
}

}  // namespace
}  // namespace hub
