// The base of the tests of rules: a command line of `serve` or a file of `run`, and the complaint
// about it. The temperature is set on the command line, so that there is no warning about it.
#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/environment.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::config {

class rules_bench : public testing::Test {
 protected:
  request parse(std::vector<std::string> args) {
    args.insert(args.end(), {"--temperature", "0"});
    return parse_serve(args, env, plugins);
  }
  request parse_file(const std::string& text, const std::vector<std::string>& more = {}) {
    std::vector<std::string> args{files.write("rules.toml", text)};
    args.insert(args.end(), more.begin(), more.end());
    return parse_run(args, env, plugins);
  }
  /// The error about a file, from its place on: ":2:11: load.traffic: ...".
  std::string complaint_of_file(const std::string& text) {
    const std::string found = complaint_of([&] { (void)parse_file(text); });
    return found.substr(found.find("rules.toml") + 10);
  }

  const support::temporary_folder files;
  options::environment env = test_environment();
  fake_catalog plugins;
};

}  // namespace inferbench::config
