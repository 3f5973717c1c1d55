#include "records/journal.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "base/error.hpp"
#include "records/wire.hpp"

namespace inferbench::records {

namespace {

// Returns 0, or the errno of the failed write.
int write_all(int to, const std::string& data) {
  for (std::size_t done = 0; done < data.size();) {
    const ssize_t wrote = ::write(to, data.data() + done, data.size() - done);
    if (wrote >= 0)
      done += static_cast<std::size_t>(wrote);
    else if (errno != EINTR)
      return errno;
  }
  return 0;
}

}  // namespace

journal::journal(const std::filesystem::path& path, const run_information& run,
                 const base::clock& clock, base::log& log)
    : path_(path), clock_(clock), log_(log) {
  constexpr const char* remedy = "choose another place with --journal";
  file_ = base::fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file_)
    throw base::error("cannot create the journal " + path.string() + ": " + std::strerror(errno),
                      remedy);
  std::string begin(journal_magic);
  begin.resize(preamble_bytes);
  put_u32(begin.data() + journal_magic.size(), journal_version);
  if (!append_frame(begin, frame_kind::run, run))
    throw base::error("the plan is too large for a journal", "shorten it");
  if (const int why = write_all(file_.get(), begin); why != 0)
    throw base::error("cannot write the journal " + path.string() + ": " + std::strerror(why),
                      remedy);
  buffer_.reserve(buffer_bytes + buffer_bytes / 4);
}

journal::~journal() { write_out(); }

void journal::append(const client::record& record) {
  if (failed_) return;
  if (buffer_.empty()) oldest_ns_ = clock_.now();
  if (!append_frame(buffer_, frame_kind::record, record))
    log_.warning("request " + std::to_string(record.sequence) +
                 " is too large for the journal and left out of it");
  if (buffer_.size() >= buffer_bytes) write_out();
}

void journal::append(const observation& what) {
  if (failed_) return;
  if (buffer_.empty()) oldest_ns_ = clock_.now();
  if (!append_frame(buffer_, frame_kind::observation, what))
    log_.warning("the metrics of a server are too large for the journal and left out of it");
  if (buffer_.size() >= buffer_bytes) write_out();
}

void journal::tick() {
  if (!buffer_.empty() && clock_.now() - oldest_ns_ >= buffer_ns) write_out();
}

void journal::end(const run_end& end) {
  if (failed_) return;
  if (!append_frame(buffer_, frame_kind::end, end)) {
    run_end shorter = end;
    shorter.facts_json.clear();
    log_.warning("the facts about the run are too large for the journal and left out of it");
    static_cast<void>(append_frame(buffer_, frame_kind::end, shorter));
  }
  write_out();
  // A pipe or a special device cannot be synced, and does not lose data without a sync.
  if (!failed_ && ::fdatasync(file_.get()) != 0 && errno != EINVAL && errno != EROFS)
    give_up(std::strerror(errno));
}

void journal::write_out() {
  if (failed_ || buffer_.empty()) return;
  if (const int why = write_all(file_.get(), buffer_); why != 0) give_up(std::strerror(why));
  buffer_.clear();
}

void journal::give_up(const std::string& why) {
  // The journal ends at the first error. Otherwise a disk that is full for a moment would leave
  // gaps in it.
  failed_ = true;
  log_.warning("cannot write the journal " + path_.string() + ": " + why +
               "; the run goes on, and the journal ends here");
}

}  // namespace inferbench::records
