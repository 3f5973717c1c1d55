#include "plugin/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "folder.hpp"
#include "plugin/descriptor.hpp"

namespace inferbench::plugin {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

class loading : public folder_test {
 protected:
  loaded get(std::string_view name, ifb_kind kind = IFB_BACKEND) const {
    return load(kind, name, search);
  }
  std::string refusal(std::string_view name, ifb_kind kind = IFB_BACKEND) const {
    return error_of([&] { (void)load(kind, name, search); });
  }
};

TEST_F(loading, a_plugin_describes_itself) {
  const fs::path file = put("good", "backends/good.so");
  const loaded got = get("good");
  EXPECT_EQ(got.id(), "good");
  EXPECT_EQ(got.file, file);
  EXPECT_EQ(got.sha256, base::sha256_of_file(file.string()));
  EXPECT_EQ(got.sdk, "fixture");
  EXPECT_EQ(got.abi_major, IFB_ABI_MAJOR);
  EXPECT_STREQ(got.plugin->summary, "Does it right.");
  const auto options = got.options();
  ASSERT_EQ(options.size(), 3U);
  EXPECT_STREQ(options[2]->name, "ratio");
  EXPECT_EQ(options[2]->maximum, 1.5);
}

TEST_F(loading, the_same_file_is_opened_once) {
  put("good", "backends/good.so");
  link("good.so", "backends/alias.so");
  EXPECT_EQ(get("good").plugin, get("alias").plugin);
}

TEST_F(loading, a_link_named_after_one_of_several_picks_it) {
  put("two", "backends/two.so");
  link("two.so", "backends/first.so");
  link("two.so", "backends/second.so");
  EXPECT_EQ(get("first").id(), "first");
  EXPECT_EQ(get("second").id(), "second");
  EXPECT_EQ(get((root / "backends/second.so").string()).id(), "second");
}

TEST_F(loading, an_alias_picks_the_plugin_called_as_the_file_it_links_to) {
  put("two", "backends/first.so");
  link("first.so", "backends/vllm.so");
  EXPECT_EQ(get("vllm").id(), "first");
}

TEST_F(loading, a_colon_picks_by_id) {
  put("two", "backends/two.so");
  EXPECT_EQ(get("two:second").id(), "second");
  EXPECT_EQ(get((root / "backends/two.so").string() + ":first").id(), "first");
}

TEST_F(loading, the_error_for_an_unknown_name_lists_the_plugins) {
  const fs::path file = put("two", "backends/two.so");
  EXPECT_EQ(refusal("two"), file.string() +
                                " holds no backend two; it holds backend first, second; "
                                "pick one by two:ID");
  EXPECT_EQ(
      refusal("two:third"),
      file.string() + " holds no backend third; it holds backend first, second; correct the name");
}

TEST_F(loading, a_path_needs_no_id_when_there_is_only_one) {
  EXPECT_EQ(get(put("good", "renamed.so").string()).id(), "good");
  // A search by name needs a plugin of that name, since a misnamed file in a folder is an error.
  put("good", "backends/renamed.so");
  EXPECT_THAT(refusal("renamed"),
              testing::EndsWith("renamed.so holds no backend renamed; write renamed:good, or name "
                                "the file good.so"));
}

TEST_F(loading, the_wrong_kind_is_named) {
  EXPECT_THAT(refusal(fixture("good").string(), IFB_DATASET),
              testing::EndsWith("holds no dataset; it holds backend good; name another library"));
}

TEST_F(loading, a_hit_that_is_unusable_ends_the_search) {
  fs::create_directories(root / "second/backends");
  put("good", "second/backends/good.so");
  write("backends/good.so", "garbage");
  search.folders.push_back(root / "second");
  EXPECT_THAT(refusal("good"), StartsWith((root / "backends/good.so").string() + " is not"));
}

TEST_F(loading, a_digest_that_is_demanded_must_be_the_files) {
  const fs::path file = put("good", "backends/good.so");
  const std::string right = base::sha256_of_file(file.string());
  const pin other{std::string(64, '0'), {"run.toml", 3, 1}};
  const std::string refused = "run.toml:3:1: refusing to load " + file.string() +
                              ": its SHA-256 is " + right + ", not " + other.sha256 +
                              "; install the build that is meant, or correct sha256";
  EXPECT_EQ(error_of([&] { (void)load(IFB_BACKEND, "good", search, other); }), refused);
  EXPECT_EQ(load(IFB_BACKEND, "good", search, {right, {}}).sha256, right);
  EXPECT_EQ(error_of([&] { (void)load(IFB_BACKEND, "good", search, other); }), refused)
      << "though it is in memory already";
  // No code of a file with another digest runs.
  EXPECT_THAT(
      error_of([&] { (void)load(IFB_BACKEND, fixture("crashes").string(), search, other); }),
      StartsWith("run.toml:3:1: refusing to load "));
}

TEST_F(loading, a_digest_is_computed_only_for_a_library_that_is_loaded) {
  const fs::path file = put("good", "backends/good.so");
  const library& opened = open_checked(fs::canonical(file));
  EXPECT_EQ(opened.sha256, "");
  const loaded good = get("good");
  EXPECT_EQ(good.sha256, base::sha256_of_file(file.string()));
  EXPECT_EQ(opened.sha256, good.sha256);
  EXPECT_EQ(&open_checked(good.file), &opened);
}

TEST_F(loading, the_linkers_reason_is_passed_on) {
  const std::string file = fixture("unresolved").string();
  EXPECT_EQ(refusal(file).substr(0, 100 + file.size()),
            ("cannot load " + file +
             ": undefined symbol: a_function_that_nobody_has; build it for "
             "this machine, and install the libraries that it needs")
                .substr(0, 100 + file.size()));
}

TEST_F(loading, another_major_version_is_named_beside_ours) {
  EXPECT_THAT(refusal(fixture("wrong_major").string()),
              HasSubstr("wrong_major.so was built for plugin ABI 2.4; this host speaks 1."));
}

TEST_F(loading, a_library_may_refuse_this_host) {
  EXPECT_THAT(refusal(fixture("refuses").string()),
              HasSubstr("refuses to work with this host, which speaks plugin ABI 1."));
}

TEST_F(loading, longer_structs_are_cut_and_their_stride_is_followed) {
  const loaded got = get(fixture("tables").string() + ":future", IFB_DATASET);
  const auto options = got.options();
  ASSERT_EQ(options.size(), 2U);
  EXPECT_STREQ(options[0]->name, "first");
  EXPECT_STREQ(options[1]->name, "second");
  EXPECT_EQ(options[1]->struct_size, sizeof(ifb_option));
  EXPECT_EQ(got.plugin->struct_size, sizeof(ifb_plugin));
  EXPECT_EQ(got.abi_minor, IFB_ABI_MINOR + 3);
}

TEST_F(loading, texts_that_are_left_out_are_empty) {
  const loaded got = get(fixture("tables").string(), IFB_REPORTER);
  EXPECT_STREQ(got.plugin->summary, "");
  EXPECT_STREQ(got.plugin->license, "");
  ASSERT_NE(got.plugin->interfaces, nullptr);
  EXPECT_EQ(got.plugin->interfaces[0], nullptr);
}

TEST_F(loading, each_breach_of_the_contract_is_named) {
  const std::pair<const char*, std::string> cases[] = {
      {"short_library", "its library struct has a struct_size of 8"},
      {"no_plugins", "it says it holds 3 plugins and points to none"},
      {"short_plugin", "plugin 0 has a struct_size of 40"},
      {"no_id", "plugin 0 has no id"},
      {"twice", "two plugins of kind backend are called one"},
      {"no_create", "plugin one has no create"},
      {"stride", "plugin one has an option_stride of 8 bytes, less than an option takes"},
      {"option_type",
       "plugin one option n has type 99, which plugin ABI " + abi_of_host() + " does not have"},
      {"choices", "plugin one option n has no choices"},
      {"host_key",
       "plugin one declares option use, which is the host's own (TAKEN NAMES in abi.h)"},
      {"taken_name",
       "plugin one declares option endpoint, which is the host's own unless it has "
       "IFB_OPT_GENERAL (TAKEN NAMES in abi.h)"},
  };
  for (const auto& [name, what] : cases) {
    const fs::path file = fixture(std::string("broken_") + name);
    EXPECT_EQ(refusal(file.string() + ":one"), file.string() + " breaks the plugin contract: " +
                                                   what + "; report it to the plugin's author");
  }
}

TEST_F(loading, an_option_of_a_later_version_leaves_out_its_plugin_only) {
  const fs::path file = put("later", "backends/later.so");
  EXPECT_EQ(get("later:plain").id(), "plain");
  const std::string refused =
      "plugin later of " + file.string() + " needs plugin ABI " + std::to_string(IFB_ABI_MAJOR) +
      "." + std::to_string(IFB_ABI_MINOR + 1) +
      ": its option colour has type 11, which this host does not know; use a later release of "
      "inferbench, or a build of the plugin for plugin ABI " +
      abi_of_host();
  EXPECT_EQ(refusal("later"), refused);
  EXPECT_EQ(refusal("later:later"), refused);
  EXPECT_THAT(refusal("later:nothing"), HasSubstr("it holds backend plain"));
}

TEST_F(loading, a_plugin_gets_the_pointer_of_its_own_library) {
  const loaded first = get(fixture("two").string() + ":first");
  const loaded second = get(fixture("two").string() + ":second");
  EXPECT_NE(first.self(), first.plugin);
  EXPECT_STREQ(first.self()->id, "first");
  const auto flags = [](const loaded& of) {
    return static_cast<const ifb_http_codec*>(of.query(IFB_HTTP_CODEC))->flags;
  };
  EXPECT_EQ(flags(first), unsigned{IFB_CODEC_CHAT});
  EXPECT_EQ(flags(second), unsigned{IFB_CODEC_POOLING});
  EXPECT_EQ(first.query(IFB_ENGINE), nullptr);
}

TEST_F(loading, the_flags_of_a_dataset_are_known_before_it_is_created) {
  EXPECT_EQ(dataset_flags(get(fixture("tables").string() + ":flags", IFB_DATASET)),
            unsigned{IFB_DATASET_SYNTHETIC | IFB_DATASET_ENDLESS});
  EXPECT_EQ(dataset_flags(get(fixture("tables").string() + ":short", IFB_DATASET)), 0U);
  EXPECT_EQ(dataset_flags(get(fixture("good").string())), 0U);
}

TEST_F(loading, a_file_names_the_files_that_it_hides) {
  fs::create_directories(root / "later/backends");
  fs::create_directories(root / "latest/backends");
  search.folders = {root, root / "later", root / "latest"};
  put("good", "backends/good.so");
  EXPECT_THAT(get("good").hides, testing::IsEmpty());
  // A copy of the same build, a link to the file and a dangling link are no other plugins.
  put("good", "later/backends/good.so");
  link(root / "backends/good.so", "latest/backends/good.so");
  EXPECT_THAT(get("good").hides, testing::IsEmpty());
  fs::remove(root / "latest/backends/good.so");
  fs::remove(root / "later/backends/good.so");
  link("gone.so", "later/backends/good.so");
  put("two", "latest/backends/good.so");
  EXPECT_THAT(get("good").hides, ElementsAre(root / "latest/backends/good.so"));
  EXPECT_THAT(get((root / "backends/good.so").string()).hides, testing::IsEmpty());
  // It is usual that the plugins of this program come before those of another installation.
  search.builtin = root;
  EXPECT_THAT(get("good").hides, testing::IsEmpty());
}

TEST_F(loading, kinds_have_names_and_folders) {
  EXPECT_EQ(name_of(IFB_TOKENIZER), "tokenizer");
  EXPECT_EQ(folder_of(IFB_REPORTER), "reporters");
}

}  // namespace
}  // namespace inferbench::plugin
