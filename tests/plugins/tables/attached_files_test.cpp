// Files that the rows of a data set name: in a local folder, in the cache, and on a hub.
#include "datasets/tables/attached_files.hpp"

#include <atomic>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/tables/limits.hpp"
#include "plugins/hub/fake_hub.hpp"
#include "plugins/tables/tables_bench.hpp"

namespace tables {
namespace {

using strings = std::vector<std::string>;
using testing::ElementsAre;
using testing::HasSubstr;

class attached_local_files : public tables_test::bench {
 protected:
  attached_files open(const std::string& folder) {
    return {host(), {}, {.id = folder, .type = hub::repository_type::dataset}, folder};
  }
};

TEST_F(attached_local_files, are_found_by_their_paths) {
  folder_.write("data/clips/a b.mp4", "x");
  attached_files files = open(folder_.path("data"));
  EXPECT_EQ(files.folder(), folder_.path("data"));
  EXPECT_EQ(files.fetch("clips/a b.mp4"), folder_.path("data/clips/a b.mp4"));
  EXPECT_EQ(files.fetch("clips/b.mp4"), std::nullopt);
  EXPECT_EQ(files.fetch("clips"), std::nullopt);
  EXPECT_THAT(log(), testing::IsEmpty());
}

TEST_F(attached_local_files, lie_inside_the_data_set) {
  folder_.write("secret", "x");
  folder_.write("data/a.mp4", "x");
  attached_files files = open(folder_.path("data"));
  for (const std::string& path :
       {std::string("../secret"), folder_.path("secret"), std::string("a/../../secret"),
        std::string("./a.mp4"), std::string("a//b"), std::string(), std::string("a\\b"),
        std::string("a\nb"), std::string("a\0b", 3)}) {
    const ifb::failure why = failure_of([&] { (void)files.fetch(path); });
    EXPECT_EQ(why.code(), IFB_E_DATA) << path;
    EXPECT_THAT(why.message(), HasSubstr("is not a path inside the data set")) << path;
  }
}

TEST_F(attached_local_files, may_be_links_inside_the_data_set_only) {
  namespace fs = std::filesystem;
  folder_.write("secret", "x");
  folder_.write("data/a.mp4", "x");
  fs::create_symlink("a.mp4", folder_.path("data/inside.mp4"));
  fs::create_symlink("../secret", folder_.path("data/out.mp4"));
  fs::create_directory_symlink("..", folder_.path("data/up"));
  attached_files files = open(folder_.path("data"));
  EXPECT_TRUE(files.fetch("inside.mp4"));
  for (const char* path : {"out.mp4", "up/secret"}) {
    const ifb::failure why = failure_of([&] { (void)files.fetch(path); });
    EXPECT_EQ(why.code(), IFB_E_DATA) << path;
    EXPECT_THAT(why.message(), HasSubstr("leads out of the data set")) << path;
  }
}

TEST_F(attached_local_files, of_a_snapshot_are_links_to_blobs) {
  namespace fs = std::filesystem;
  folder_.write("cache/datasets--o--n/blobs/0123", "x");
  fs::create_directories(folder_.path("cache/datasets--o--n/snapshots/abc"));
  fs::create_symlink("../../blobs/0123", folder_.path("cache/datasets--o--n/snapshots/abc/a.mp4"));
  fs::create_symlink("cache/datasets--o--n/snapshots/abc", folder_.path("link"));
  for (const char* folder : {"cache/datasets--o--n/snapshots/abc", "link"})
    EXPECT_TRUE(open(folder_.path(folder)).fetch("a.mp4")) << folder;
}

class attached_hub_files : public tables_test::bench {
 protected:
  attached_hub_files() {
    hub_test::see_answers(host_);
    net.id = "datasets/org/name";
    add("train.jsonl", "{\"v\": \"clips/1.mp4\"}\n");
    for (int i = 0; i < 20; ++i)
      add("clips/" + std::to_string(i) + ".mp4", "clip " + std::to_string(i));
  }
  void add(const std::string& name, const std::string& text) {
    net.files[name] = {text, "etag" + std::to_string(net.files.size())};
  }
  std::unique_ptr<attached_files> open() {
    const strings columns{"v"};
    return split_rows(host(), settings, what, columns).attached();
  }
  /// The clips that were fetched.
  strings fetched() const {
    strings out;
    for (const std::string& line : net.server.lines())
      if (const auto at = line.find("clips/"); line.starts_with("GET ") && at != line.npos)
        out.push_back(line.substr(at + 6));
    return out;
  }

  hub_test::fake_hub net;
  hub::environment settings = net.settings(folder_.path("cache"));
  request what{.path = "org/name", .shuffle = false};
};

TEST_F(attached_hub_files, are_fetched_one_by_one) {
  const auto files = open();
  EXPECT_THAT(fetched(), testing::IsEmpty());
  const auto path = files->fetch("clips/7.mp4");
  ASSERT_TRUE(path);
  EXPECT_EQ(*path, folder_.path("cache/datasets--org--name/snapshots/") + hub_test::commit +
                       "/clips/7.mp4");
  EXPECT_EQ(hub_test::content(*path), "clip 7");
  EXPECT_EQ(files->fetch("clips/7.mp4"), path);
  EXPECT_THAT(fetched(), ElementsAre("7.mp4"));
  EXPECT_THAT(log(), HasSubstr("org/name: the files that rows name are downloaded one by one"));
}

TEST_F(attached_hub_files, that_the_repository_lacks_are_no_error) {
  const auto files = open();
  EXPECT_EQ(files->fetch("clips/99.mp4"), std::nullopt);
  const auto asked = net.server.requests().size();
  EXPECT_EQ(files->fetch("clips/99.mp4"), std::nullopt);
  EXPECT_EQ(net.server.requests().size(), asked);
}

TEST_F(attached_hub_files, need_no_network_if_they_are_in_the_cache) {
  (void)open()->fetch("clips/7.mp4");
  settings.offline = true;
  const auto files = open();
  EXPECT_TRUE(files->fetch("clips/7.mp4"));
  const ifb::failure why = failure_of([&] { (void)files->fetch("clips/8.mp4"); });
  EXPECT_EQ(why.code(), IFB_E_IO);
  EXPECT_THAT(why.message(), HasSubstr("HF_HUB_OFFLINE"));
  EXPECT_EQ(why.option(), "path");
}

TEST_F(attached_hub_files, that_are_too_large_are_not_downloaded) {
  const auto files = open();
  net.before_hub = [](const hub_test::request& asked) -> std::optional<hub_test::response> {
    if (!asked.target.ends_with("7.mp4")) return std::nullopt;
    return hub_test::response{302,
                              {{"Location", "http://127.0.0.1:1/x"},
                               {"X-Repo-Commit", hub_test::commit},
                               {"X-Linked-Etag", "\"large\""},
                               {"X-Linked-Size", std::to_string(largest_attached_file + 1)}},
                              ""};
  };
  const ifb::failure why = failure_of([&] { (void)files->fetch("clips/7.mp4"); });
  EXPECT_EQ(why.code(), IFB_E_DATA);
  EXPECT_THAT(why.message(), HasSubstr("more than the"));
  EXPECT_TRUE(files->fetch("clips/8.mp4"));
}

TEST_F(attached_hub_files, of_a_hub_that_refuses_are_an_error) {
  const auto files = open();
  net.before_hub = [](const hub_test::request&) -> std::optional<hub_test::response> {
    return hub_test::response{500, {}, ""};
  };
  EXPECT_EQ(failure_of([&] { (void)files->fetch("clips/7.mp4"); }).option(), "path");
  EXPECT_NE(failure_of([&] { (void)files->fetch("clips/7.mp4"); }).code(), IFB_E_DATA);
}

TEST_F(attached_hub_files, are_fetched_by_several_threads) {
  const auto files = open();
  std::atomic<int> found{0};
  {
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (int i = 0; i < 20; ++i) {
          const std::string name = std::to_string((i + t * 5) % 20);
          const auto path = files->fetch("clips/" + name + ".mp4");
          if (path && hub_test::content(*path) == "clip " + name) ++found;
        }
      });
    for (std::thread& each : threads)
      each.join();
  }
  EXPECT_EQ(found, 80);
}

TEST_F(attached_hub_files, belong_to_the_data_set_and_not_to_its_conversion) {
  INFERBENCH_NEEDS_DUCKDB();
  net.files.erase("train.jsonl");
  add("name.py", "a script");
  const std::string parquet = write_parquet("rows.parquet", "SELECT 'clips/3.mp4' AS v");
  net.converted["default/train/0000.parquet"] = {hub_test::content(parquet), "rows"};
  const auto files = open();
  EXPECT_THAT(log(), HasSubstr("refs/convert/parquet"));
  const auto path = files->fetch("clips/3.mp4");
  ASSERT_TRUE(path);
  EXPECT_EQ(hub_test::content(*path), "clip 3");
}

}  // namespace
}  // namespace tables
