#include "config/command_echo.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {
namespace {

std::string line_of(std::vector<std::string> args) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  return parse_serve(args, env, plugins).line;
}

TEST(command_echo, flags_have_full_names_and_shell_quoting) {
  EXPECT_EQ(line_of({}), "");
  EXPECT_EQ(line_of({"--num_prompt", "5", "--save-result", "--label=it's me", "--seed", "1",
                     "--ignore-eos=false", "--seed=2"}),
            "--num-prompts 5 --save-result --label 'it'\\''s me' --ignore-eos=false --seed 2");
  EXPECT_EQ(line_of({"--label=--x", "--temperature", "-1", "--goodput", "ttft:1", "tpot:2"}),
            "--label=--x --temperature=-1 --goodput ttft:1 tpot:2");
  EXPECT_EQ(line_of({"--extra-body.a", "1", "--extra-body.b+", "x,y", "--label", ""}),
            "--label '' --extra-body '{\"a\": 1, \"b\": [\"x\", \"y\"]}'");
}

TEST(command_echo, values_of_headers_and_passwords_are_cut) {
  EXPECT_EQ(line_of({"--header", "Authorization=Bearer abc", "B=c=d", "--proxy",
                     "http://me:pass@proxy:3128/x"}),
            "--header 'Authorization=(cut)' 'B=(cut)' --proxy 'http://(cut)@proxy:3128/x'");
  EXPECT_EQ(line_of({"--proxy", "me:secret@proxy:3128"}), "--proxy '(cut)@proxy:3128'");
  EXPECT_EQ(line_of({"--proxy", "proxy:3128"}), "--proxy proxy:3128");
  EXPECT_EQ(line_of({"--label", "http://x/@b"}), "--label http://x/@b");
  EXPECT_EQ(line_of({"--label", "me:you@b"}), "--label me:you@b");
}

TEST(command_echo, secrets_that_are_set_for_a_file_are_cut) {
  const support::temporary_folder files;
  const std::string path = files.write("empty.toml", "");
  const options::environment env = test_environment();
  fake_catalog plugins;
  const std::vector<std::string> args{path,
                                      "--set",
                                      "server.api-key=hunter2",
                                      "--set",
                                      "server.header=[\"A=hunter2\"]",
                                      "--set",
                                      "run.seed=3",
                                      "--set",
                                      "server.api-key =sk-hunter2",
                                      "--set",
                                      " server.proxy = me:hunter2@proxy",
                                      "--set",
                                      "server.proxy=http://me:hunter2@proxy"};
  EXPECT_EQ(parse_run(args, env, plugins).line,
            base::shell_word(path) +
                " --set 'server.api-key=(cut)' --set 'server.header=(cut)' --set run.seed=3 "
                "--set 'server.api-key =(cut)' --set ' server.proxy =(cut)@proxy' "
                "--set 'server.proxy=http://(cut)@proxy'");
}

TEST(command_echo, a_secret_that_holds_an_equals_sign_is_cut_as_a_whole) {
  options::option token;
  token.table = "backend";
  token.name = "token";
  token.flag = "forms-token";
  token.secret = true;
  command_line line;
  line.flags.push_back({.name = "forms-token", .values = {"hunter2=="}, .dotted = {}});
  EXPECT_EQ(command_echo(line, std::span(&token, 1)), "--forms-token '(cut)'");
}

}  // namespace
}  // namespace inferbench::config
