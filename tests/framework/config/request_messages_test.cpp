// Tests the messages of errors that a wrong command line or file causes.
#include <gtest/gtest.h>

#include "base/text.hpp"
#include "config/request.hpp"
#include "framework/config/fake_catalog.hpp"
#include "options/refusal.hpp"
#include "support/golden.hpp"

namespace inferbench::config {
namespace {

// tests/fixtures/config/errors.txt has "$ command" and below it the message for the user.
TEST(messages, of_every_error_are_as_recorded) {
  const std::string folder = std::string(INFERBENCH_FIXTURES) + "/config/";
  const std::string golden = base::read_file(folder + "errors.txt");
  const options::environment env = test_environment();
  std::string found;
  int count = 0;
  for (const std::string_view line : base::split(golden, '\n')) {
    if (line.starts_with('#')) found += std::string(line) + "\n";
    if (!line.starts_with("$ ")) continue;
    std::vector<std::string> words;
    for (const std::string_view word : base::split(line.substr(2), ' '))
      words.emplace_back(word);
    const std::string command = words.front();
    words.erase(words.begin());
    if (command == "run" && !words.empty()) words.front() = folder + words.front();
    fake_catalog plugins;
    std::string message;
    try {
      (void)(command == "serve" ? parse_serve(words, env, plugins)
             : command == "run" ? parse_run(words, env, plugins)
                                : parse_dataset_show(words, env, plugins));
    } catch (const options::usage_error& e) {
      message = std::string("[2] ") + e.what();
    } catch (const base::error& e) {
      message = std::string("[1] ") + e.what();
    }
    EXPECT_NE(message, "") << line;
    const bool of_a_value = message.find(": expected ") != std::string::npos;
    EXPECT_TRUE(!of_a_value || message.find("; ") != std::string::npos) << message;
    for (auto at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.erase(at, folder.size());
    found += "\n" + std::string(line) + "\n" + message + "\n";
    ++count;
  }
  support::expect_golden(found, folder + "errors.txt");
  EXPECT_GT(count, 60);
}

}  // namespace
}  // namespace inferbench::config
