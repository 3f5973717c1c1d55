// The options of the plugin: the flags of `vllm bench serve --dataset-name hf`, and our own.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <tuple>

#include <inferbench/plugin.hpp>

#include "datasets/common/multimodal.hpp"

namespace hf {

struct hub_options {
  ifb::path path;
  std::optional<std::int64_t> output_len;
  std::string name;
  std::optional<std::string> subset;
  std::optional<std::string> split;
  std::string revision = "main";
  ifb::path recipe;
  std::string text_column;
  bool no_stream = false;
  bool skip_chat_template = false;
  ifb::json_text chat_template_kwargs;
  bool multimodal_chat = false;
  double blazedit_min_distance = 0;
  double blazedit_max_distance = 1;
  double asr_min_audio_len_sec = 0;
  double asr_max_audio_len_sec = std::numeric_limits<double>::infinity();
  bool print_recipe = false;

  static constexpr auto schema() {
    return std::tuple{
        ifb::option{
            "path", &hub_options::path,
            "Data set of the hub, such as openai/gsm8k, or a folder or file with its rows; if "
            "not given, the data set of --hf-name or --hf-recipe."}
            .general(),
        ifb::option{"output-len", &hub_options::output_len,
                    "Answer length in tokens; if not given, as the recipe says: a fixed length, or "
                    "that of the recorded answer."}
            .general()
            .value_name("TOKENS")
            .range(1, 2147483647),
        ifb::option{"hf-name", &hub_options::name,
                    "Data set whose recipe is used, if --dataset-path is a folder or file."}
            .flag("hf-name")
            .value_name("ID"),
        ifb::option{"hf-subset", &hub_options::subset,
                    "Subset (configuration) of the data set; if not given, the recipe's, else the "
                    "default."}
            .flag("hf-subset")
            .value_name("NAME"),
        ifb::option{
            "hf-split", &hub_options::split,
            "Split of the data set; if not given, the recipe's, else train, else the first."}
            .flag("hf-split")
            .value_name("NAME"),
        ifb::option{"hf-revision", &hub_options::revision, "Branch, tag or commit on the hub.",
                    "\"main\""}
            .flag("hf-revision")
            .value_name("NAME"),
        ifb::option{"hf-recipe", &hub_options::recipe,
                    "TOML file that says how rows become requests; if not given, the recipe of the "
                    "data set's id."}
            .flag("hf-recipe")
            .value_name("FILE"),
        ifb::option{
            "hf-text-column", &hub_options::text_column,
            "Column that has the prompts, for a data set without a recipe; if not given, the "
            "first column with a usual name."}
            .flag("hf-text-column")
            .value_name("NAME"),
        ifb::option{"no-stream", &hub_options::no_stream,
                    "Fetch the whole data set before the first request.", "false"}
            .general(),
        ifb::option{"skip-chat-template", &hub_options::skip_chat_template,
                    "Send and count the prompts without the model's chat template.", "false"}
            .general(),
        ifb::option{"chat-template-kwargs", &hub_options::chat_template_kwargs,
                    "Variables for the chat template."}
            .general(),
        multimodal::chat_option(&hub_options::multimodal_chat),
        ifb::option{"blazedit-min-distance", &hub_options::blazedit_min_distance,
                    "Smallest norm_distance of the rows of vdaita/edit_5k_char and edit_10k_char.",
                    "0.0"}
            .flag("blazedit-min-distance"),
        ifb::option{"blazedit-max-distance", &hub_options::blazedit_max_distance,
                    "Largest norm_distance of the rows of vdaita/edit_5k_char and edit_10k_char.",
                    "1.0"}
            .flag("blazedit-max-distance"),
        ifb::option{"asr-min-audio-len-sec", &hub_options::asr_min_audio_len_sec,
                    "Shortest recording in seconds; shorter ones are skipped.", "0.0"}
            .flag("asr-min-audio-len-sec"),
        ifb::option{"asr-max-audio-len-sec", &hub_options::asr_max_audio_len_sec,
                    "Longest recording in seconds; longer ones are skipped; 0: any length.", "inf"}
            .flag("asr-max-audio-len-sec"),
        ifb::option{"print-recipe", &hub_options::print_recipe,
                    "Print the recipe instead of samples, with inferbench dataset show.", "false"}
            .flag("print-recipe")};
  }
};

}  // namespace hf
