// A backend with a mistake that a macro selects; without a macro it compiles. The test reads the
// messages of the compiler.
#include <inferbench/draft/batch_engine.hpp>
#include <inferbench/plugin.hpp>

namespace {

class mistaken {
 public:
  static constexpr const char* id = "mistaken";
#ifndef NO_VERSION
  static constexpr const char* version = "1.0.0";
#endif
  static constexpr const char* summary = "Mistaken.";
  static constexpr const char* license = "MIT";

  static constexpr const char* units[] = {"ms", "s"};
  struct options {
#ifdef OPTION_OF_ANOTHER_TYPE
    float real = 0;
#else
    double real = 0;
#endif
    std::string unit;
    static constexpr auto schema() {
      return std::tuple{
#ifdef OPTION_WITH_BAD_NAME
          ifb::option{"Real_Number", &options::real, "A number."},
#else
          ifb::option{"real", &options::real, "A number."},
#endif
#ifdef CHOICES_IN_BRACES
          ifb::option{"unit", &options::unit, "A unit."}.choices({"ms", "s"}),
#else
          ifb::option{"unit", &options::unit, "A unit."}.choices(units),
#endif
      };
    }
  };

  struct exchange {
#ifdef REQUEST_OF_ANOTHER_TYPE
    int request() { return 0; }
#else
    void request(ifb_http_request&) {}
#endif
    void on_message(const ifb::http_message&, ifb::output) {}
#ifndef NO_END
    void on_end(ifb::output) {}
#endif
#ifdef SIGN_OF_ANOTHER_TYPE
    void sign(ifb_http_request&) {}
#endif
#ifdef HEAD_OF_ANOTHER_TYPE
    void on_head(const ifb_http_head&) {}
#endif
  };

#ifdef NO_CONSTRUCTOR
  mistaken() = default;
#else
  mistaken(ifb::host, const options&) {}
#endif
#ifdef OPEN_NOT_CONST
  exchange open(const ifb_sample&, ifb::arena) { return {}; }
#else
  exchange open(const ifb_sample&, ifb::arena) const { return {}; }
#endif
};

// A dataset that several threads read at the same time.
class parallel {
 public:
  static constexpr const char *id = "parallel", *version = "1.0.0", *summary = "Parallel.",
                              *license = "MIT";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;
  explicit parallel(ifb::host) {}
  ifb_dataset_info prepare(const ifb_dataset_request&) { return ifb::dataset_info(0); }
#ifdef PARALLEL_READ_NOT_CONST
  ifb::row_result read(std::uint64_t, ifb::arena, ifb_sample&) { return ifb::row_result::end(); }
#else
  ifb::row_result read(std::uint64_t, ifb::arena, ifb_sample&) const {
    return ifb::row_result::end();
  }
#endif
};

/// Reports single runs and several runs.
class twofold {
 public:
  static constexpr const char *id = "twofold", *version = "1.0.0", *summary = "Both.",
                              *license = "MIT";
  explicit twofold(ifb::host) {}
  void begin(const ifb_run&) {}
  void end(const ifb_summary&) {}
  void begin(const ifb_table&) {}
#ifdef RUN_OF_ANOTHER_TYPE
  void run(const ifb_run&) {}
#else
  void run(const ifb_table_run&) {}
#endif
#ifndef NO_END_OF_A_TABLE
  void end(const ifb_table_end&) {}
#endif
};

/// An engine with all optional functions.
class profiled {
 public:
  static constexpr const char *id = "profiled", *version = "1.0.0", *summary = "Profiled.",
                              *license = "MIT";
  static constexpr std::uint32_t abilities = 0;
  explicit profiled(ifb::host) {}
#ifdef CONFIGURE_OF_ANOTHER_TYPE
  void configure(ifb_engine_setup&) {}
#else
  void configure(const ifb_engine_setup&) {}
#endif
  ifb_loaded_engine load() { return {}; }
  ifb_batch_report run(const ifb_batch&, ifb::arena) { return {}; }
  void cancel() noexcept {}
#ifndef NO_START_OF_THE_PROFILER
  void start_profile() {}
#endif
#ifndef NO_STOP_OF_THE_PROFILER
  void stop_profile() {}
#endif
};

}  // namespace

#ifdef ONE_ID_TWICE
INFERBENCH_PLUGINS(ifb::backend<mistaken>, ifb::backend<mistaken>)
#else
INFERBENCH_PLUGINS(ifb::backend<mistaken>, ifb::dataset<parallel>, ifb::reporter<twofold>,
                   ifb::draft::batch_engine<profiled>)
#endif
