// A temporary file that exists as long as the object.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include "support/temporary_folder.hpp"

namespace support {

class data_file {
 public:
  explicit data_file(std::string_view text) { write(text); }

  void write(std::string_view text) const { files_.write("rows.json", text); }
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& folder() const { return folder_; }

 private:
  inferbench::support::temporary_folder files_;
  std::string folder_ = files_.path();
  std::string path_ = files_.path("rows.json");
};

inline std::string read_fixture(const std::string& name) {
  std::ifstream in(std::string(INFERBENCH_FIXTURES) + "/" + name, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace support
