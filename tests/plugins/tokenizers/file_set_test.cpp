// Tests the files of a model, and the digest of the files that were read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "plugins/tokenizers/model_folder.hpp"

namespace tokenizers::model_files {
namespace {

using file_set_digest = model_folder;

TEST_F(file_set_digest, covers_the_files_that_were_read_and_the_text_that_was_added) {
  put("a", "1");
  put("b", "2");
  const auto digest = [&](const std::string& file, const std::string& option) {
    auto from = files();
    EXPECT_TRUE(from.read(file).has_value());
    from.decide("option", option);
    return from.digest();
  };
  EXPECT_EQ(digest("a", "x").size(), 64U);
  EXPECT_EQ(digest("a", "x"), digest("a", "x"));
  EXPECT_NE(digest("a", "x"), digest("b", "x"));
  EXPECT_NE(digest("a", "x"), digest("a", "y"));
  const auto before = digest("a", "x");
  put("a", "3");
  EXPECT_NE(digest("a", "x"), before);
}

}  // namespace
}  // namespace tokenizers::model_files
