#include "startup/caches.hpp"

#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::startup {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

const std::vector<std::string> two_variables{"VLLM_CACHE_ROOT", "XDG_CACHE_HOME"};

TEST(cold_caches, are_new_empty_folders_for_the_started_program_only) {
  const support::temporary_folder below;
  const char* before = std::getenv("VLLM_CACHE_ROOT");
  cold_caches caches(two_variables, below.path());
  EXPECT_THAT(caches.folder().filename().string(), StartsWith("vllm_startup_bench_cold_"));
  const std::string root = caches.folder().string();
  EXPECT_THAT(caches.environment(), ElementsAre("VLLM_CACHE_ROOT=" + root + "/VLLM_CACHE_ROOT",
                                                "XDG_CACHE_HOME=" + root + "/XDG_CACHE_HOME"));
  for (const std::string& each : two_variables)
    EXPECT_TRUE(fs::is_empty(caches.folder() / each));
  EXPECT_THAT(caches.used(), IsEmpty());
  EXPECT_EQ(std::getenv("VLLM_CACHE_ROOT"), before);
  EXPECT_NE(cold_caches(two_variables, below.path()).folder(), caches.folder());
}

TEST(cold_caches, know_which_of_them_were_used) {
  const support::temporary_folder below;
  const cold_caches caches(two_variables, below.path());
  std::ofstream(caches.folder() / "XDG_CACHE_HOME" / "graph") << "compiled";
  EXPECT_THAT(caches.used(), ElementsAre("XDG_CACHE_HOME"));
  fs::remove(caches.folder() / "VLLM_CACHE_ROOT");
  EXPECT_THAT(caches.used(), ElementsAre("VLLM_CACHE_ROOT", "XDG_CACHE_HOME"));
}

TEST(cold_caches, are_removed_with_their_contents) {
  const support::temporary_folder below;
  {
    const cold_caches caches(two_variables, below.path());
    fs::create_directories(caches.folder() / "VLLM_CACHE_ROOT/a/b");
    std::ofstream(caches.folder() / "VLLM_CACHE_ROOT/a/b/c") << "x";
    fs::permissions(caches.folder() / "VLLM_CACHE_ROOT/a", fs::perms::owner_read);
  }
  EXPECT_TRUE(fs::is_empty(below.path()));
  cold_caches caches(two_variables, below.path());
  EXPECT_EQ(caches.remove(), "");
  EXPECT_EQ(caches.remove(), "");
  EXPECT_TRUE(fs::is_empty(below.path()));
}

TEST(cold_caches, follow_no_link_when_they_are_removed) {
  const support::temporary_folder below;
  const std::string kept = below.write("kept/file", "x");
  {
    const cold_caches caches(two_variables, below.path());
    fs::create_directory_symlink(below.path("kept"), caches.folder() / "VLLM_CACHE_ROOT/link");
  }
  EXPECT_TRUE(fs::exists(kept));
}

TEST(cold_caches, cannot_be_made_in_a_folder_that_is_not_there) {
  try {
    const cold_caches caches(two_variables, "/there/is/none");
    FAIL();
  } catch (const base::error& e) {
    EXPECT_THAT(e.what(), StartsWith("cannot make the cache folders of a cold start, "
                                     "/there/is/none/vllm_startup_bench_cold_"));
  }
}

TEST(cold_variables, are_the_usual_variables_and_those_of_the_user) {
  EXPECT_THAT(usual_cache_variables(), Not(Contains("HF_HOME")));
  const std::vector<std::string> more{"XDG_CACHE_HOME", "TRITON_CACHE_DIR", "XDG_CACHE_HOME"};
  EXPECT_THAT(cold_variables(more), ElementsAre("VLLM_CACHE_ROOT", "TORCHINDUCTOR_CACHE_DIR",
                                                "TRITON_CACHE_DIR", "XDG_CACHE_HOME"));
}

TEST(cold_variables, must_have_names_of_variables) {
  for (const char* name : {"", "1A", "A=b", "../A", "A B", "A\nB", "\xC3\x84"})
    EXPECT_THROW(static_cast<void>(cold_variables(std::vector<std::string>{name})), base::error)
        << name;
}

}  // namespace
}  // namespace inferbench::startup
