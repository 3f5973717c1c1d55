// A dataset for tests: samples of any shape from a JSON file, as plugins_backends/sample_of.hpp
// reads them. {folder} in a URI is the folder of that file.
#include <cstdint>
#include <deque>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "plugins_backends/sample_of.hpp"

namespace {

class samples {
 public:
  static constexpr const char* id = "samples";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Samples of any shape from a JSON file, for tests.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path path;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"path", &options::path, "JSON file: a list of samples.",
                                    nullptr, IFB_OPT_REQUIRED}};
    }
  };

  samples(ifb::host, const options& chosen) : path_(chosen.path.text) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    std::ifstream in(path_);
    std::stringstream text;
    text << in.rdbuf();
    rapidjson::Document list;
    list.Parse(text.str().c_str());
    if (!list.IsArray()) throw ifb::failure{IFB_E_DATA, path_ + " holds no JSON list", "path"};
    const auto folder = std::filesystem::absolute(path_).parent_path().string();
    for (const auto& each : list.GetArray())
      rows_.emplace_back(each, folder);
    return ifb::dataset_info(static_cast<std::int64_t>(rows_.size()));
  }

  ifb::row_result read(std::uint64_t row, ifb::arena, ifb_sample& out) {
    if (row >= rows_.size()) return ifb::row_result::end();
    out = rows_[row].sample;
    return ifb::row_result::ok();
  }

 private:
  std::string path_;
  std::deque<backends::sample_of> rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<samples>)
