#include "calibration/truth.hpp"

#include <cerrno>
#include <cstring>

#include "base/error.hpp"
#include "base/json.hpp"

namespace inferbench::calibration {

truth_reader::truth_reader(const std::filesystem::path& path)
    : place_(path.string()), file_(path, std::ios::binary) {
  if (!file_) throw base::error("cannot read the ground truth " + place_);
}

bool truth_reader::next(served& out) {
  if (!std::getline(file_, line_)) {
    if (file_.bad())
      throw base::error("cannot read the ground truth " + place_ + ": " + std::strerror(errno));
    return false;
  }
  ++number_;
  const auto refuse = [&](const char* why) {
    throw base::error(why, "give a file that inferbench simulate has written",
                      {place_, number_, 0});
  };
  const rapidjson::Document json = base::parse_json(line_, place_);
  const base::json_value* id = base::find(json, "request_id");
  const base::json_value* events = base::find(json, "event_ns");
  if (id == nullptr || !id->IsString()) refuse("no request_id");
  if (events == nullptr || !events->IsArray()) refuse("no event_ns");
  out.id = base::text_of(id);
  const base::json_value* streamed = base::find(json, "streamed");
  const bool whole = streamed != nullptr && streamed->IsFalse();
  out.role_event = !whole && base::text_of(base::find(json, "path")) == "/v1/chat/completions";
  out.finished = base::text_of(base::find(json, "outcome")) == "finished";
  const auto read = [&](const base::json_value& list, std::vector<std::uint64_t>& into,
                        const char* otherwise) {
    into.clear();
    for (const base::json_value& at : list.GetArray()) {
      if (!at.IsUint64()) refuse(otherwise);
      into.push_back(at.GetUint64());
    }
  };
  read(*events, out.event_ns, "event_ns is not a list of times");
  const base::json_value* written = base::find(json, "written_ns");
  if (written == nullptr || !written->IsArray()) refuse("no written_ns");
  read(*written, out.written_ns, "written_ns is not a list of times");
  if (out.written_ns.size() != out.event_ns.size())
    refuse("written_ns has not as many times as event_ns");
  return true;
}

}  // namespace inferbench::calibration
