#include "perf/definition_files.hpp"

#include <filesystem>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/text.hpp"
#include "perf/benchmark_words.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

class definition_reader {
 public:
  definition_reader(const run_request& request, std::string suffix)
      : request_(request), suffix_(std::move(suffix)) {}

  read_definitions all() {
    if (const auto file = file_of(test_kind::serving, request_.serving_file); file)
      add(serving_tests(base::read_file(*file), *file), out_.tests.serving);
    add_offline(test_kind::latency, request_.latency_file, out_.tests.latency);
    add_offline(test_kind::startup, request_.startup_file, out_.tests.startup);
    add_offline(test_kind::throughput, request_.throughput_file, out_.tests.throughput);
    if (files_ == 0)
      throw base::error("there is no test definition in the folder " + request_.tests_folder,
                        "name the folder by --tests-dir, or a file in it by --serving-json, "
                        "--latency-json, --startup-json or --throughput-json");
    if (chosen_ == 0) throw base::error("no test is chosen", "see --test-selector and the filters");
    return std::move(out_);
  }

 private:
  /// nullopt: there is no file of this kind.
  std::optional<std::string> file_of(test_kind which, const std::string& named) {
    const std::string name =
        named.empty() ? std::string(name_of(which)) + "-tests" + suffix_ + ".json" : named;
    std::string file = (fs::path(request_.tests_folder) / name).string();
    std::error_code unknown;
    if (named.empty() && !fs::exists(file, unknown)) {
      out_.notices.push_back("There is no " + file + ", so there are no " +
                             std::string(name_of(which)) + " tests");
      return std::nullopt;
    }
    ++files_;
    return file;
  }

  void add_offline(test_kind which, const std::string& named, std::vector<offline_test>& to) {
    if (const auto file = file_of(which, named); file)
      add(offline_tests(which, base::read_file(*file), *file), to);
  }

  template <typename test>
  void add(std::vector<test> read, std::vector<test>& to) {
    for (test& each : read) {
      if (!chosen(each, request_)) continue;
      ++chosen_;
      to.push_back(std::move(each));
    }
  }

  const run_request& request_;
  std::string suffix_;
  read_definitions out_;
  int files_ = 0;
  int chosen_ = 0;
};

}  // namespace

read_definitions read_definition_files(const run_request& request, const std::string& suffix) {
  return definition_reader(request, suffix).all();
}

}  // namespace inferbench::perf
