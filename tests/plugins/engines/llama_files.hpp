// Files for the tests of llama-cpp. LLAMA_LIBRARY is the library that was found at build.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include <unistd.h>

#include "llama_gguf.hpp"

namespace llama_test {

/// A folder that is removed with its owner.
class file_folder {
 public:
  file_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "llama-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    path_ = name;
  }
  ~file_folder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  file_folder(const file_folder&) = delete;
  file_folder& operator=(const file_folder&) = delete;

  [[nodiscard]] std::string operator/(std::string_view name) const {
    return (path_ / name).string();
  }
  [[nodiscard]] std::string write(std::string_view name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return *this / name;
  }
  [[nodiscard]] std::string model(weights kind, std::uint64_t seed = 1) const {
    tiny_model wanted;
    wanted.kind = kind;
    wanted.seed = seed;
    return write(kind == weights::chain ? "chain.gguf" : "random.gguf", gguf_of(wanted));
  }

 private:
  std::filesystem::path path_;
};

}  // namespace llama_test
