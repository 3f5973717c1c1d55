#include "origin.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>

#include <inferbench/guard.hpp>

#include "data_file.hpp"

namespace tables {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t largest_data_file = 1ULL << 40U;
constexpr std::size_t most_text = std::size_t{4} << 20U;

/// The hub's library does not know the options of the plugin.
template <typename call>
decltype(auto) with_option(call&& body) {
  try {
    return body();
  } catch (const hub::unavailable& why) {
    throw hub::unavailable(why.code(), why.message(), why.option().empty() ? "path" : why.option());
  } catch (const ifb::failure& why) {
    throw ifb::failure(why.code(), why.message(), why.option().empty() ? "path" : why.option());
  }
}

}  // namespace

origin::origin(ifb::host host, hub::environment settings, const std::string& path,
               const std::string& revision)
    : host_(host), settings_(std::move(settings)), path_(path), revision_(revision) {
  // A file of data may be large; the default limit is meant for other files.
  settings_.largest_file = largest_data_file;
  while (path_.size() > 1 && path_.ends_with('/'))
    path_.pop_back();
  std::error_code ignored;
  std::string id = path_;
  if (fs::exists(path_, ignored) && !fs::is_directory(path_, ignored)) {
    if (!fs::is_regular_file(path_, ignored))
      throw ifb::failure(IFB_E_CONFIG, path + " is neither a file nor a folder", "path");
    const fs::path whole = fs::absolute(path_).lexically_normal();
    file_ = whole.filename().string();
    id = whole.parent_path().string();
    if (format_of(file_) == file_format::none)
      throw ifb::failure(IFB_E_CONFIG,
                         path +
                             " is no file of rows: its name must end with .parquet, .json, "
                             ".jsonl, .ndjson, .csv or .tsv",
                         "path");
  } else if (!fs::exists(path_, ignored) && format_of(path_) != file_format::none) {
    throw ifb::failure(IFB_E_CONFIG, "there is no file " + path, "path");
  }
  with_option([&] {
    repository_ = std::make_unique<hub::repository>(
        host, settings_,
        hub::repository_name{
            .id = id, .revision = revision, .type = hub::repository_type::dataset});
  });
}

const std::vector<hub::listed_file>& origin::files() {
  if (!files_) files_ = with_option([&] { return repository_->files(); });
  return *files_;
}

std::optional<std::string> origin::text_of(const std::string& file) {
  const auto path = with_option([&] { return repository_->find(file); });
  if (!path) return std::nullopt;
  std::ifstream in(*path, std::ios::binary);
  std::string out(most_text, '\0');
  in.read(out.data(), static_cast<std::streamsize>(out.size()));
  out.resize(static_cast<std::size_t>(in.gcount()));
  return out;
}

std::string origin::fetch(const std::string& file) {
  return with_option([&] {
    if (const auto path = repository_->find(file)) return path->string();
    // The listing of the hub may be older or newer than its files.
    throw ifb::failure(IFB_E_CONFIG, repository_->missing(file) +
                                         (!is_local() && repository_->lacks(file)
                                              ? ", although the hub lists it; try again later, or "
                                                "choose another commit with --hf-revision"
                                              : ""));
  });
}

std::uint64_t origin::size_of(const std::string& file) {
  const auto at = std::ranges::lower_bound(files(), file, {}, &hub::listed_file::path);
  return at == files().end() || at->path != file ? 0 : at->size;
}

bool origin::use_conversion() {
  if (is_local() || revision_ != "main") return false;
  std::unique_ptr<hub::repository> converted;
  try {
    converted = std::make_unique<hub::repository>(
        host_, settings_,
        hub::repository_name{.id = path_,
                             .revision = "refs/convert/parquet",
                             .type = hub::repository_type::dataset});
    files_ = converted->files();
  } catch (const hub::unavailable& why) {
    if (why.code() != IFB_E_CONFIG) throw;
    return false;
  } catch (const ifb::failure&) {
    // Without the hub, the cache may lack the branch.
    if (repository_->limits().empty()) throw;
    return false;
  }
  own_ = std::exchange(repository_, std::move(converted));
  host_.info(path_ + ": reading the hub's conversion to Parquet (branch refs/convert/parquet)");
  return true;
}

std::unique_ptr<attached_files> origin::attached() const {
  const hub::repository& own = own_ == nullptr ? *repository_ : *own_;
  const std::string folder = own.folder().string();
  const bool is_known = !own.commit().empty();
  return std::make_unique<attached_files>(
      host_, settings_,
      hub::repository_name{.id = own.is_local() ? folder : path_,
                           .revision = is_known ? own.commit() : revision_,
                           .type = hub::repository_type::dataset},
      folder);
}

std::string origin::limits() const {
  const std::string why = repository_->limits();
  return why.empty() ? why : "; " + why;
}

std::string origin::title() const { return path_; }

std::string origin::title(const std::string& file) const {
  return file_.empty() ? path_ + "/" + file : path_;
}

}  // namespace tables
