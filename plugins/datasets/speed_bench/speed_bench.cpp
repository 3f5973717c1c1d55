// The first message of each row of a subset of SPEED-Bench. With the same seed and tokenizer they
// are the same as the prompts of `vllm bench serve --dataset-name speed_bench`.
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/prompts/text_rows.hpp"

namespace {

namespace fs = std::filesystem;

std::string_view first_message(const files::json_row& row) {
  const rapidjson::Value& messages = row.at("messages");
  if (!messages.IsArray() || messages.Empty())
    row.refuse("\"messages\" must be a list of at least one message");
  const auto text = files::string_of(files::find(messages[0], "content"));
  if (!text) row.refuse("the first of \"messages\" must be an object with a text in \"content\"");
  return *text;
}

class speed_bench {
 public:
  static constexpr const char* id = "speed_bench";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Prompts of SPEED-Bench, the first turn of each.";
  static constexpr const char* license = "Apache-2.0";
  static constexpr std::uint32_t flags = IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::string subset = "qualitative";
    std::int64_t output_len = 4096;
    std::string category;
    bool skip_chat_template = false;
    ifb::json_text chat_template_kwargs;

    static constexpr const char* subsets[] = {"qualitative",   "throughput_1k",  "throughput_2k",
                                              "throughput_8k", "throughput_16k", "throughput_32k"};

    static constexpr auto schema() {
      return std::tuple{
          ifb::option{"path", &options::path,
                      "Folder that the prepare script of nvidia/SPEED-Bench wrote.", nullptr,
                      IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"dataset-subset", &options::subset, "File of that folder to take.",
                      "\"qualitative\""}
              .choices(subsets),
          ifb::option{"output-len", &options::output_len, "Answer length in tokens.", "4096"}
              .general()
              .value_name("TOKENS"),
          ifb::option{"category", &options::category,
                      "Category of the prompts to take, such as coding; if not given, all."}
              .value_name("NAME"),
          ifb::option{"skip-chat-template", &options::skip_chat_template,
                      "Send and count the prompts without the model's chat template.", "false"}
              .general(),
          ifb::option{"chat-template-kwargs", &options::chat_template_kwargs,
                      "Variables for the chat template."}
              .general()};
    }
  };

  speed_bench(ifb::host host, const options& chosen)
      : folder_(chosen.path.text),
        subset_(chosen.subset),
        rows_(host,
              {.output_len = chosen.output_len,
               .category = chosen.category,
               .skip_chat_template = chosen.skip_chat_template,
               .variables = chosen.chat_template_kwargs.text},
              first_message) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) { return rows_.prepare(file()); }

  ifb::row_result read(std::uint64_t row, ifb::arena memory, ifb_sample& out) const {
    return rows_.read(row, memory, out);
  }

 private:
  [[nodiscard]] std::string file() const {
    std::error_code ignored;
    if (!fs::is_directory(folder_, ignored))
      throw ifb::failure(IFB_E_CONFIG,
                         folder_ +
                             " is not a folder; make one with the prepare script that comes with "
                             "nvidia/SPEED-Bench on the hub, and give its path",
                         "path");
    const fs::path wanted = fs::path(folder_) / (subset_ + ".jsonl");
    if (fs::exists(wanted, ignored)) return wanted.string();
    std::string known;
    for (const std::string each : options::subsets)
      if (fs::exists(fs::path(folder_) / (each + ".jsonl"), ignored))
        known += (known.empty() ? "" : ", ") + each;
    throw ifb::failure(IFB_E_CONFIG,
                       "there is no " + wanted.string() + "; " +
                           (known.empty() ? "the folder has none of the subsets: make them with "
                                            "the prepare script of nvidia/SPEED-Bench"
                                          : "subsets of that folder: " + known),
                       known.empty() ? "path" : "dataset-subset");
  }

  std::string folder_;
  std::string subset_;
  prompts::text_rows rows_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<speed_bench>)
