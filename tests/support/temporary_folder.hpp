// A folder for the files of one test; the destructor removes it.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace inferbench::support {

class temporary_folder {
 public:
  temporary_folder() : temporary_folder(std::filesystem::temp_directory_path()) {}
  explicit temporary_folder(const std::filesystem::path& below) {
    const auto all = std::filesystem::canonical(below);
    std::string name = (all / "inferbench-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    root = name;
  }
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  ~temporary_folder() { std::filesystem::remove_all(root); }

  [[nodiscard]] std::string path(const std::string& name = {}) const {
    return name.empty() ? root.string() : (root / name).string();
  }
  /// The path as one word of a command line: TMPDIR may contain blanks.
  [[nodiscard]] std::string quoted(const std::string& name = {}) const {
    return "'" + path(name) + "'";
  }
  /// Writes the file, creates its parent folders and returns its path.
  std::string write(const std::string& name, std::string_view text) const {
    std::filesystem::create_directories((root / name).parent_path());
    std::ofstream(root / name, std::ios::binary) << text;
    return path(name);
  }

  std::filesystem::path root;
};

}  // namespace inferbench::support
