#include "common/hub/names.hpp"

#include <gtest/gtest.h>

namespace hub {
namespace {

TEST(names, are_valid_names_of_repositories_on_the_hub) {
  for (const char* good : {"gpt2", "org/name", "meta-llama/Llama-3.1-8B", "a_b/c.d", "x"})
    EXPECT_TRUE(is_repository_id(good)) << good;
  for (const char* bad :
       {"", "/", "org/", "/name", "a/b/c", "../name", "org/..", "org/-x", "org/x-", "org/a--b",
        "org/a..b", "org/x.git", "org/na me", "./x", "/etc/passwd", "org\\name", "org/na\nme"})
    EXPECT_FALSE(is_repository_id(bad)) << bad;
  EXPECT_FALSE(is_repository_id(std::string(97, 'a')));
}

TEST(names, know_paths_that_lead_out_of_a_folder) {
  for (const char* good : {"a", "a/b.c", ".a", "additional_chat_templates/x.jinja", "a b", "..."})
    EXPECT_TRUE(is_inside_path(good)) << good;
  for (const char* bad :
       {"", "/a", "a/", "a//b", ".", "..", "../a", "a/../b", "a/..", "a\\b", "./a", "a\nb"})
    EXPECT_FALSE(is_inside_path(bad)) << bad;
  EXPECT_FALSE(is_inside_path(std::string("a\0b", 3)));
  EXPECT_FALSE(is_inside_path(std::string(300, 'a')));
}

TEST(names, take_no_path_for_a_plain_name) {
  EXPECT_TRUE(is_plain_name("0123abc-def_4.5"));
  for (const char* bad : {"", ".", "..", ".hidden", "a/b", "a b", "a\"b", "\xC3\xA9"})
    EXPECT_FALSE(is_plain_name(bad)) << bad;
}

TEST(names, are_spelled_as_the_cache_and_the_hub_spell_them) {
  EXPECT_EQ(cache_folder_name(repository_type::model, "org/name"), "models--org--name");
  EXPECT_EQ(cache_folder_name(repository_type::model, "gpt2"), "models--gpt2");
  EXPECT_EQ(cache_folder_name(repository_type::dataset, "a/b"), "datasets--a--b");
}

TEST(names, tell_hashes_by_length_and_digits) {
  EXPECT_TRUE(is_commit_hash(std::string(40, 'a')));
  EXPECT_FALSE(is_commit_hash(std::string(40, 'g')));
  EXPECT_FALSE(is_commit_hash(std::string(39, 'a')));
  EXPECT_TRUE(is_sha256(std::string(64, '0')));
  EXPECT_FALSE(is_sha256(std::string(64, 'A')));
}

}  // namespace
}  // namespace hub
