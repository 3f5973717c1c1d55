// An engine that returns its prompt as one token, and a dataset whose prompts are the numbers of
// the rows.
#include <string>

#include <inferbench/plugin.hpp>

namespace {

class both {
 public:
  static constexpr const char* id = "both";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "Says the prompt back.";
  static constexpr const char* license = "Apache-2.0";

  struct call {
    std::string_view prompt;
    ifb::engine_output out;

    void run() {
      out.token(prompt, 1);
      out.usage({.output = 1});
      out.done("stop");
    }
    void cancel() noexcept {}  // run() ends the request at once
  };

  explicit both(ifb::host) {}
  call open(const ifb_sample& sample, ifb::arena, ifb::engine_output out) const {
    return {ifb::prompt_text(sample), out};
  }
};

class rows {
 public:
  static constexpr const char* id = "both-rows";
  static constexpr const char* version = "1.0.0";
  static constexpr const char* summary = "The numbers of rows.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  explicit rows(ifb::host) {}
  ifb_dataset_info prepare(const ifb_dataset_request&) { return ifb::dataset_info(3); }
  ifb::row_result read(std::uint64_t row, ifb::arena arena, ifb_sample& out) const {
    if (row >= 3) return ifb::row_result::end();
    const auto parts = arena.array<ifb_part>(1);
    parts[0] = ifb::text_part(arena.copy("row " + std::to_string(row)));
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    return ifb::row_result::ok();
  }
};

}  // namespace

INFERBENCH_PLUGINS(ifb::engine<both>, ifb::dataset<rows>)
