// Tests the search for files in folders, in the cache and on the hub, and the messages if nothing
// is found.
#include "common/hub/repository.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/guard.hpp>

#include "plugins/hub/fake_hub.hpp"
#include "support/plugin_box.hpp"

namespace hub {
namespace {

using hub_test::commit;
using hub_test::content;
using hub_test::request;
using hub_test::response;
using hub_test::write;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class repositories : public testing::Test {
 protected:
  repositories() {
    hub_test::see_answers(host);
    net.files["tokenizer.json"] = {"{\"a\": 1}", "etag1"};
    net.files["sub/other.txt"] = {"other", "etag2"};
  }
  repository open(repository_name name = {.id = "org/name"}) {
    return {ifb::host(host.table()), settings, std::move(name)};
  }
  template <typename call>
  std::string refusal(call&& body, ifb_status code = IFB_E_CONFIG) {
    try {
      body();
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), code) << e.message();
      return e.message();
    }
    ADD_FAILURE() << "nothing was refused";
    return {};
  }
  std::string refusal_of_first_file(ifb_status code = IFB_E_CONFIG) {
    return refusal([&] { (void)open().get("tokenizer.json"); }, code);
  }

  support::host host;
  hub_test::folder home;
  hub_test::fake_hub net;
  environment settings = net.settings(home.path);
  std::filesystem::path folder = home.path / "models--org--name";
};

TEST_F(repositories, are_local_folders_first) {
  hub_test::folder local;
  write(local.path / "tokenizer.json", "here");
  write(local.path / "more/b", "");
  write(local.path / "more/a", "");
  auto at = open({.id = local.path.string()});
  EXPECT_TRUE(at.is_local());
  EXPECT_EQ(content(at.get("tokenizer.json")), "here");
  EXPECT_EQ(at.find("none"), std::nullopt);
  EXPECT_THAT(at.list("more"), ElementsAre("a", "b"));
  EXPECT_TRUE(at.list("none").empty());
  EXPECT_EQ(at.source(), local.path.string());
  EXPECT_EQ(refusal([&] { (void)at.get("none"); }),
            "the folder " + local.path.string() + " has no none");
  EXPECT_TRUE(net.server.requests().empty());
}

TEST_F(repositories, need_no_network_for_files_in_the_cache) {
  write(folder / "refs/main", commit);
  write(folder / "snapshots" / commit / "tokenizer.json", "cached");
  write(folder / ".no_exist" / commit / "gone", "");
  auto at = open();
  EXPECT_EQ(content(at.get("tokenizer.json")), "cached");
  EXPECT_EQ(at.find("gone"), std::nullopt);
  EXPECT_EQ(at.source(), std::string("org/name@") + commit);
  EXPECT_TRUE(net.server.requests().empty());
}

TEST_F(repositories, are_fetched_into_the_cache_once) {
  auto first = open();
  EXPECT_EQ(content(first.get("tokenizer.json")), "{\"a\": 1}");
  EXPECT_EQ(content(first.get("sub/other.txt")), "other");
  EXPECT_EQ(first.find("gone.txt"), std::nullopt);
  EXPECT_EQ(content(folder / "refs/main"), commit);
  EXPECT_EQ(content(folder / "blobs/etag1"), "{\"a\": 1}");
  EXPECT_EQ(std::filesystem::read_symlink(folder / "snapshots" / commit / "tokenizer.json"),
            "../../blobs/etag1");
  EXPECT_TRUE(std::filesystem::exists(folder / ".no_exist" / commit / "gone.txt"));
  const std::string c = commit;
  EXPECT_THAT(net.server.lines(), ElementsAre("HEAD /org/name/resolve/main/tokenizer.json",
                                              "GET /org/name/resolve/" + c + "/tokenizer.json",
                                              "HEAD /org/name/resolve/" + c + "/sub/other.txt",
                                              "GET /org/name/resolve/" + c + "/sub/other.txt",
                                              "HEAD /org/name/resolve/" + c + "/gone.txt"));
  auto second = open();
  EXPECT_EQ(content(second.get("tokenizer.json")), "{\"a\": 1}");
  EXPECT_EQ(second.find("gone.txt"), std::nullopt);
  EXPECT_EQ(net.server.requests().size(), 5U);
}

TEST_F(repositories, remember_that_the_first_file_asked_for_does_not_exist) {
  EXPECT_EQ(open().find("gone.txt"), std::nullopt);
  EXPECT_EQ(content(folder / "refs/main"), commit);
  EXPECT_EQ(open().find("gone.txt"), std::nullopt);
  EXPECT_EQ(net.server.requests().size(), 1U);
}

TEST_F(repositories, with_short_names_and_of_data_sets_have_addresses_of_their_own) {
  net.id = "gpt2";
  EXPECT_EQ(content(open({.id = "gpt2"}).get("tokenizer.json")), "{\"a\": 1}");
  EXPECT_TRUE(std::filesystem::exists(home.path / "models--gpt2/refs/main"));
  net.id = "datasets/org/data";
  auto data = open({.id = "org/data", .type = repository_type::dataset});
  EXPECT_EQ(content(data.get("sub/other.txt")), "other");
  EXPECT_TRUE(std::filesystem::exists(home.path / "datasets--org--data/refs/main"));
}

TEST_F(repositories, that_were_renamed_are_found_under_their_old_name) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.target.starts_with("/org/name/")) return std::nullopt;
    return response{307, {{"Location", "/org/name" + asked.target.substr(4)}}, ""};
  };
  EXPECT_EQ(content(open({.id = "old"}).get("tokenizer.json")), "{\"a\": 1}");
  EXPECT_TRUE(std::filesystem::exists(home.path / "models--old/blobs/etag1"));
  for (const auto& each : net.server.requests())
    EXPECT_EQ(each.header("authorization"), "Bearer hf_secret");
}

TEST_F(repositories, are_read_at_a_branch_a_tag_or_a_commit) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (!asked.target.starts_with("/org/name/resolve/refs%2Fpr%2F1/")) return std::nullopt;
    return response{200, {{"ETag", "\"e\""}, {"X-Repo-Commit", commit}}, "of the branch"};
  };
  net.files["tokenizer.json"] = {"of the branch", "e"};
  EXPECT_EQ(content(open({.id = "org/name", .revision = "refs/pr/1"}).get("tokenizer.json")),
            "of the branch");
  EXPECT_EQ(content(folder / "refs/refs/pr/1"), commit);
  EXPECT_EQ(content(open({.id = "org/name", .revision = commit}).get("tokenizer.json")),
            "of the branch");
  EXPECT_EQ(net.server.requests().size(), 2U);
  EXPECT_THAT(refusal([&] { open({.id = "org/name", .revision = "../x"}); }),
              HasSubstr("\"../x\" is not a branch, tag or commit"));
  EXPECT_THAT(
      refusal([&] { (void)open({.id = "org/name", .revision = "v9"}).get("tokenizer.json"); }),
      AllOf(HasSubstr("org/name has no such revision"), HasSubstr("check its branches")));
}

TEST_F(repositories, are_not_fetched_offline) {
  settings.offline = true;
  EXPECT_THAT(refusal([&] { open(); }),
              AllOf(HasSubstr("org/name (revision main) is not in the cache " + home.path.string()),
                    HasSubstr("HF_HUB_OFFLINE"), HasSubstr("local folder")));
  write(folder / "refs/main", commit);
  auto at = open();
  EXPECT_EQ(at.find("optional"), std::nullopt);
  EXPECT_THAT(refusal([&] { (void)at.get("tokenizer.json"); }),
              AllOf(HasSubstr("has no tokenizer.json in the cache"), HasSubstr("HF_HUB_OFFLINE")));
  EXPECT_TRUE(at.list("folder").empty());
  EXPECT_TRUE(net.server.requests().empty());
}

TEST_F(repositories, that_the_cache_has_in_part_are_usable_without_the_network) {
  write(folder / "refs/main", commit);
  write(folder / "snapshots" / commit / "tokenizer.json", "cached");
  settings.endpoint = "http://127.0.0.1:1";
  auto at = open();
  EXPECT_EQ(at.find("chat_template.jinja"), std::nullopt);
  EXPECT_EQ(content(at.get("tokenizer.json")), "cached");
  EXPECT_THAT(refusal([&] { (void)at.get("other.json"); }),
              AllOf(HasSubstr("has no other.json in the cache"), HasSubstr("cannot be reached")));
  ASSERT_EQ(host.log().size(), 1U);
  EXPECT_THAT(host.log()[0], HasSubstr("taking what the cache has"));
}

TEST_F(repositories, work_without_listings_if_a_mirror_has_none) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.target.starts_with("/api/")) return response{405, {}, ""};
    return std::nullopt;
  };
  auto at = open();
  (void)at.get("tokenizer.json");
  EXPECT_TRUE(at.list("sub").empty());
  EXPECT_THAT(host.log().back(), HasSubstr("sub is not listed"));
  EXPECT_EQ(content(at.get("sub/other.txt")), "other");
}

TEST_F(repositories, do_not_pass_for_complete_when_the_hub_fails_in_between) {
  auto at = open();
  (void)at.get("tokenizer.json");
  net.before_hub = [](const request&) -> std::optional<response> { return response{500, {}, ""}; };
  EXPECT_THAT(refusal([&] { (void)at.find("chat_template.jinja"); }, IFB_E_REMOTE),
              HasSubstr("answers HTTP 500"));
}

TEST_F(repositories, that_cannot_be_reached_name_the_remedies) {
  settings.endpoint = "http://127.0.0.1:1";
  EXPECT_THAT(refusal_of_first_file(IFB_E_IO),
              AllOf(HasSubstr("cannot fetch tokenizer.json of org/name"),
                    HasSubstr("http://127.0.0.1:1 cannot be reached"), HasSubstr("https_proxy"),
                    HasSubstr("HF_ENDPOINT"), HasSubstr("local folder")));
  // A label of more than 63 characters: no name server is asked.
  const std::string unknown = std::string(64, 'a') + ".invalid";
  settings.endpoint = "http://" + unknown;
  EXPECT_THAT(refusal_of_first_file(IFB_E_IO), HasSubstr(unknown));
  settings.endpoint = "no address";
  EXPECT_THAT(refusal_of_first_file(), HasSubstr("HF_ENDPOINT is not an address: \"no address\""));
}

TEST_F(repositories, that_are_gated_or_unknown_say_so) {
  const auto answer = [&](int status, const char* code) {
    net.before_hub = [=](const request&) -> std::optional<response> {
      return response{status, {{"X-Error-Code", code}}, ""};
    };
  };
  answer(403, "GatedRepo");
  EXPECT_THAT(refusal_of_first_file(),
              AllOf(HasSubstr("access to org/name is not granted (HTTP 403)"),
                    HasSubstr("accept the licence at " + settings.endpoint + "/org/name"),
                    HasSubstr("set HF_TOKEN")));
  answer(401, "GatedRepo");
  EXPECT_THAT(refusal_of_first_file(), HasSubstr("not granted (HTTP 401)"));
  answer(401, "RepoNotFound");
  EXPECT_THAT(refusal_of_first_file(), HasSubstr("for the account of HF_TOKEN"));
  settings.token.clear();
  EXPECT_THAT(
      refusal_of_first_file(),
      AllOf(HasSubstr("knows no org/name, or it is private or gated"), HasSubstr("set HF_TOKEN")));
  answer(418, "");
  EXPECT_THAT(refusal_of_first_file(IFB_E_REMOTE), HasSubstr("answers HTTP 418"));
}

TEST_F(repositories, are_asked_again_when_the_hub_is_busy) {
  int left = 2;
  net.before_hub = [&](const request&) -> std::optional<response> {
    if (left-- > 0) return response{503, {{"Retry-After", "0"}}, ""};
    return std::nullopt;
  };
  EXPECT_EQ(content(open().get("tokenizer.json")), "{\"a\": 1}");
  left = 1000;
  net.files["next"] = {"x", "y"};
  EXPECT_EQ(open().find("next"), std::nullopt);
  EXPECT_EQ(1000 - left, settings.attempts);
}

TEST_F(repositories, use_nothing_from_a_server_that_is_not_a_hub) {
  net.before_hub = [](const request&) -> std::optional<response> {
    return response{200, {}, "<html>a portal that wants a password"};
  };
  EXPECT_THAT(refusal_of_first_file(IFB_E_REMOTE),
              AllOf(HasSubstr("does not answer as a hub does"), HasSubstr("HF_ENDPOINT")));
}

TEST_F(repositories, write_only_into_their_folder) {
  net.before_hub = [](const request&) -> std::optional<response> {
    return response{200, {{"ETag", "\"e\""}, {"X-Repo-Commit", "../../../outside"}}, "x"};
  };
  EXPECT_THAT(refusal_of_first_file(IFB_E_REMOTE), HasSubstr("sent an invalid commit id"));
  net.before_hub = nullptr;
  net.files["tokenizer.json"].etag = "../../../outside";
  EXPECT_EQ(content(open().get("tokenizer.json")), "{\"a\": 1}");
  EXPECT_FALSE(std::filesystem::exists(home.path / "outside"));
  for (const auto& each : std::filesystem::directory_iterator(folder / "blobs"))
    EXPECT_EQ(each.path().filename().string().size(), 64U) << each.path();
  auto at = open();
  for (const char* bad : {"../x", "/etc/passwd", "a/../../b", ""}) {
    refusal([&] { (void)at.find(bad); });
    refusal([&] { (void)at.list(bad); });
  }
  for (const char* bad : {"", "a/b/c", "../x", "/no/such/folder"}) {
    EXPECT_THAT(refusal([&] { open({.id = bad}); }), HasSubstr("there is no folder"));
  }
}

TEST_F(repositories, list_a_folder_page_by_page) {
  net.before_hub = [&](const request& asked) -> std::optional<response> {
    if (asked.target == "/api/models/org/name/tree/main/more")
      return response{
          200,
          {{"Link", "<" + net.server.address() + "/api/next>; rel=\"next\""}},
          R"([{"type": "file", "path": "more/b"}, {"type": "directory", "path": "more/d"}])"};
    if (asked.target == "/api/next")
      return response{200, {}, R"([{"type": "file", "path": "more/a"}, {"type": "file"}, 7,
          {"type": "file", "path": "../x"}, {"type": "file", "path": "more/../../x"},
          {"type": "file", "path": "more/d/c"}, {"type": "file", "path": "less/a"}])"};
    return std::nullopt;
  };
  EXPECT_THAT(open().list("more"), ElementsAre("a", "b"));
}

TEST_F(repositories, list_all_their_files) {
  net.page = 1;
  auto at = open();
  EXPECT_THAT(at.files(),
              ElementsAre(listed_file{"sub/other.txt", 5}, listed_file{"tokenizer.json", 8}));
  // The listing is that of the commit which the first file told.
  const std::string tree = std::string("GET /api/models/org/name/tree/") + commit;
  EXPECT_THAT(net.server.lines(),
              ElementsAre("HEAD /org/name/resolve/main/README.md", tree + "?recursive=true",
                          tree + "?recursive=true&cursor=1"));
}

TEST_F(repositories, list_the_files_of_the_cache_if_the_hub_cannot_be_asked) {
  (void)open().get("sub/other.txt");
  settings.endpoint = "http://127.0.0.1:1";
  EXPECT_THAT(open().files(), ElementsAre(listed_file{"sub/other.txt", 5}));
  EXPECT_THAT(host.log(), testing::Contains(HasSubstr("taking what the cache has")));
  settings.offline = true;
  EXPECT_EQ(open().files().size(), 1U);
}

TEST_F(repositories, that_do_not_list_their_files_say_so) {
  net.before_hub = [](const request& asked) -> std::optional<response> {
    if (asked.target.starts_with("/api/")) return response{404, {}, ""};
    return std::nullopt;
  };
  EXPECT_THAT(refusal([&] { (void)open().files(); }, IFB_E_REMOTE),
              HasSubstr("does not list the files of org/name"));
}

TEST_F(repositories, know_which_files_need_no_download) {
  auto at = open();
  EXPECT_FALSE(at.is_at_hand("sub/other.txt"));
  (void)at.get("sub/other.txt");
  EXPECT_TRUE(at.is_at_hand("sub/other.txt"));
  EXPECT_FALSE(at.is_at_hand("tokenizer.json"));
  EXPECT_EQ(at.folder(), folder / "snapshots" / commit);
  hub_test::folder local;
  EXPECT_EQ(open({.id = local.path.string()}).folder(), local.path);
}

TEST_F(repositories, that_get_too_many_requests_name_the_token_if_there_is_none) {
  net.before_hub = [](const request&) -> std::optional<response> {
    return response{429, {{"Retry-After", "0"}}, ""};
  };
  EXPECT_THAT(refusal_of_first_file(IFB_E_REMOTE),
              HasSubstr("answers HTTP 429; try again later, or give a local folder"));
  settings.token.clear();
  EXPECT_THAT(refusal_of_first_file(IFB_E_REMOTE),
              HasSubstr("HTTP 429; try again later, set HF_TOKEN, or give a local folder"));
}

TEST_F(repositories, ask_for_a_folder_that_does_not_exist_once) {
  auto at = open();
  (void)at.get("tokenizer.json");
  EXPECT_THAT(at.list("sub"), ElementsAre("other.txt"));
  EXPECT_TRUE(at.list("more").empty());
  const auto asked = net.server.requests().size();
  EXPECT_TRUE(open().list("more").empty());
  EXPECT_EQ(net.server.requests().size(), asked);
}

}  // namespace
}  // namespace hub
