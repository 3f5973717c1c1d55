// A reporter that writes a CSV file with a line for each request.

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <string>
#include <system_error>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

/// Returns the time between two stamps, given in nanoseconds, in milliseconds; empty if a stamp is
/// missing.
std::string milliseconds(std::uint64_t from, std::uint64_t to) {
  if (from == 0 || to < from) return {};
  return std::to_string(static_cast<double>(to - from) / 1e6);
}

enum class separator : std::uint8_t { comma, semicolon, tab };

class my_example_reporter {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "A CSV file with a line for each request.";
  static constexpr const char* license = "Apache-2.0";
  // The reporter does not use the stamps of single events, so the host need not keep them.
  static constexpr std::uint32_t flags = IFB_REPORTER_STAMPS_IF_DETAILED;

  // The names of the enumeration, in its order. The table of options keeps the address of the
  // list, so the list is static and has a name.
  static constexpr const char* separators[] = {"comma", "semicolon", "tab"};

  struct options {
    ifb::path file;
    separator between = separator::comma;

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"file", &options::file, "File to write.", "\"my-example.csv\""},
          ifb::option{"separator", &options::between, "Character between two columns.", "\"comma\""}
              .choices(separators),
      };
    }
  };

  my_example_reporter(ifb::host host, const options& given)
      : host_(host), path_(given.file), between_(",;\t"[static_cast<int>(given.between)]) {}

  void begin(const ifb_run&) {
    file_.open(path_.c_str());
    if (!file_) throw cannot("open");
    write("sequence", "status", "prompt_tokens", "output_tokens", "ttft_ms", "latency_ms");
  }

  void records(ifb::strided<ifb_record> batch) {
    for (const ifb_record& r : batch) {
      if (ifb::never_sent(r)) continue;  // never sent, because the run ended before
      write(r.sequence, r.status, r.prompt_tokens, r.output_tokens,
            milliseconds(r.start_ns, r.first_token_ns), milliseconds(r.start_ns, r.end_ns));
    }
    // Errors are checked here, so that a full disk is reported.
    if (!file_) throw cannot("write");
  }

  void end(const ifb_summary&) {
    file_.close();
    if (!file_) throw cannot("write");
    if (const auto console = host_.find_console()) console->artifact("requests", path_.text);
  }

 private:
  template <typename first, typename... others>
  void write(const first& column, const others&... columns) {
    file_ << column;
    ((file_ << between_ << columns), ...);
    file_ << '\n';
  }
  ifb::failure cannot(const std::string& what) const {
    const std::string reason = std::generic_category().message(errno);
    return {IFB_E_IO, "cannot " + what + " " + path_.text + ": " + reason, "file"};
  }

  ifb::host host_;
  ifb::path path_;
  char between_;
  std::ofstream file_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::reporter<my_example_reporter>)
