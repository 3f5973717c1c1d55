// A reporter that uses the library in each of its calls and writes the results.

#include <fstream>
#include <regex>
#include <stdexcept>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "library.hpp"

namespace {

class clash {
 public:
  static constexpr const char* id = LIBRARY_ID;
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "Writes what it sees of its own library.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path file;
    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", nullptr, IFB_OPT_REQUIRED}};
    }
  };

  clash(ifb::host, const options& given) : path_(given.file), journal_("version") {}

  void begin(const ifb_run&) { journal_.add(std::to_string(clashing::version())); }

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch)
      requests_ += r.status == IFB_OK;
    try {
      journal_.add("");
    } catch (const std::invalid_argument&) {
      caught_ = true;
    }
    batches_ += 1;
  }

  void end(const ifb_summary&) {
    std::ofstream out(path_.c_str());
    // Uses static variables of the standard library: locales and facets.
    const bool matches = std::regex_match(journal_.text(), std::regex("version: [1-3]"));
    out << journal_.text() << '\n'
        << "made " << clashing::counted<int>::made << ' ' << clashing::counted<long>::made << '\n'
        << "calls " << clashing::calls() - batches_ << '\n'
        << "requests " << requests_ << '\n'
        << (matches && caught_ ? "sound\n" : "broken\n");
  }

 private:
  ifb::path path_;
  clashing::journal journal_;
  int requests_ = 0;
  int batches_ = 0;
  bool caught_ = false;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<clash>)
