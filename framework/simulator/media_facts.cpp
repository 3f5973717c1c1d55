#include "simulator/media_facts.hpp"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

std::string_view word_for(media_verdict::state what) {
  switch (what) {
    case media_verdict::state::checked: return "checked";
    case media_verdict::state::remote: return "remote";
    case media_verdict::state::no_codec: break;
  }
  return "no codec";
}

class facts_line {
 public:
  explicit facts_line(std::string& out) : out_(out) { out_ += '{'; }

  void text(std::string_view name, std::string_view value) {
    begin(name);
    ifb::append_json_string(out_, value);
  }
  void number(std::string_view name, std::uint64_t value) {
    begin(name);
    out_ += std::to_string(value);
  }
  void number(std::string_view name, double value) {
    begin(name);
    out_ += base::shortest(value);
  }
  void end() { out_ += "}\n"; }

 private:
  void begin(std::string_view name) {
    if (out_.back() != '{') out_ += ", ";
    out_.append(1, '"').append(name).append("\": ");
  }

  std::string& out_;
};

}  // namespace

void append_line(std::string& out, const media_job& job, const sent_medium& medium,
                 const media_verdict& verdict) {
  facts_line line(out);
  line.text("request_id", job.request_id);
  line.text("path", job.path);
  line.text("place", medium.place);
  line.text("kind", name_of(medium.kind));
  line.text("state", word_for(verdict.what));
  line.text("declared", verdict.declared);
  line.number("bytes", verdict.bytes);
  if (verdict.found) {
    const media::facts& found = *verdict.found;
    line.text("format", found.format);
    if (medium.kind != media::kind::sound) {
      line.number("width", std::uint64_t{found.width});
      line.number("height", std::uint64_t{found.height});
    }
    line.number("frames", found.frames);
    if (medium.kind == media::kind::sound) {
      line.number("rate", std::uint64_t{found.rate});
      line.number("channels", std::uint64_t{found.channels});
    }
    if (medium.kind != media::kind::image) line.number("seconds", found.seconds);
  }
  line.text("mismatch",
            verdict.what == media_verdict::state::checked ? verdict.reason : std::string_view());
  line.end();
}

media_facts_file::media_facts_file(const std::string& path) : path_(path) {
  if (path.empty()) return;
  file_ = base::fd(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644));
  if (!file_)
    throw base::error("cannot write " + path + ": " + std::generic_category().message(errno),
                      "give a path in a folder that exists and is writable", {"--media-facts"});
}

void media_facts_file::write(std::string_view lines) {
  while (!lines.empty() && file_) {
    const auto written = ::write(file_.get(), lines.data(), lines.size());
    if (written >= 0) {
      lines.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = "cannot write " + path_ + ": " + std::generic_category().message(errno);
      file_.reset();
    }
  }
}

}  // namespace inferbench::simulator
