#include "plugin/gate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.hpp"
#include "folder.hpp"
#include "plugin/descriptor.hpp"

namespace inferbench::plugin {
namespace {

using testing::HasSubstr;

class gate : public folder_test {
 protected:
  static std::string refusal(const fs::path& path, bool allow_unsafe = false) {
    return error_of([&] { pass_gate(path, allow_unsafe); });
  }
  static void mode(const fs::path& path, mode_t bits) { ASSERT_EQ(::chmod(path.c_str(), bits), 0); }
};

TEST_F(gate, a_plugin_passes_and_its_links_are_resolved) {
  const fs::path file = put("good", "backends/good.so");
  EXPECT_EQ(pass_gate(file, false), file);
  EXPECT_EQ(pass_gate(link("good.so", "backends/alias.so"), false), file);
}

TEST_F(gate, a_file_that_all_can_write_is_refused_unless_allowed) {
  const fs::path file = put("good", "backends/good.so");
  mode(file, 0757);
  EXPECT_EQ(refusal(file), "refusing to load a plugin that anybody can change: " + file.string() +
                               " is writable by all users; chmod o-w " + file.string() +
                               ", or pass --allow-unsafe-plugin");
  EXPECT_EQ(refusal(file, true), "");
}

TEST_F(gate, a_parent_folder_that_all_can_write_is_refused_unless_it_is_sticky) {
  const fs::path file = put("good", "backends/good.so");
  mode(root, 0777);
  EXPECT_THAT(refusal(file), HasSubstr("the folder " + root.string() + " above good.so"));
  mode(root, 01777);
  EXPECT_EQ(refusal(file), "");
}

TEST_F(gate, a_link_in_a_folder_that_all_can_write_is_refused) {
  const fs::path file = put("good", "backends/good.so");
  const fs::path alias = link(file, "datasets/alias.so");
  mode(root / "datasets", 0777);
  EXPECT_THAT(refusal(alias), HasSubstr((root / "datasets").string()));
  EXPECT_EQ(refusal(file), "");
}

TEST_F(gate, another_users_file_is_refused_unless_allowed) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give a file away";
  const fs::path file = put("good", "backends/good.so");
  ASSERT_EQ(::chown(file.c_str(), 54321, 54321), 0);
  EXPECT_THAT(refusal(file), HasSubstr("is owned by user id 54321, neither root nor you"));
  EXPECT_EQ(refusal(file, true), "");
}

TEST_F(gate, a_file_that_is_not_a_library_is_reported_as_such) {
  EXPECT_THAT(refusal(write("text.so", "hello")), HasSubstr("is not a shared library"));
  EXPECT_THAT(refusal(write("empty.so", "")), HasSubstr("is not a shared library"));
  EXPECT_THAT(refusal(root / "backends"), HasSubstr("is not a regular file"));
  EXPECT_THAT(refusal(root / "none.so"), HasSubstr("cannot read " + root.string() + "/none.so"));
  EXPECT_THAT(refusal(link("gone.so", "x.so")), HasSubstr("x.so is a link to a file that is not"));
}

TEST_F(gate, a_library_without_the_entry_is_not_a_plugin) {
  EXPECT_THAT(refusal(fixture("no_entry")),
              HasSubstr("is a library, but not an inferbench plugin: it does not export "
                        "inferbench_plugin_v1_rc2; end a C++ source with INFERBENCH_PLUGINS(...), "
                        "a Rust source with inferbench::plugins!(...), or define "
                        "inferbench_plugin_v1_rc2 in C"));
}

TEST_F(gate, a_library_of_another_draft_is_to_be_rebuilt) {
  const auto built_with = [](const std::string& entry, const std::string& sdk) {
    const fs::path file = fixture("draft_" + entry);
    EXPECT_EQ(refusal(file), file.string() + " was built with " + sdk +
                                 "; rebuild it with this one, " + abi_of_host());
  };
  built_with("inferbench_plugin_v1_rc1", "a draft SDK (1.0-rc1)");
  built_with("inferbench_plugin_v1_rc3", "a draft SDK (1.0-rc3)");
  built_with("inferbench_plugin_v1", "a draft SDK (1.0-rc1) or the SDK 1.0");
  built_with("inferbench_plugin_v2", "the SDK 2.0");
  for (const char* no_entry : {"inferbench_plugin_v1_rcx", "inferbench_plugin_vx"})
    EXPECT_THAT(refusal(fixture(std::string("draft_") + no_entry)),
                HasSubstr("not an inferbench plugin"));
}

TEST_F(gate, a_library_cut_off_or_scribbled_over_is_refused_in_words) {
  const std::string whole = base::read_file(fixture("good").string());
  int refused = 0;
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    const std::string line = refusal(write("cut.so", whole.substr(0, size)));
    EXPECT_EQ(line.find("basic_ios"), std::string::npos);
    if (!line.empty()) ++refused;
  }
  EXPECT_GT(refused, 0);
  for (std::size_t at = 4; at < 64; ++at) {
    std::string spoilt = whole;
    spoilt[at] = static_cast<char>(0xFF);
    EXPECT_EQ(refusal(write("spoilt.so", spoilt)).find("basic_ios"), std::string::npos) << at;
  }
}

}  // namespace
}  // namespace inferbench::plugin
