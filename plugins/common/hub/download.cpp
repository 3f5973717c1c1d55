#include "download.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <inferbench/guard.hpp>

#include "digest.hpp"
#include "lock.hpp"

namespace hub {

namespace fs = std::filesystem;

namespace {

/// The file that grows during a download, "ETAG.incomplete". [one thread]
class growing_file {
 public:
  explicit growing_file(fs::path path)
      : path_(std::move(path)),
        descriptor_(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666)) {
    if (descriptor_ < 0) fail("cannot write ");
    struct stat found{};
    if (::fstat(descriptor_, &found) != 0) fail("cannot read ");
    size_ = static_cast<std::uint64_t>(found.st_size);
  }
  ~growing_file() { ::close(descriptor_); }
  growing_file(const growing_file&) = delete;
  growing_file& operator=(const growing_file&) = delete;

  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  void append(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto written = ::write(descriptor_, bytes.data(), bytes.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail("cannot write ");
      size_ += static_cast<std::uint64_t>(written);
      bytes.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  void clear() {
    if (::ftruncate(descriptor_, 0) != 0) fail("cannot write ");
    size_ = 0;
  }
  [[nodiscard]] std::string sha256_of_all() const {
    sha256 digest;
    std::array<char, 65536> block{};
    for (off_t at = 0;;) {
      const auto got = ::pread(descriptor_, block.data(), block.size(), at);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("cannot read ");
      if (got == 0) return digest.finish();
      digest.update({block.data(), static_cast<std::size_t>(got)});
      at += got;
    }
  }
  void move_to(const fs::path& target) const {
    if (::fsync(descriptor_) != 0 || ::rename(path_.c_str(), target.c_str()) != 0)
      fail("cannot write ");
  }
  void remove() const { ::unlink(path_.c_str()); }

 private:
  [[noreturn]] void fail(const char* what) const {
    throw ifb::failure(IFB_E_IO, what + path_.string() + ": " + std::strerror(errno) +
                                     "; make room there, or set HF_HUB_CACHE to another folder");
  }

  fs::path path_;
  int descriptor_;
  std::uint64_t size_ = 0;
};

/// One transfer of a file, with all data that its messages need.
class transfer {
 public:
  transfer(ifb::host host, const environment& settings, remote& from, std::string name,
           std::string file, const file_facts& facts, growing_file& into)
      : host_(host),
        settings_(settings),
        from_(from),
        title_(std::move(name) + ": " + file),
        file_(std::move(file)),
        facts_(facts),
        into_(into) {}

  /// Downloads until the file has its full size.
  void complete() {
    if (facts_.size && into_.size() > *facts_.size) into_.clear();
    int fruitless = 0;
    while (!finished_ && !(facts_.size && into_.size() == *facts_.size)) {
      const std::uint64_t before = into_.size();
      const http_answer answer = from_.get(
          facts_.commit, file_, before,
          [this](const http_answer& so_far, std::string_view bytes) { take(so_far, bytes); });
      begun_ = false;
      if (answer.status == 416) into_.clear();
      finished_ = (answer.status == 200 || answer.status == 206) && !facts_.size;
      if (into_.size() > before) {
        fruitless = 0;
      } else if (++fruitless >= settings_.attempts) {
        throw unavailable(IFB_E_IO, title_ + " cannot be fetched whole: " + trouble_of(answer) +
                                        "; try again, what came so far is kept");
      }
      if (!finished_ && !(facts_.size && into_.size() == *facts_.size)) {
        host_.info("trying again: " + title_ + ": " + trouble_of(answer));
        from_.wait(fruitless + 1, answer);
      }
    }
    report();
  }

 private:
  /// The reason why an answer was not the whole rest of the file.
  static std::string trouble_of(const http_answer& answer) {
    if (!answer.trouble.empty()) return answer.trouble;
    if (answer.status == 200 || answer.status == 206) return "the answer ended early";
    return "HTTP " + std::to_string(answer.status);
  }
  void take(const http_answer& so_far, std::string_view bytes) {
    if (!begun_) {
      begun_ = true;
      const std::string wanted = "bytes " + std::to_string(into_.size()) + "-";
      const bool rest = so_far.status == 206 && so_far.header("content-range").starts_with(wanted);
      if (so_far.status == 206 && !rest)
        throw unavailable(IFB_E_REMOTE, title_ +
                                            ": the server sends another part than was asked "
                                            "for; try again");
      if (!rest) into_.clear();
    }
    const std::uint64_t limit = facts_.size.value_or(settings_.largest_file);
    if (into_.size() + bytes.size() > limit) {
      into_.clear();
      throw unavailable(IFB_E_REMOTE,
                        title_ + " is longer than the " + std::to_string(limit) + " bytes " +
                            (facts_.size ? "that the hub says" : "that are read at most"));
    }
    into_.append(bytes);
    report();
  }
  void report() const {
    host_.progress().report("downloading " + title_, into_.size(), facts_.size.value_or(0));
  }

  ifb::host host_;
  const environment& settings_;
  remote& from_;
  std::string title_;
  std::string file_;
  const file_facts& facts_;
  growing_file& into_;
  bool begun_ = false;
  bool finished_ = false;
};

ifb::failure damaged(const std::string& what, const std::string& came, const std::string& wanted) {
  return {IFB_E_DATA, what + " arrives damaged: its SHA-256 is " + came + ", the hub says " +
                          wanted + "; try again, and check what proxy stands between"};
}

}  // namespace

void download(ifb::host host, const environment& settings, const cache& into, remote& from,
              const std::string& name, const std::string& file, const file_facts& facts) {
  if (facts.size && *facts.size > settings.largest_file)
    throw ifb::failure(IFB_E_CONFIG, file + " of " + name + " has " + std::to_string(*facts.size) +
                                         " bytes, more than the " +
                                         std::to_string(settings.largest_file) +
                                         " that are read at most");
  const fs::path blob = into.blob(facts.etag);
  into.make_folder(blob.parent_path());
  const file_lock lock(host, into.lock_of(facts.etag));
  std::error_code ignored;
  if (!fs::exists(blob, ignored)) {
    growing_file growing(blob.string() + ".incomplete");
    bool taken_up = growing.size() > 0;
    const std::string title = file + " of " + name;
    for (;;) {
      transfer(host, settings, from, name, file, facts, growing).complete();
      if (facts.sha256.empty()) break;
      const std::string came = growing.sha256_of_all();
      if (came == facts.sha256) break;
      growing.clear();
      if (!taken_up) {
        growing.remove();
        throw damaged(title, came, facts.sha256);
      }
      taken_up = false;  // the fault may be in the part of the earlier attempt: try once more
    }
    growing.move_to(blob);
  }
  into.link(facts.etag, facts.commit, file);
}

}  // namespace hub
