// A dataset: each line of a text file is a prompt.

#include <cerrno>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include <inferbench/plugin.hpp>

namespace {

class my_example_dataset {
 public:
  static constexpr const char* id = "my-example";
  static constexpr const char* version = "0.1.0";
  static constexpr const char* summary = "Lines of a text file.";
  static constexpr const char* license = "Apache-2.0";
  // The host may shuffle the rows, repeat them, and read several of them at the same time.
  static constexpr std::uint32_t flags =
      IFB_DATASET_SHUFFLE | IFB_DATASET_OVERSAMPLE | IFB_DATASET_PARALLEL;

  struct options {
    ifb::path path;
    std::int64_t output_len = -1;

    static constexpr auto schema() {
      return std::tuple{
          // Both options are general: they take the values of the flags --dataset-path and
          // --output-len.
          ifb::option{"path", &options::path, "File with one prompt a line.", nullptr,
                      IFB_OPT_REQUIRED}
              .general(),
          ifb::option{"output-len", &options::output_len, "Tokens to ask for.", "16"}
              .general()
              .range(1, 1 << 20),
      };
    }
  };

  my_example_dataset(ifb::host host, const options& given)
      : path_(given.path), output_tokens_(given.output_len), tokenizer_(host.find_tokenizer()) {}

  ifb_dataset_info prepare(const ifb_dataset_request&) {
    std::ifstream file(path_.c_str());
    if (!file) throw cannot("open");
    for (std::string line; std::getline(file, line);)
      lines_.push_back(line);
    if (file.bad()) throw cannot("read");
    if (lines_.empty()) throw ifb::failure{IFB_E_DATA, path_.text + " is empty", "path"};
    return ifb::dataset_info(static_cast<std::int64_t>(lines_.size()));
  }

  // The text stays in the object, which outlives the sample; the part that points to it is
  // allocated in the arena.
  ifb::row_result read(std::uint64_t row, ifb::arena arena, ifb_sample& out) const {
    if (row >= lines_.size()) return ifb::row_result::end();
    if (lines_[row].empty()) return ifb::row_result::skip("an empty line");
    const auto parts = arena.array<ifb_part>(1);
    parts[0] = ifb::text_part(lines_[row]);
    out.shape = IFB_PROMPT_TEXT;
    out.prompt = ifb::list_of(parts);
    // The tokens that the model adds to each prompt count, too. A run may have no tokenizer.
    if (tokenizer_)
      out.input_tokens =
          static_cast<std::int64_t>(tokenizer_->count(lines_[row], IFB_ENCODE_SPECIAL));
    out.output_tokens = output_tokens_;
    return ifb::row_result::ok();
  }

 private:
  ifb::failure cannot(const std::string& what) const {
    const std::string reason = std::generic_category().message(errno);
    return {IFB_E_IO, "cannot " + what + " " + path_.text + ": " + reason, "path"};
  }

  ifb::path path_;
  std::int64_t output_tokens_;
  std::optional<ifb::service::tokenizer> tokenizer_;
  std::vector<std::string> lines_;
};

}  // namespace

INFERBENCH_PLUGINS(ifb::dataset<my_example_dataset>)
