#include "simulator/ground_truth.hpp"

#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>

#include <fcntl.h>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"

namespace inferbench::simulator {

namespace {

// ifb::json_writer would take 10 ns more for each number. A line contains thousands of numbers, and
// is written on the core that serves the streams.
void append_decimal(std::string& out, std::uint64_t value) {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out.append(digits.data(), end);
}

void append_member(std::string& out, std::string_view name, std::uint64_t value) {
  out += ", \"";
  out += name;
  out += "\": ";
  append_decimal(out, value);
}

void append_member(std::string& out, std::string_view name, const client::stamps& values) {
  out += ", \"";
  out += name;
  out += "\": [";
  bool first = true;
  values.for_each([&](std::uint64_t at) {
    if (!first) out += ", ";
    first = false;
    append_decimal(out, at);
  });
  out += ']';
}

std::size_t held_by(const truth& of_request) {
  return sizeof(truth) + of_request.request_id.capacity() + of_request.events.bytes() +
         of_request.written.bytes() + of_request.planned.bytes();
}

}  // namespace

void append_line(std::string& out, const truth& of_request) {
  out += "{\"request_id\": ";
  ifb::append_json_string(out, of_request.request_id);
  out += ", \"path\": ";
  ifb::append_json_string(out, of_request.path);
  out += ", \"outcome\": ";
  ifb::append_json_string(out, of_request.outcome);
  out += ", \"streamed\": ";
  out += of_request.streamed ? "true" : "false";
  append_member(out, "prompt_tokens", of_request.prompt_tokens);
  append_member(out, "output_tokens", of_request.output_tokens);
  append_member(out, "received_ns", of_request.received_ns);
  append_member(out, "admitted_ns", of_request.admitted_ns);
  append_member(out, "first_byte_ns", of_request.first_byte_ns);
  append_member(out, "end_ns", of_request.end_ns);
  append_member(out, "event_ns", of_request.events);
  append_member(out, "written_ns", of_request.written);
  append_member(out, "planned_ns", of_request.planned);
  out += "}\n";
}

ground_truth_log::ground_truth_log(const std::string& path)
    : path_(path), file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
  if (!file_)
    throw base::error("cannot write " + path + ": " + std::generic_category().message(errno),
                      "give a path in a folder that exists and is writable", {"--ground-truth"});
}

void ground_truth_log::add(truth&& of_request) {
  if (!file_) return;
  pending_ += held_by(of_request);
  waiting_.push_back(std::move(of_request));
}

bool ground_truth_log::write_some(std::size_t bytes) {
  text_.clear();
  while (!waiting_.empty() && text_.size() < bytes) {
    append_line(text_, waiting_.front());
    pending_ -= held_by(waiting_.front());
    waiting_.pop_front();
  }
  std::string_view rest = text_;
  while (!rest.empty() && file_) {
    const auto written = ::write(file_.get(), rest.data(), rest.size());
    if (written >= 0) {
      rest.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      error_ = "cannot write " + path_ + ": " + std::generic_category().message(errno);
      file_.reset();
      waiting_.clear();
      pending_ = 0;
    }
  }
  return error_.empty();
}

bool ground_truth_log::write_all() {
  while (!waiting_.empty())
    if (!write_some(std::size_t{1} << 20U)) break;
  return error_.empty();
}

}  // namespace inferbench::simulator
