#include "config/absent.hpp"

#include <string>
#include <string_view>

namespace inferbench::config {

namespace {

struct entry {
  std::string_view flag;
  std::string_view dataset;
  arity takes = arity::one;
  ifb_type type = IFB_STRING;
};

constexpr entry entries[] = {
    {"asr-max-audio-len-sec", "hf"},
    {"asr-min-audio-len-sec", "hf"},
    {"bfcl-categories", "hf", arity::some, IFB_STRINGS},
    {"blazedit-max-distance", "hf"},
    {"blazedit-min-distance", "hf"},
    {"custom-ensure-client-side-data", "custom_image", arity::none, IFB_BOOL},
    {"custom-output-len", "custom"},
    {"hf-name", "hf"},
    {"hf-output-len", "hf"},
    {"hf-split", "hf"},
    {"hf-subset", "hf"},
    {"random-mm-base-items-per-request", "random-mm"},
    {"random-mm-bucket-config", "random-mm"},
    {"random-mm-limit-mm-per-prompt", "random-mm", arity::one, IFB_JSON},
    {"random-mm-num-mm-items-range-ratio", "random-mm"},
    {"spec-bench-category", "spec_bench"},
    {"spec-bench-output-len", "spec_bench"},
    {"speed-bench-category", "speed_bench"},
    {"speed-bench-dataset-subset", "speed_bench"},
    {"speed-bench-output-len", "speed_bench"},
};

}  // namespace

std::vector<option> absent_options(const flag_table& known) {
  std::vector<option> out;
  for (const entry& e : entries) {
    if (known.contains(e.flag)) continue;
    option o;
    o.table = "dataset";
    o.name = e.flag;
    o.flag = e.flag;
    o.type = e.type;
    o.takes = e.takes;
    o.group = "dataset " + std::string(e.dataset);
    o.commands = for_serve | for_dataset_show;
    out.push_back(std::move(o));
  }
  return out;
}

}  // namespace inferbench::config
