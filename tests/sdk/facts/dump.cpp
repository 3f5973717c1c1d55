// A reporter that writes the facts that it gets, a line for each call: the name of the struct, a
// blank, and the JSON object. It appends to its file, so several runs can share the file.
#include <fstream>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

class dump_reporter {
 public:
  static constexpr const char* id = "dump";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "The facts of each call.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_REPORTER_LIVE;

  struct options {
    ifb::path file;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"file", &options::file, "File to append to.", "\"facts.txt\""}};
    }
  };

  dump_reporter(ifb::host, const options& given) : file_(given.file.c_str(), std::ios::app) {}

  void begin(const ifb_run&) {}
  void snapshot(const ifb_snapshot& now) { put("snapshot", now.facts_json); }
  void end(const ifb_summary& all) { put("summary", all.facts_json); }

  void begin(const ifb_table& table) { put("table", table.facts_json); }
  void run(const ifb_table_run& one) { put("summary", one.summary->facts_json); }
  void end(const ifb_table_end& all) {
    for (const ifb_table_point& point : ifb::points_of(all))
      put("point", point.facts_json);
    put("table_end", all.facts_json);
  }

 private:
  // A line end inside JSON is white space.
  void put(const char* of, ifb_str facts) {
    std::string text(ifb::view(facts));
    for (char& c : text)
      if (c == '\n') c = ' ';
    file_ << of << ' ' << text << '\n';
    file_.flush();
  }

  std::ofstream file_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<dump_reporter>)
