#include "common/hub/cache.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/hub/fake_hub.hpp"

namespace hub {
namespace {

using hub_test::commit;
using hub_test::content;
using hub_test::write;

class cache_layout : public testing::Test {
 protected:
  hub_test::folder home;
  cache at{home.path, repository_type::model, "org/name"};
  std::filesystem::path folder = home.path / "models--org--name";
};

TEST_F(cache_layout, is_read_as_huggingface_hub_writes_it) {
  write(folder / "refs/main", commit);
  write(folder / "blobs/e", "text");
  write(folder / "snapshots" / commit / "sub/there", "text");
  write(folder / ".no_exist" / commit / "gone", "");
  EXPECT_EQ(at.commit_of("main"), commit);
  EXPECT_EQ(at.commit_of(commit), commit);
  EXPECT_EQ(at.commit_of("v1"), "");
  EXPECT_EQ(at.commit_of(std::string(40, '0')), "");
  EXPECT_EQ(at.look_up(commit, "sub/there"), cache::presence::present);
  EXPECT_EQ(at.look_up(commit, "gone"), cache::presence::absent);
  EXPECT_EQ(at.look_up(commit, "other"), cache::presence::unknown);
  EXPECT_EQ(at.list(commit, "sub"), std::vector<std::string>{"there"});
  EXPECT_EQ(at.list(commit, "none"), std::vector<std::string>{});
}

TEST_F(cache_layout, is_written_as_huggingface_hub_reads_it) {
  at.make_folder(folder / "blobs");
  write(folder / "blobs/e", "text");
  at.remember("refs/pr/1", commit);
  at.mark_absent(commit, "sub/gone");
  at.link("e", commit, "sub/there");
  EXPECT_EQ(content(folder / "refs/refs/pr/1"), commit);
  EXPECT_TRUE(std::filesystem::is_regular_file(folder / ".no_exist" / commit / "sub/gone"));
  const auto pointer = folder / "snapshots" / commit / "sub/there";
  EXPECT_EQ(std::filesystem::read_symlink(pointer), "../../../blobs/e");
  EXPECT_EQ(content(pointer), "text");
  at.link("e", commit, "sub/there");  // the second call changes nothing
  EXPECT_EQ(at.lock_of("e"), home.path / ".locks/models--org--name/e.lock");
}

TEST_F(cache_layout, keeps_no_ref_for_a_commit) {
  at.remember(commit, commit);
  EXPECT_FALSE(std::filesystem::exists(folder / "refs"));
}

TEST_F(cache_layout, takes_no_ref_that_leads_elsewhere) {
  for (const char* bad : {"../../../etc", "/etc", "", "a/b", "..", "a b"}) {
    write(folder / "refs/main", bad);
    EXPECT_EQ(at.commit_of("main"), "") << bad;
  }
}

TEST_F(cache_layout, says_which_folder_cannot_be_written) {
  write(folder / "blobs", "a file where a folder should be");
  try {
    at.make_folder(folder / "blobs");
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_IO);
    EXPECT_THAT(e.message(), testing::AllOf(testing::HasSubstr("models--org--name/blobs"),
                                            testing::HasSubstr("set HF_HUB_CACHE")));
  }
}

}  // namespace
}  // namespace hub
