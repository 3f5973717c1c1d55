// A backend for tests that works until a file appears, removes it, and then takes the whole
// process with it, in the middle of an answer.
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>
#include <thread>
#include <tuple>

#include <inferbench/plugin.hpp>

namespace {

enum class end : std::uint8_t { crash, thread, exit, hang };
constexpr const char* ends[] = {"crash", "thread", "exit", "hang"};

void go(end how) {
  switch (how) {
    case end::crash: std::raise(SIGSEGV); return;
    case end::thread: std::thread([] { __builtin_trap(); }).join(); return;
    case end::exit: std::exit(3);
    case end::hang: std::this_thread::sleep_for(std::chrono::hours(1)); return;
  }
}

class crashing {
 public:
  static constexpr const char* id = "crashing";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Crashes when it is told to, for tests.";
  static constexpr const char* license = "Apache-2.0";

  struct options {
    ifb::path when;
    end how = end::crash;
    static constexpr auto schema() {
      return std::tuple{ifb::option{"when", &options::when, "Crash once this file exists.", "\"\""},
                        ifb::option{"how", &options::how, "In this way."}.choices(ends)};
    }
  };

  class exchange {
   public:
    exchange(const std::string& when, end how) : when_(when), how_(how) {}

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
      if (std::filesystem::remove(when_)) go(how_);
      out.token("a");
      return ifb::heard::more;
    }
    void on_end(ifb::output) {}

   private:
    const std::string& when_;
    end how_;
  };

  crashing(ifb::host, const options& chosen) : when_(chosen.when.text), how_(chosen.how) {}

  exchange open(const ifb_sample&, ifb::arena) const { return {when_, how_}; }

 private:
  std::string when_;
  end how_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::backend<crashing>)
