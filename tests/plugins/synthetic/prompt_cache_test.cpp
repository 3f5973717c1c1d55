#include "datasets/synthetic/prompt_cache.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/synthetic/block_hash.hpp"
#include "datasets/synthetic/cache_writer.hpp"
#include "support/plugin_box.hpp"
#include "support/temporary_folder.hpp"

namespace synthetic {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class prompt_cache : public ::testing::Test {
 protected:
  prompt_cache() { ::setenv("XDG_CACHE_HOME", folder.path().c_str(), 1); }

  // The first prompt is larger than the block of a single write.
  static std::vector<prompt> some() {
    return {{std::string((1U << 20U) + 3, 'x'), {1, 2, 3}, 3, 0},
            {"", {}, 0, -2},
            {"f\u00fcnf", {7}, 1, 5}};
  }
  [[nodiscard]] cache_place place() const {
    return {folder.root / "inferbench" / "prompts" / "a.prompts", "the key "};
  }
  void write(const std::vector<prompt>& all) {
    cache_writer out(host, place(), all.size());
    for (const prompt& each : all)
      out.add(each);
  }
  static std::string bytes_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  [[nodiscard]] std::size_t files() const {
    const auto where = place().file.parent_path();
    return fs::exists(where)
               ? static_cast<std::size_t>(std::distance(fs::directory_iterator(where), {}))
               : 0;
  }

  inferbench::support::temporary_folder folder;
  support::host given;
  ifb::host host{given.table()};
};

TEST_F(prompt_cache, returns_the_stored_prompts) {
  const auto all = some();
  write(all);
  const auto kept = open_cache(host, place(), all.size());
  ASSERT_TRUE(kept);
  ASSERT_EQ(kept->size(), all.size());
  for (std::uint64_t i : {2U, 0U, 1U}) {
    const prompt one = kept->at(i);
    EXPECT_EQ(one.text, all[i].text);
    EXPECT_EQ(one.ids, all[i].ids);
    EXPECT_EQ(one.tokens, all[i].tokens);
    EXPECT_EQ(kept->mismatch(i), all[i].mismatch);
  }
  EXPECT_EQ(files(), 1U);
}

TEST_F(prompt_cache, a_file_appears_with_its_last_prompt_only) {
  const auto all = some();
  {
    cache_writer out(host, place(), all.size());
    out.add(all[0]);
    out.add(all[1]);
    EXPECT_FALSE(open_cache(host, place(), all.size()));
  }
  EXPECT_EQ(files(), 0U);
  EXPECT_THAT(given.log(), IsEmpty());
}

TEST_F(prompt_cache, the_next_start_removes_files_of_a_dead_run) {
  const fs::path left = place().file.parent_path() / "b.prompts.part";
  fs::create_directories(left.parent_path());
  std::ofstream(left) << "half of it";
  EXPECT_FALSE(open_cache(host, place(), 3));
  EXPECT_EQ(files(), 0U);
  // A leftover file is also removed if the cache has the prompts.
  write(some());
  std::ofstream(left) << "half of it";
  EXPECT_TRUE(open_cache(host, place(), 3));
  EXPECT_EQ(files(), 1U);
}

TEST_F(prompt_cache, a_file_that_is_being_written_is_neither_removed_nor_written_twice) {
  const auto all = some();
  {
    cache_writer first(host, place(), all.size());
    first.add(all[0]);
    EXPECT_FALSE(open_cache(host, place(), all.size()));
    write(all);  // a second writer at the same time must not write anything
    EXPECT_TRUE(fs::exists(part_of(place().file)));
    EXPECT_FALSE(fs::exists(place().file));
    first.add(all[1]);
    first.add(all[2]);
  }
  const auto kept = open_cache(host, place(), all.size());
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->at(2).text, all[2].text);
  EXPECT_EQ(files(), 1U);
}

TEST_F(prompt_cache, another_key_or_number_of_prompts_is_not_taken_for_it) {
  write(some());
  cache_place other = place();
  other.key = "that key";
  EXPECT_FALSE(open_cache(host, other, 3));
  EXPECT_FALSE(open_cache(host, place(), 2));
  EXPECT_FALSE(open_cache(host, place(), UINT64_MAX));
}

TEST_F(prompt_cache, damage_at_any_position_is_found_and_reported) {
  const std::vector<prompt> all = {{"one", {}, 1, 0}, {"two", {4}, 1, 0}};
  write(all);
  const std::string whole = bytes_of(place().file);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string bad = whole;
    bad[i] = static_cast<char>(bad[i] ^ 4);
    std::ofstream(place().file, std::ios::binary) << bad;
    ASSERT_FALSE(open_cache(host, place(), 2)) << i;
    std::ofstream(place().file, std::ios::binary | std::ios::trunc) << whole.substr(0, i);
    ASSERT_FALSE(open_cache(host, place(), 2)) << i;
  }
  ASSERT_EQ(given.log().size(), 1 + 2 * whole.size());
  EXPECT_THAT(given.log().back(), HasSubstr("a.prompts is damaged and not used"));
}

// A manipulated file with a correct checksum must not cause a read outside of the file.
TEST_F(prompt_cache, records_beyond_their_bounds_are_damage_even_with_the_right_checksum) {
  write({{"one", {}, 1, 0}, {"two", {4}, 1, 0}});
  const std::string whole = bytes_of(place().file);
  const std::size_t head = cache_head(place().key, 2).size();
  int taken = 0;
  for (std::size_t at = head; at + 16 <= whole.size(); at += 1) {
    for (const std::uint64_t value : {std::uint64_t{0}, UINT64_MAX, std::uint64_t{1} << 33U}) {
      std::string bad = whole.substr(0, whole.size() - 8);
      std::copy_n(reinterpret_cast<const char*>(&value), 8,
                  bad.begin() + static_cast<std::ptrdiff_t>(at));
      block_hash sum;
      sum.add(bad);
      const std::uint64_t right = sum.value();
      bad.append(reinterpret_cast<const char*>(&right), 8);
      std::ofstream(place().file, std::ios::binary | std::ios::trunc) << bad;
      if (const auto kept = open_cache(host, place(), 2)) {
        ++taken;
        for (std::uint64_t i = 0; i < 2; ++i)
          EXPECT_LT(kept->at(i).text.size() + kept->at(i).ids.size(), whole.size());
      }
    }
  }
  EXPECT_GT(taken, 0);
}

TEST_F(prompt_cache, that_cannot_be_written_costs_a_warning_and_nothing_else) {
  std::ofstream(folder.root / "inferbench") << "a file where a folder is needed";
  write(some());
  ASSERT_EQ(given.log().size(), 1U);
  EXPECT_THAT(given.log().front(), HasSubstr("prompts are not kept for the next run"));
}

TEST_F(prompt_cache, is_for_large_sets_of_known_tokenizers) {
  EXPECT_FALSE(cache_place::of("d", "x", 9'999, 9'999'999));
  EXPECT_TRUE(cache_place::of("d", "x", 10'000, 10'000));
  EXPECT_TRUE(cache_place::of("d", "x", 10, 10'000'000));
  EXPECT_FALSE(cache_place::of("", "x", 10'000, 10'000));
  EXPECT_FALSE(cache_place::of("d", "x", 10'000'000, 10'000'000'000));
}

TEST_F(prompt_cache, has_a_file_name_that_depends_on_all_inputs) {
  const auto file = [](const char* digest, const char* about, std::uint64_t count) {
    return cache_place::of(digest, about, count, count)->file;
  };
  EXPECT_EQ(file("d", "x", 10'000), file("d", "x", 10'000));
  EXPECT_NE(file("d", "x", 10'000), file("e", "x", 10'000));
  EXPECT_NE(file("d", "x", 10'000), file("d", "y", 10'000));
  EXPECT_NE(file("d", "x", 10'000), file("d", "x", 10'001));
  EXPECT_EQ(file("d", "x", 10'000).parent_path(), folder.root / "inferbench" / "prompts");
}

TEST_F(prompt_cache, is_in_the_home_folder_unless_an_absolute_folder_is_named) {
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  const std::string before = std::getenv("HOME") == nullptr ? "" : std::getenv("HOME");
  ::setenv("HOME", "/home/someone", 1);
  const auto found = cache_place::of("d", "x", 10'000, 10'000);
  ::setenv("HOME", before.c_str(), 1);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->file.parent_path(), "/home/someone/.cache/inferbench/prompts");
}

TEST_F(prompt_cache, loses_its_oldest_files_when_there_are_too_many_bytes) {
  const auto now = fs::file_time_type::clock::now();
  const auto make = [&](const char* name, int hours_old) {
    const std::string path = folder.write(name, std::string(100, 'x'));
    fs::last_write_time(path, now - std::chrono::hours(hours_old));
  };
  make("new.prompts", 0);
  make("middle.prompts", 5);
  make("old.prompts", 9);
  make("a.prompts.part", 99);
  make("other.txt", 99);
  prune_cache(folder.root, 250);
  std::vector<std::string> left;
  for (const auto& each : fs::directory_iterator(folder.root))
    left.push_back(each.path().filename());
  EXPECT_THAT(left, ::testing::UnorderedElementsAre("new.prompts", "middle.prompts",
                                                    "a.prompts.part", "other.txt"));
  prune_cache(folder.root / "nowhere", 0);
}

}  // namespace
}  // namespace synthetic
