// A temporary file that exists as long as the object.
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <unistd.h>

namespace support {

class data_file {
 public:
  explicit data_file(std::string_view text) {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = ::testing::TempDir() + "inferbench-" + std::to_string(::getpid()) + "-" +
              test->test_suite_name() + "-" + test->name();
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "/rows.json";
    write(text);
  }
  data_file(const data_file&) = delete;
  data_file& operator=(const data_file&) = delete;
  ~data_file() { std::filesystem::remove_all(folder_); }

  void write(std::string_view text) const {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
  }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
  std::string path_;
};

inline std::string read_fixture(const std::string& name) {
  std::ifstream in(std::string(INFERBENCH_FIXTURES) + "/" + name, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace support
