// Tests --help and --help=TOPIC of the commands.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "framework/config/serve_bench.hpp"
#include "support/golden.hpp"

namespace inferbench::config {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class serve_help : public serve_bench {};

TEST_F(serve_help, help_loads_nothing) {
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"--help"}, std::vector<std::string>{"-h"},
        std::vector<std::string>{"--hel"},
        std::vector<std::string>{"--backend", "none", "--help=all"}}) {
    EXPECT_THAT(parse(args).help, testing::StartsWith("usage: inferbench serve"));
  }
  EXPECT_THAT(plugins.loads, IsEmpty());
}

TEST(help, keeps_within_a_hundred_columns) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  for (const auto& parse : {parse_serve, parse_run, parse_dataset_show}) {
    const std::string text = parse(std::vector<std::string>{"--help=all"}, env, plugins).help;
    for (const std::string_view line : base::split(text, '\n'))
      EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(help, of_a_filter_shows_only_matching_flags) {
  const options::environment env = test_environment();
  fake_catalog plugins;
  const auto help = [&](const std::string& topic) {
    return parse_serve(std::vector<std::string>{"--help=" + topic}, env, plugins).help;
  };
  EXPECT_THAT(help("METRICS"), AllOf(HasSubstr("\nmetrics:\n"), HasSubstr("--goodput"),
                                     Not(HasSubstr("--request-rate"))));
  EXPECT_THAT(help("ramp-up"), AllOf(HasSubstr("--ramp-up-end-rps"), Not(HasSubstr("--seed"))));
  EXPECT_THAT(help("endpoint-type"), HasSubstr("Old spelling of --backend"));
  EXPECT_THAT(help("nothing of the kind"), HasSubstr("Nothing matches"));
  EXPECT_THAT(help(""), Not(HasSubstr("--endpoint-type")));
}

TEST(help, of_each_command_is_as_recorded) {
  const options::environment env = test_environment();
  const std::string folder = std::string(INFERBENCH_FIXTURES) + "/config/";
  const auto help = [&](auto parse, std::string flag) {
    fake_catalog plugins;
    const std::vector<std::string> args{std::move(flag)};
    return parse(args, env, plugins).help;
  };
  support::expect_golden(help(parse_serve, "--help"), folder + "help_serve.txt");
  support::expect_golden(help(parse_serve, "--help=all"), folder + "help_serve_all.txt");
  support::expect_golden(help(parse_serve, "--help=dataset random"),
                         folder + "help_serve_group.txt");
  support::expect_golden(help(parse_serve, "--help=penalty"), folder + "help_serve_text.txt");
  support::expect_golden(help(parse_run, "--help"), folder + "help_run.txt");
  support::expect_golden(help(parse_dataset_show, "--help"), folder + "help_dataset_show.txt");
}

}  // namespace
}  // namespace inferbench::config
