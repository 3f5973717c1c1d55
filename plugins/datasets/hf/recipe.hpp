// A recipe: how the rows of a data set become requests. Files of recipes are described in
// docs/recipes.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/toml/document.hpp"
#include "row_template.hpp"

namespace hf {

/// When the model's chat template is applied to the prompt.
enum class chat_use : std::uint8_t { never, unless_skipped, always };

struct message_template {
  std::string role;
  row_template content;
};

/// An answer in the row, whose length is the wanted length of the answer.
struct recorded_answer {
  row_template text;
  bool special_tokens = true;  // the tokens that the model adds to a text count, too
};

/// Lengths in tokens; rows outside of them are skipped.
struct length_limits {
  bool always = false;  // false: only if the length of the answer is that of the recorded answer
  std::optional<std::int64_t> least_prompt;
  std::optional<std::int64_t> least_answer;
  std::optional<std::int64_t> most_prompt;
  std::optional<std::int64_t> most_in_all;
};

struct row_filter {
  row_template keep;  // its text is empty if the row is skipped
  std::string reason;
};

enum class medium : std::uint8_t { image, video, sound };

/// A column with images, videos or sound: files, paths in the data set's folder, URLs, or samples
/// (media_reader.hpp).
struct media_column {
  medium kind = medium::image;
  std::string column;
  bool all = false;       // all elements of a list of media instead of the first
  bool optional = false;  // rows without a value have no medium, and the column may be missing
  std::string base_url;   // URLs that begin with it mean files in the data set's folder
};

/// Immutable after read_recipe(); any thread.
struct recipe {
  std::string path;  // of the file, for messages
  std::string text;  // the whole file
  std::string about;
  std::vector<std::string> ids;  // data sets of the hub; "*": any
  std::optional<std::string> subset;
  std::optional<std::string> split;
  std::vector<std::string> columns;  // more than the templates name: "name", or "name?" if it may
                                     // be missing
  std::vector<message_template> messages;
  bool chat_messages = false;  // false: `messages` is one prompt, which can be sent without a role
  chat_use chat = chat_use::never;
  bool multimodal_chat = false;  // --enable-multimodal-chat applies
  std::optional<std::int64_t> output_tokens;
  std::optional<recorded_answer> answer;
  length_limits limits;
  std::vector<row_filter> filters;
  std::vector<media_column> media;
  std::optional<row_template> transcript;  // the words of the sound
};

/// Throws ifb::failure (IFB_E_CONFIG) with file and line if the file is no valid recipe.
[[nodiscard]] recipe read_recipe(const toml_file::document& file);

/// Returns a recipe whose prompt is the text in the column `column`, with the [output] and the
/// [limits] of `from`, which must come in this order after the prompt. Throws like read_recipe().
[[nodiscard]] recipe with_prompt_column(const recipe& from, const std::string& column);

/// Returns the columns that the templates and the media of a recipe need, for tables::rows::open().
/// `with_answer`: the recorded answer is needed, too. Otherwise columns that only the answer uses
/// are left out.
[[nodiscard]] std::vector<std::string> columns_of(const recipe& of, bool with_answer);
/// Returns the columns with media that no template uses.
[[nodiscard]] std::vector<std::string> only_media_columns(const recipe& of);
/// Returns whether a template uses the variable `row`.
[[nodiscard]] bool uses_whole_row(const recipe& of);

}  // namespace hf
