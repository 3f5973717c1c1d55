// The base of the tests that read a command line of `serve`, and the reporters of a plan.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/environment.hpp"

namespace inferbench::config {

class serve_bench : public testing::Test {
 protected:
  request parse(std::vector<std::string> args) { return parse_serve(args, env, plugins); }
  plan plan_of(std::vector<std::string> args) { return parse(std::move(args)).plan; }
  std::string complaint(std::vector<std::string> args) {
    return complaint_of([&] { (void)parse(std::move(args)); });
  }
  const options::option_value& dataset_value(const plan& p, std::string_view name) {
    const options::option_value* found = p.dataset.find(name);
    if (found == nullptr) throw std::runtime_error("not set: " + std::string(name));
    return *found;
  }

  options::environment env = test_environment();
  fake_catalog plugins;
};

/// The names of the plan's reporters, in their order.
inline std::vector<std::string> uses(const plan& p) {
  std::vector<std::string> out;
  for (const options::plugin_choice& choice : p.reporters)
    out.push_back(choice.use);
  return out;
}

}  // namespace inferbench::config
