// The reporter `junit` writes the goals of a run and what makes it valid as test cases, for systems
// that show the results of tests.
#include <filesystem>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>
#include <inferbench/run_description_json.hpp>

#include "cases.hpp"
#include "reporters/common/output_file.hpp"
#include "reporters/common/report_file.hpp"

namespace {

class junit {
 public:
  static constexpr const char* id = "junit";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary =
      "Writes goals, failed requests and the verdict on the client as JUnit test cases.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  struct options {
    ifb::path file;
    std::string suite;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"inferbench.xml\""},
          ifb::option{"suite", &options::suite,
                      "Name of the suite, instead of inferbench and the name of the run."},
      };
    }
  };

  junit(ifb::host host, const options& given)
      : host_(host), suite_(given.suite), path_(reporters::report_path(given.file)) {}

  void begin(const ifb_run& run) {
    config_json_ = ifb::view(run.config_json);
    environment_json_ = ifb::view(run.environment_json);
    name_ = ifb::view(run.name);
    started_unix_ns_ = run.started_unix_ns;
  }

  void end(const ifb_summary& result) {
    const reporters::figures found(result);
    const rapidjson::Document facts = reporters::parse_object(ifb::view(result.facts_json));
    reporters::junit_suite suite;
    suite.name = suite_.empty() ? "inferbench " + name_ : suite_;
    suite.started_unix_ns = started_unix_ns_;
    suite.seconds = found.value("duration");
    const rapidjson::Document environment = reporters::parse_object(environment_json_);
    suite.host =
        reporters::text_of(reporters::find(reporters::find(environment, "machine"), "host"));
    add_properties(suite);
    suite.cases = reporters::cases_of(found, facts, (result.flags & IFB_SUMMARY_INTERRUPTED) != 0,
                                      ifb::describe(config_json_).thresholds_certain);
    reporters::output_file file(path_, reporters::output_file::mode::replace);
    file.write(reporters::to_xml(suite));
    file.commit();
    if (const auto terminal = host_.find_console()) terminal->artifact("junit", path_.string());
  }

 private:
  void add_properties(reporters::junit_suite& to) const {
    const ifb::run_description run = ifb::describe(config_json_);
    to.properties.emplace_back("run", name_);
    to.properties.emplace_back("backend", run.backend);
    to.properties.emplace_back("model", run.model_id);
    if (run.label) to.properties.emplace_back("label", *run.label);
    for (const auto& each : run.metadata)
      to.properties.push_back(each);
  }

  ifb::host host_;
  std::string suite_;
  std::filesystem::path path_;
  std::string name_, config_json_, environment_json_;
  std::int64_t started_unix_ns_ = 0;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<junit>);
