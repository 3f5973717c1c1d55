// A backend for tests that works until a file appears, and then takes the whole process
// with it, in the middle of an answer.
#include <csignal>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

class crashing {
 public:
  static constexpr const char* id = "crashing";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Crashes when it is told to, for tests.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path when;
    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"when", &options::when, "Crash once this file exists.", "\"\""}};
    }
  };

  class exchange {
   public:
    explicit exchange(const std::string& when) : when_(when) {}

    static void request(ifb_http_request& out) {
      static constexpr ifb_field headers[] = {ifb::field("Content-Type", "application/json")};
      static constexpr ifb_bytes body =
          ifb::bytes(R"({"model": "m", "prompt": "a", "max_tokens": 4, "stream": true})");
      ifb::set_request(out, "POST", "/v1/completions", headers, body);
    }
    ifb::heard on_message(std::string_view, std::string_view data, ifb::output out) {
      if (data == "[DONE]") {
        out.done("stop");
        return ifb::heard::enough;
      }
      if (std::filesystem::exists(when_)) std::raise(SIGSEGV);
      out.token("a");
      return ifb::heard::more;
    }
    void on_end(ifb::output) {}

   private:
    const std::string& when_;
  };

  crashing(ifb::host, const options& chosen) : when_(chosen.when.text) {}

  exchange open(const ifb_sample&, ifb::arena) const { return exchange(when_); }

 private:
  std::string when_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::backend<crashing>)
