#include "place.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/views.hpp>

#include "output_file.hpp"

namespace reporters {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t longest_name = 255;

// The maximum number of runs with the same name and the same second that get different names.
constexpr int most_of_one_name = 10'000;
// The begin of the name of the link. It is short, because the result's own name may have the
// maximum length.
constexpr std::string_view claim_begin = ".inferbench-";
constexpr std::string_view claim_end = ".claim";
// After this time, a link was left by a process that crashed. It is harmless, because no new run
// gets a name with that second.
constexpr std::time_t old_claim_s = std::time_t{24} * 60 * 60;

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

/// Returns the hash FNV-1a as 16 hexadecimal digits.
std::string hash_text(std::string_view text) {
  std::uint64_t hash = 0xCBF29CE484222325U;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
  char out[17];
  std::snprintf(out, sizeof out, "%016" PRIx64, hash);
  return out;
}

void remove_if_old(const fs::path& link) noexcept {
  struct stat about{};
  if (::lstat(link.c_str(), &about) == 0 && S_ISLNK(about.st_mode) &&
      about.st_mtime < std::time(nullptr) - old_claim_s)
    ::unlink(link.c_str());
}

/// While it exists, other processes cannot choose names in the folder. If the file system does not
/// support locks, or if another process holds the lock for more than five seconds, it continues
/// without a lock.
class folder_lock {
 public:
  explicit folder_lock(const fs::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    if (descriptor_ < 0) return;
    for (int i = 0; i < most_waits && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0; ++i) {
      if (errno != EWOULDBLOCK && errno != EINTR) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
  folder_lock(const folder_lock&) = delete;
  folder_lock& operator=(const folder_lock&) = delete;
  ~folder_lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  static constexpr int most_waits = 5'000;
  int descriptor_;
};

/// Returns whether the file contains the text.
bool holds(const fs::path& file, std::string_view text) {
  std::ifstream in(file, std::ios::binary);
  std::string window;
  std::string block(std::size_t{1} << 20U, '\0');
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())) || in.gcount() > 0) {
    window.append(block, 0, static_cast<std::size_t>(in.gcount()));
    if (window.find(text) != std::string::npos) return true;
    if (window.size() > text.size()) window.erase(0, window.size() - text.size());
  }
  return false;
}

/// Returns "5", or "0.5", a rate that upstream's integer cannot express.
std::string rps_text(double rps) {
  std::string out;
  ifb::append_python_float(out, rps);
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

}  // namespace

std::string date_text(std::int64_t unix_ns) {
  const auto seconds = static_cast<std::time_t>(unix_ns / 1'000'000'000);
  std::tm local{};
  localtime_r(&seconds, &local);
  char text[32];
  return {text, std::strftime(text, sizeof text, "%Y%m%d-%H%M%S", &local)};
}

std::string generated_name(const ifb::run_description& run, std::string_view date, int nth) {
  std::string out = run.label && !run.label->empty() ? *run.label : run.backend;
  std::ranges::replace(out, '/', '-');
  out += '-';
  if (run.ramp_up) {
    out += "ramp-up-" + run.ramp_up->strategy + '-' + rps_text(run.ramp_up->start) + "qps-" +
           rps_text(run.ramp_up->end) + "qps";
  } else if (!run.traffic.empty()) {
    out += "traffic-" + run.traffic.substr(0, run.traffic.find(':'));
  } else {
    ifb::append_python_float(out, run.request_rate);
    out += "qps";
  }
  if (run.max_concurrency) out += "-concurrency" + std::to_string(*run.max_concurrency);
  out += '-';
  out += run.model_id.substr(run.model_id.rfind('/') + 1);
  out += '-';
  out += date;
  if (run.runs > 1) out += "-run" + std::to_string(run.number);
  if (nth > 1) out += "-" + std::to_string(nth);
  return out + ".json";
}

fs::path result_place(const place_options& given, const ifb::run_description& run,
                      std::string_view date, int nth) {
  if (!given.file.empty()) return given.file.text;
  return fs::path(given.result_dir.text) /
         (given.result_filename.empty() ? generated_name(run, date, nth) : given.result_filename);
}

void own_place::begin(const ifb_run& run) {
  release();
  const std::string name(ifb::view(run.name));
  owner_ = name + "@" + std::to_string(run.started_unix_ns);
  mark_ = "\"run\": \"" + name + "\", \"started_ns\": " + std::to_string(run.started_ns) + ",";
}

fs::path own_place::of(const place_options& given, const ifb::run_description& run,
                       std::string_view date, bool shared) {
  fs::path out = result_place(given, run, date);
  if (!given.result_filename.empty() || !given.file.empty()) return out;
  if (!given.result_dir.text.empty()) make_folder(given.result_dir.text);
  release();
  const folder_lock alone(folder_of(out));
  for (int nth = 2; !take(out, shared) && nth <= most_of_one_name; ++nth)
    out = result_place(given, run, date, nth);
  return out;
}

/// Claims the name for this run. Returns false if the name belongs to another run. A link is
/// created only for a name that is claimed, because the other reporters of this run find the name
/// by the link.
bool own_place::take(const fs::path& result, bool shared) {
  const fs::path link =
      folder_of(result) /
      (std::string(claim_begin) + hash_text(result.filename().native()) + std::string(claim_end));
  for (;;) {
    std::error_code none;
    const fs::path owner = fs::read_symlink(link, none);
    if (!none) return shared || owner.native() == owner_;
    if (!shared && !is_free(result)) return false;
    if (::symlink(owner_.c_str(), link.c_str()) == 0) link_ = link;
    // The file system does not support links: only is_free() has checked the name.
    if (!link_.empty() || errno != EEXIST || !fs::is_symlink(link, none)) return true;
  }
}

/// Returns whether no file of another run has this name with any ending.
bool own_place::is_free(const fs::path& result) const {
  const std::string stem = result.stem().native() + ".";
  bool taken = false;
  std::error_code none;
  for (fs::directory_iterator at(folder_of(result), none), end; !none && at != end;
       at.increment(none)) {
    const std::string name = at->path().filename().native();
    taken |= name.starts_with(stem);
    if (name.starts_with(claim_begin) && name.ends_with(claim_end)) remove_if_old(at->path());
  }
  return !taken || holds(result, mark_);
}

void own_place::release() noexcept {
  if (!link_.empty()) ::unlink(link_.c_str());
  link_.clear();
}

fs::path place_beside(const place_options& given, fs::path result, std::string_view ending) {
  if (given.file.empty()) result.replace_extension().concat(ending);
  return result;
}

void prepare_place(const place_options& given, const fs::path& file) {
  const bool own = !given.file.empty();
  if (file.filename().native().size() > longest_name)
    throw ifb::failure{IFB_E_CONFIG, "the name of the result file is longer than 255 bytes",
                       own                             ? "file"
                       : given.result_filename.empty() ? "label"
                                                       : "result-filename"};
  if (!own && !given.result_dir.text.empty()) make_folder(given.result_dir.text);
  std::error_code unknown;
  if (fs::is_directory(file, unknown))
    throw ifb::failure{IFB_E_CONFIG, file.string() + " is a folder",
                       own ? "file" : "result-filename"};
}

}  // namespace reporters
