// Tests downloads: which servers get the token, which partial files are continued or discarded, and
// how processes wait for each other.
#include <cstdlib>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>

#include <inferbench/guard.hpp>

#include "common/hub/repository.hpp"
#include "plugins/hub/fake_hub.hpp"
#include "sdk/layer/fake_host.hpp"
#include "support/plugin_box.hpp"

namespace hub {
namespace {

using hub_test::commit;
using hub_test::content;
using hub_test::large_sha256;
using hub_test::request;
using hub_test::response;
using hub_test::write;
using testing::AllOf;
using testing::HasSubstr;

class downloads : public testing::Test {
 protected:
  downloads() {
    hub_test::see_answers(host);
    net.files["large"] = {"a large file", large_sha256, true};
    net.files["small"] = {"a small file", "etag"};
  }
  std::string fetch(const std::string& file) {
    repository at(ifb::host(host.table()), settings, {.id = "org/name"});
    return content(at.get(file));
  }
  std::string refusal(const std::string& file, ifb_status code) {
    try {
      fetch(file);
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), code) << e.message();
      return e.message();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }
  [[nodiscard]] std::vector<std::string> blobs() const {
    std::vector<std::string> out;
    for (const auto& each : std::filesystem::directory_iterator(folder / "blobs"))
      out.push_back(each.path().filename().string());
    return out;
  }

  support::host host;
  hub_test::folder home;
  hub_test::fake_hub net;
  environment settings = net.settings(home.path);
  std::filesystem::path folder = home.path / "models--org--name";
};

TEST_F(downloads, send_the_token_only_to_the_hub) {
  EXPECT_EQ(fetch("large"), "a large file");
  ASSERT_EQ(net.server.requests().size(), 2U);
  for (const auto& each : net.server.requests())
    EXPECT_EQ(each.header("authorization"), "Bearer hf_secret");
  ASSERT_EQ(net.store.requests().size(), 1U);
  EXPECT_EQ(net.store.requests()[0].header("authorization"), "");
  EXPECT_EQ(net.store.requests()[0].header("accept-encoding"), "identity");
  EXPECT_THAT(net.store.requests()[0].header("user-agent"), testing::StartsWith("inferbench/"));
  EXPECT_THAT(blobs(), testing::ElementsAre(large_sha256));
}

TEST_F(downloads, continue_the_partial_file_of_an_earlier_attempt) {
  write(folder / "blobs" / (std::string(large_sha256) + ".incomplete"), "a lar");
  EXPECT_EQ(fetch("large"), "a large file");
  EXPECT_EQ(net.store.requests().at(0).header("range"), "bytes=5-");
  EXPECT_THAT(blobs(), testing::ElementsAre(large_sha256));
}

TEST_F(downloads, go_on_where_the_connection_broke) {
  int sent = 0;
  net.before_store = [&](const request& asked) -> std::optional<response> {
    if (++sent > 3) return std::nullopt;
    response cut = hub_test::fake_hub::ranged(asked, "a large file");
    cut.send = 2;
    return cut;
  };
  EXPECT_EQ(fetch("large"), "a large file");
  std::vector<std::string> ranges;
  for (const auto& each : net.store.requests())
    ranges.push_back(each.header("range"));
  EXPECT_THAT(ranges, testing::ElementsAre("", "bytes=2-", "bytes=4-", "bytes=6-"));
}

TEST_F(downloads, begin_again_where_the_server_knows_no_ranges) {
  write(folder / "blobs/etag.incomplete", "old");
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.method == "HEAD") return std::nullopt;
    return response{200, {}, "a small file"};
  };
  EXPECT_EQ(fetch("small"), "a small file");
}

TEST_F(downloads, begin_again_where_more_was_left_than_there_is) {
  write(folder / "blobs/etag.incomplete", "much more than there can be");
  EXPECT_EQ(fetch("small"), "a small file");
}

TEST_F(downloads, refuse_another_part_than_they_asked_for) {
  write(folder / "blobs/etag.incomplete", "a sm");
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.method == "HEAD") return std::nullopt;
    return response{206, {{"Content-Range", "bytes 0-11/12"}}, "a small file"};
  };
  EXPECT_THAT(refusal("small", IFB_E_REMOTE), HasSubstr("another part than was asked for"));
}

TEST_F(downloads, give_up_when_no_more_data_comes_and_keep_the_partial_file) {
  net.before_store = [&](const request& asked) -> std::optional<response> {
    response cut = hub_test::fake_hub::ranged(asked, "a large file");
    cut.send = asked.header("range").empty() ? 4 : 0;
    return cut;
  };
  EXPECT_THAT(refusal("large", IFB_E_IO),
              AllOf(HasSubstr("org/name: large cannot be fetched whole"), HasSubstr("is kept")));
  EXPECT_EQ(content(folder / "blobs" / (std::string(large_sha256) + ".incomplete")), "a la");
  EXPECT_FALSE(std::filesystem::exists(folder / "snapshots" / commit / "large"));
  EXPECT_EQ(net.store.requests().size(), 1U + static_cast<std::size_t>(settings.attempts));
  EXPECT_THAT(host.log(), testing::SizeIs(static_cast<std::size_t>(settings.attempts)));
  EXPECT_THAT(host.log(),
              testing::Each(testing::StartsWith("trying again: org/name: large: transfer closed")));
}

TEST_F(downloads, say_why_they_try_again) {
  int asked = 0;
  net.before_store = [&](const request&) -> std::optional<response> {
    if (++asked > 1) return std::nullopt;
    return response{503, {}, "busy"};
  };
  EXPECT_EQ(fetch("large"), "a large file");
  EXPECT_THAT(host.log(), testing::ElementsAre("trying again: org/name: large: HTTP 503"));
}

TEST_F(downloads, discard_a_file_with_another_hash) {
  net.files["large"].text = "A LARGE FILE";
  EXPECT_THAT(refusal("large", IFB_E_DATA), AllOf(HasSubstr("large of org/name arrives damaged"),
                                                  HasSubstr(large_sha256), HasSubstr("proxy")));
  EXPECT_TRUE(blobs().empty());
  EXPECT_FALSE(std::filesystem::exists(folder / "snapshots" / commit / "large"));
}

TEST_F(downloads, fetch_a_damaged_partial_file_again) {
  write(folder / "blobs" / (std::string(large_sha256) + ".incomplete"), "A LAR");
  EXPECT_EQ(fetch("large"), "a large file");
  EXPECT_EQ(net.store.requests().size(), 2U);
}

TEST_F(downloads, bring_no_more_than_was_announced) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.method == "HEAD") return std::nullopt;
    return response{200, {}, "a small file and then something"};
  };
  EXPECT_THAT(refusal("small", IFB_E_REMOTE), HasSubstr("longer than the 12 bytes"));
  EXPECT_THAT(content(folder / "blobs/etag.incomplete"), "");
}

TEST_F(downloads, refuse_a_file_that_is_larger_than_any_should_be) {
  settings.largest_file = 11;
  EXPECT_THAT(refusal("small", IFB_E_CONFIG), HasSubstr("has 12 bytes, more than the 11"));
  EXPECT_EQ(net.server.requests().size(), 1U);
}

TEST_F(downloads, make_an_empty_file_without_asking_for_it) {
  net.files["empty"] = {"", "nothing"};
  EXPECT_EQ(fetch("empty"), "");
  EXPECT_EQ(net.server.requests().size(), 1U);
}

TEST_F(downloads, do_not_fetch_a_blob_that_another_file_has_brought) {
  net.files["copy"] = net.files["small"];
  EXPECT_EQ(fetch("small"), "a small file");
  EXPECT_EQ(fetch("copy"), "a small file");
  EXPECT_EQ(net.server.requests().size(), 3U);
}

TEST_F(downloads, follow_no_circle_and_no_foreign_scheme) {
  std::string location = "/org/name/resolve/main/small";
  net.before_hub = [&](const request&) -> std::optional<response> {
    return response{302, {{"Location", location}}, ""};
  };
  EXPECT_THAT(refusal("small", IFB_E_REMOTE), HasSubstr("redirects without end"));
  location = "file:///etc/passwd";
  EXPECT_THAT(refusal("small", IFB_E_REMOTE), HasSubstr("is not a usable address"));
}

TEST_F(downloads, tell_how_far_they_are) {
  ifb_progress_service table{};
  table.struct_size = sizeof table;
  static thread_local std::vector<std::string> told;
  told.clear();
  table.report = [](const ifb_host*, ifb_str what, std::uint64_t done, std::uint64_t total) {
    told.push_back(std::string(ifb::view(what)) + " " + std::to_string(done) + "/" +
                   std::to_string(total));
  };
  host.services[IFB_SERVICE_PROGRESS] = &table;
  fetch("large");
  ASSERT_FALSE(told.empty());
  EXPECT_EQ(told.back(), "downloading org/name: large 12/12");
}

TEST_F(downloads, of_one_file_by_several_at_once_fetch_it_once) {
  std::vector<std::thread> threads;
  std::vector<std::string> got(4);
  write(folder / "refs/main", commit);
  for (auto& each : got)
    threads.emplace_back([&] { each = fetch("large"); });
  for (auto& each : threads)
    each.join();
  for (const auto& each : got)
    EXPECT_EQ(each, "a large file");
  EXPECT_EQ(net.store.requests().size(), 1U);
}

/// The code of the child process that the next test starts. Does nothing if it is run as a test.
TEST(child_process, fetches_a_file) {
  const char* const endpoint = std::getenv("HUB_TEST_ENDPOINT");
  if (endpoint == nullptr) return;
  const support::host host;
  environment settings;
  settings.endpoint = endpoint;
  settings.cache = std::getenv("HUB_TEST_CACHE");
  repository at(ifb::host(host.table()), settings, {.id = "org/name"});
  EXPECT_EQ(content(at.get("large")), "a large file");
}

TEST_F(downloads, of_one_file_by_several_processes_fetch_it_once) {
  write(folder / "refs/main", commit);
  const std::string endpoint = "HUB_TEST_ENDPOINT=" + net.server.address();
  const std::string cache_folder = "HUB_TEST_CACHE=" + home.path.string();
  std::string program = "/proc/self/exe";
  std::string filter = "--gtest_filter=child_process.fetches_a_file";
  std::string quiet = "--gtest_brief=1";
  std::string no_proxy = "no_proxy=*";
  std::string variables[] = {endpoint, cache_folder};
  char* arguments[] = {program.data(), filter.data(), quiet.data(), nullptr};
  char* surroundings[] = {variables[0].data(), variables[1].data(), no_proxy.data(), nullptr};
  {
    const std::lock_guard done_with_files(hub_test::fake_server::answering());
  }
  std::vector<pid_t> children(4);
  for (auto& each : children)
    ASSERT_EQ(::posix_spawn(&each, program.c_str(), nullptr, nullptr, arguments, surroundings), 0);
  for (const auto each : children) {
    int status = 1;
    ASSERT_EQ(::waitpid(each, &status, 0), each);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(net.store.requests().size(), 1U);
  EXPECT_EQ(fetch("large"), "a large file");
}

TEST_F(downloads, stop_when_the_run_does) {
  sdk_test::fake_host stopping;
  stopping.stopping = 1;
  repository at(ifb::host(stopping.table()), settings, {.id = "org/name"});
  try {
    (void)at.get("small");
    FAIL();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CANCELLED) << e.message();
  }
}

TEST_F(downloads, wait_for_another_process_until_the_run_stops) {
  const auto lock = home.path / ".locks/models--org--name/etag.lock";
  write(lock, "");
  const int held = ::open(lock.c_str(), O_RDWR);
  ASSERT_EQ(::flock(held, LOCK_EX), 0);
  sdk_test::fake_host waiting;
  net.before_hub = [&](const request& asked) -> std::optional<response> {
    EXPECT_EQ(asked.method, "HEAD") << "the file is fetched in spite of the lock";
    return std::nullopt;
  };
  // The log line about the wait makes the host stop.
  ifb_host table = *waiting.table();
  static sdk_test::fake_host* stopped = nullptr;
  stopped = &waiting;
  static std::string said;
  said.clear();
  table.log = [](const ifb_host*, std::uint32_t, ifb_str text) {
    said = ifb::view(text);
    stopped->stopping = 1;
  };
  table.cancelled = [](const ifb_host*) { return stopped->stopping; };
  table.service = [](const ifb_host*, const char*) -> const void* { return nullptr; };
  repository at(ifb::host(&table), settings, {.id = "org/name"});
  try {
    (void)at.get("small");
    ADD_FAILURE();
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_CANCELLED) << e.message();
  }
  EXPECT_THAT(said, HasSubstr("waiting for another process"));
  ::close(held);
}

}  // namespace
}  // namespace hub
