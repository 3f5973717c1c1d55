#include "own_rows.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "datasets/common/media_uri.hpp"
#include "datasets/prompts/answer_length.hpp"
#include "run_order.hpp"

namespace row_media {

namespace {

constexpr std::int64_t usual_output_len = 256;
constexpr unsigned most_threads = 8;

void carry_out(const own_rows::row_check& use, const files::json_row& row) {
  try {
    use(row);
  } catch (const unusable& e) {
    row.refuse(e.what());
  }
}

}  // namespace

void own_rows::open() {
  if (!path_.ends_with(".jsonl"))
    throw ifb::failure(IFB_E_CONFIG,
                       "rows are read from a file whose name ends in .jsonl, with a JSON object on "
                       "each line; not from " +
                           path_,
                       "path");
  if (output_len_) prompts::check_answer_length(*output_len_);
  tokenizer_ = host_.find_tokenizer();
  file_ = std::make_unique<files::json_lines>(host_, path_);
}

void own_rows::check_rows(const row_check& check) const {
  if (file_->bytes() > most_checked_) return;
  files::json_row row;
  for (std::uint64_t i = 0; i < file_->rows(); ++i) {
    if (i % 65536 == 65535) {
      host_.progress().report("looking through " + path_, i, file_->rows());
      if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    }
    file_->read(i, row);
    carry_out(check, row);
  }
}

void own_rows::prepare_media(const ifb_dataset_request& request, const std::string& what,
                             const media_work& work) const {
  const std::uint64_t total =
      request.wanted > 0 ? std::min(static_cast<std::uint64_t>(request.wanted), file_->rows())
                         : file_->rows();
  const unsigned threads = std::clamp(std::thread::hardware_concurrency(), 1U, most_threads);
  std::atomic<std::uint64_t> done = 0;
  std::atomic<std::size_t> bytes = 0;
  for_rows_of_run(request, file_->rows(), threads, [&](std::uint64_t index) {
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped");
    bool more = false;
    const bool there = with_row(index, [&](const files::json_row& row) {
      more = work(row, index) && bytes.fetch_add(row.text().size()) < most_checked_;
    });
    host_.progress().report(what + " " + path_, done.fetch_add(1) + 1, total);
    return there && more;
  });
}

bool own_rows::with_row(std::uint64_t row, const row_check& use) const {
  if (row >= file_->rows()) return false;
  files::json_row found;
  file_->read(row, found);
  carry_out(use, found);
  return true;
}

media_folder own_rows::folder() const { return media_folder::of_user(files::folder_of(path_)); }

std::int64_t own_rows::answer_length(const files::json_row& row) const {
  const std::int64_t chosen = output_len_.value_or(usual_output_len);
  return chosen == prompts::of_each_row ? prompts::answer_length_of(row) : chosen;
}

std::int64_t own_rows::count(std::string_view text) const {
  if (!tokenizer_) return 1;
  return static_cast<std::int64_t>(tokenizer_->count(text, IFB_ENCODE_SPECIAL));
}

}  // namespace row_media
