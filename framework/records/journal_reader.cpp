#include "records/journal_reader.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>

#include "base/error.hpp"
#include "records/wire.hpp"

namespace inferbench::records {

namespace {

base::fd open_journal(const std::filesystem::path& path) {
  base::fd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file)
    throw base::error("cannot read the journal " + path.string() + ": " + std::strerror(errno),
                      "correct the path");
  return file;
}

std::string counted(std::uint64_t n, const char* what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

}  // namespace

std::string journal_damage::text(const std::filesystem::path& path) const {
  std::string out = path.string() + ": " + reason + " at byte " + std::to_string(offset);
  if (places > 1)
    out +=
        ", and " + counted(places - 1, "more place") + (places == 2 ? " is" : " are") + " damaged";
  if (gave_up)
    out += ", and the rest of the file was left, since the search for a good frame took too long";
  return out + "; " + counted(records, "record") + " read, " + counted(bytes_dropped, "byte") +
         " dropped";
}

journal_reader::journal_reader(const std::filesystem::path& path)
    : frames_(open_journal(path), path) {
  const std::string begin = frames_.take(preamble_bytes);
  if (begin.starts_with('{') || begin.starts_with('['))
    throw base::error(path.string() + " is JSON, not a journal of inferbench",
                      "give the journal of the run, which has the ending .journal beside a saved "
                      "result; inferbench compare reads results");
  if (begin.size() < preamble_bytes || !begin.starts_with(journal_magic))
    throw base::error(path.string() + " is not a journal of inferbench",
                      "give the file that --journal named");
  const std::uint32_t version = get_u32(begin.data() + journal_magic.size());
  if (version != journal_version)
    throw base::error(path.string() + " is a journal of format " + std::to_string(version) +
                          "; this program reads format " + std::to_string(journal_version),
                      "use a newer inferbench");
  const std::string_view first = frames_.next();
  if (!first.empty() && !frames_.damage() && first[0] == static_cast<char>(frame_kind::run) &&
      decode(first.substr(1), run_))
    return;
  const std::string why = frames_.damage() ? frames_.damage()->reason
                          : first.empty()  ? "it is missing"
                                           : "it does not describe the run";
  throw base::error("the journal " + path.string() + " is damaged in its first frame: " + why,
                    "the journal cannot be used");
}

bool journal_reader::next(client::record& out) {
  while (!over_) {
    const std::string_view payload = frames_.next();
    if (payload.empty()) {
      over_ = true;
    } else if (end_) {
      frames_.drop_rest("something follows the last frame");
    } else {
      const std::string_view message = payload.substr(1);
      switch (static_cast<frame_kind>(payload[0])) {
        case frame_kind::record:
          if (decode(message, out)) {
            ++records_;
            return true;
          }
          frames_.reject("a record cannot be decoded");
          break;
        case frame_kind::end:
          if (decode(message, end_.emplace())) break;
          end_.reset();
          frames_.reject("the last frame cannot be decoded");
          break;
        case frame_kind::observation:
          if (observation what; !decode(message, what))
            frames_.reject("the metrics of a server cannot be decoded");
          else if (observed_)
            observed_(what);
          break;
        // The records after this frame belong to another run.
        case frame_kind::run: frames_.drop_rest("a second run begins"); break;
        // A later version of the program may add kinds, which are skipped. A kind that must not be
        // skipped gets a higher format number.
        default: break;
      }
    }
  }
  return false;
}

std::optional<journal_damage> journal_reader::damage() const {
  if (!frames_.damage()) return std::nullopt;
  return journal_damage{*frames_.damage(), records_};
}

}  // namespace inferbench::records
