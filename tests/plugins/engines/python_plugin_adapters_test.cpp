// Tests the plugin with adapters in the Python of this machine.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "python_plugin_bench.hpp"

namespace python_engine {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The path of Python 3; empty if this machine has none in the usual places.
std::string python() {
  for (const char* each : {"/usr/bin/python3", "/usr/local/bin/python3"})
    if (std::filesystem::exists(each)) return each;
  return {};
}
const std::string plugins_source = INFERBENCH_SOURCE "/plugins/engines";

/// The adapter of docs/engine-protocol.md in a file of its own.
class documented_adapter {
 public:
  documented_adapter() {
    std::string name = (std::filesystem::temp_directory_path() / "engine-XXXXXX").string();
    folder_ = ::mkdtemp(name.data());
    std::ifstream page(INFERBENCH_SOURCE "/docs/engine-protocol.md");
    const std::string text((std::istreambuf_iterator<char>(page)), {});
    const std::size_t begin = text.find("```python\n") + 10;
    std::ofstream(file()) << text.substr(begin, text.find("```", begin) - begin);
  }
  documented_adapter(const documented_adapter&) = delete;
  documented_adapter& operator=(const documented_adapter&) = delete;
  ~documented_adapter() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string file() const { return (folder_ / "echo.py").string(); }

 private:
  std::filesystem::path folder_;
};

TEST_F(python_plugins, run_the_adapter_of_the_protocol_page) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), "{}", plugins_source);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  EXPECT_EQ(loaded_.max_model_len, 4096);
  EXPECT_THAT(std::string(ifb::view(loaded_.description)), HasSubstr("echo 1.0, Python 3."));
  what_.batch.flags = IFB_BATCH_STAMPS;
  ASSERT_EQ(run(what_.batch), IFB_OK) << error_.message;
  ASSERT_EQ(report_.result_count, 2U);
  EXPECT_EQ(report_.results[0].prompt_tokens, 3);
  EXPECT_EQ(report_.results[1].outputs[0].tokens, 2);
  ASSERT_EQ(report_.results[1].token_count, 2U);
  EXPECT_GE(report_.results[1].token_ns[0], report_.began_ns);
}

TEST_F(python_plugins, name_an_option_that_the_adapter_refuses) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), R"({"max-speed": 3})", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("unknown option max_speed"));
}

TEST_F(python_plugins, stop_an_adapter_that_sleeps) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  const documented_adapter adapter;
  create(python(), adapter.file(), R"({"delay": 0.01})", plugins_source);
  const text_batch endless({"one"}, 1'000'000);
  ASSERT_EQ(load(), IFB_OK) << error_.message;
  host_.stopping = true;
  EXPECT_EQ(run(endless.batch), IFB_E_CANCELLED);
}

TEST_F(python_plugins, name_a_package_that_python_does_not_have) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "sglang", "{}", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, AllOf(HasSubstr("does not have the package sglang"),
                                    HasSubstr("-m pip install sglang")));
}

TEST_F(python_plugins, name_an_adapter_that_does_not_exist) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "no_such_adapter", "{}", plugins_source);
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message,
              AllOf(HasSubstr("there is no adapter "), HasSubstr("no_such_adapter")));
}

TEST_F(python_plugins, say_that_the_worker_is_not_installed) {
  if (python().empty()) GTEST_SKIP() << "there is no python3";
  create(python(), "hf");
  EXPECT_EQ(load(), IFB_E_CONFIG);
  EXPECT_THAT(error_.message, HasSubstr("can't open file"));
}

}  // namespace
}  // namespace python_engine
