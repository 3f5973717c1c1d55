#include "check/transcripts.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "check/transcript_form.hpp"

namespace inferbench::check {

namespace {

namespace fs = std::filesystem;

std::string text_at(const base::json_value& in, const char* key) {
  return std::string(base::text_of(base::find(in, key)));
}

// A string as it is; any other value as JSON without blanks, as servers write it.
std::string text_or_json(const base::json_value& value) {
  if (value.IsString()) return std::string(base::text_of(&value));
  rapidjson::StringBuffer out;
  rapidjson::Writer<rapidjson::StringBuffer> writer(out);
  value.Accept(writer);
  return {out.GetString(), out.GetSize()};
}

std::vector<recorded_option> options_of(const base::json_value& in) {
  std::vector<recorded_option> out;
  const base::json_value* const options = base::find(in, "options");
  if (options == nullptr) return out;
  for (const auto& m : options->GetObject())
    out.push_back(
        {std::string(base::text_of(&m.name)), text_or_json(m.value), !m.value.IsString()});
  return out;
}

std::uint32_t status_of(const std::string& line) {
  const auto status = base::parse_int(line.substr(0, line.find(' ')));
  return status && *status > 0 ? static_cast<std::uint32_t>(*status) : 200;
}

// The answer as HTTP. The member `framing` is "chunked" (one chunk for each piece, and the
// trailers), "length" (a Content-Length), "close" (no length) or "cut" (chunked without the last
// chunk).
std::string http_of(const base::json_value& in, const base::json_value& pieces,
                    const answer& from) {
  const std::string framing = text_at(in, "framing");
  const bool chunked = framing.empty() || framing == "chunked" || framing == "cut";
  std::string body;
  for (const auto& each : pieces.GetArray()) {
    const std::string_view text = base::text_of(&each);
    body += chunked ? fmt::format("{:x}\r\n{}\r\n", text.size(), text) : std::string(text);
  }
  const std::string status = text_at(in, "status");
  std::string out = "HTTP/1.1 " + (status.empty() ? "200 OK" : status) + "\r\n";
  for (const auto& [name, value] : from.headers)
    out.append(name).append(": ").append(value).append("\r\n");
  if (const base::json_value* const lines = base::find(in, "headers");
      lines != nullptr && lines->IsArray())
    for (const auto& line : lines->GetArray())
      out += std::string(base::text_of(&line)) + "\r\n";
  if (chunked) out += "Transfer-Encoding: chunked\r\n";
  if (framing == "length") out += "Content-Length: " + std::to_string(body.size()) + "\r\n";
  out += "\r\n" + body;
  if (!chunked || framing == "cut") return out;
  out += "0\r\n";
  for (const auto& [name, value] : from.trailers)
    out.append(name).append(": ").append(value).append("\r\n");
  return out + "\r\n";
}

std::vector<std::pair<std::string, std::string>> fields_of(const base::json_value* in) {
  std::vector<std::pair<std::string, std::string>> out;
  if (in == nullptr || !in->IsObject()) return out;
  for (const auto& m : in->GetObject())
    out.emplace_back(base::text_of(&m.name), base::text_of(&m.value));
  return out;
}

void read_answer(const base::json_value& in, recorded& out) {
  for (const auto& line : base::find(in, "heard")->GetArray())
    out.heard.emplace_back(base::text_of(&line));
  out.from.headers = fields_of(base::find(in, "headers"));
  out.from.trailers = fields_of(base::find(in, "trailers"));
  if (!out.bytes) {
    for (const auto& m : base::find(in, "messages")->GetArray())
      out.messages.emplace_back(text_at(in, "event"), text_or_json(m));
    return;
  }
  const base::json_value* const body = base::find(in, "body");
  for (const auto& piece : body->GetArray())
    out.from.body += base::text_of(&piece);
  const std::string type = text_at(in, "type");
  out.from.headers.emplace_back("Content-Type",
                                type.empty() ? "text/event-stream; charset=utf-8" : type);
  if (base::find(in, "status") != nullptr) out.from.status = status_of(text_at(in, "status"));
  out.from.complete = text_at(in, "framing") != "cut";
  out.http = http_of(in, *body, out.from);
  out.closes = text_at(in, "framing") == "close" || !out.from.complete;
}

void read_request(const base::json_value& in, recorded& out) {
  out.method = text_at(in, "method");
  out.target = text_at(in, "target");
  out.headers = fields_of(base::find(in, "headers"));
  out.body = base::to_text(*base::find(in, "body"));
}

// Reads a list of entries {"name", "backend", "options", "sample", ...}. An answer also has
// "heard", and "messages" or "body". A request also has "body", and may have "method", "target" and
// "headers".
void read_list(const base::json_value& list, const std::string& file, const std::string& id,
               std::vector<recorded>& out) {
  std::size_t entry = 0;
  for (const auto& in : list.GetArray()) {
    ++entry;
    if (!in.IsObject()) continue;
    const std::string name = text_at(in, "name");
    recorded one;
    one.name = file + ": " + (name.empty() ? "entry " + std::to_string(entry) : name);
    const form is = form_of(in, id, one.name);
    if (is == form::none || is == form::other) continue;
    one.options = options_of(in);
    if (const base::json_value* const sample = base::find(in, "sample"))
      one.sample = base::to_text(*sample);
    one.bytes = is == form::bytes;
    if (is == form::request)
      read_request(in, one);
    else
      read_answer(in, one);
    out.push_back(std::move(one));
  }
}

// Reads an object {"backend", "flags", "samples", "requests"} with requests that a server received.
// Flags that are not options of the backend are flags of the host. Requests that were recorded with
// flags of the host are left out.
void read_wire(const base::json_value& in, const std::string& file, const std::string& id,
               std::vector<recorded>& out) {
  if (text_at(in, "backend") != id) return;
  recorded common;
  common.lenient = true;
  const base::json_value* const flags = base::find(in, "flags");
  if (flags != nullptr && flags->IsArray()) {
    static const std::set<std::string, std::less<>> known = {"--extra-body", "--logprobs"};
    for (rapidjson::SizeType i = 0; i < flags->Size(); ++i) {
      const std::string flag(base::text_of(&(*flags)[i]));
      if (flag == "--ignore-eos")
        common.options.push_back({"ignore-eos", "true"});
      else if (known.contains(flag) && i + 1 < flags->Size())
        common.options.push_back({flag.substr(2), std::string(base::text_of(&(*flags)[++i]))});
      else
        return;
    }
  }
  const base::json_value* const samples = base::find(in, "samples");
  const base::json_value* const requests = base::find(in, "requests");
  if (samples == nullptr || requests == nullptr || !samples->IsArray() || !requests->IsArray())
    return;
  for (rapidjson::SizeType i = 0; i < std::min(samples->Size(), requests->Size()); ++i) {
    recorded one = common;
    const auto& request = (*requests)[i];
    one.name = file + ": request " + std::to_string(i);
    one.sample = base::to_text((*samples)[i]);
    // The host makes the id of a request, and the contents of some requests depend on this id.
    const base::json_value* const headers = base::find(request, "headers");
    const std::string id_of = headers == nullptr ? "" : text_at(*headers, "x-request-id");
    if (!id_of.empty() && one.sample.starts_with('{'))
      one.sample.insert(1, "\"id\": \"" + id_of + "\", ");
    one.target = text_at(request, "path");
    if (const base::json_value* const body = base::find(request, "json"))
      one.body = base::to_text(*body);
    out.push_back(std::move(one));
  }
}

// Visits the files in the order of their names.
void each_file(const fs::path& folder,
               const std::function<void(const fs::path&, const base::json_value&)>& look) {
  std::vector<fs::path> files;
  std::error_code stop;
  for (fs::recursive_directory_iterator at(folder, stop), none; !stop && at != none;
       at.increment(stop))
    if (at->path().extension() == ".json") files.push_back(at->path());
  if (stop)
    throw base::error("cannot read the folder " + folder.string() + ": " + stop.message(),
                      "name a folder of recorded exchanges with --transcripts");
  std::ranges::sort(files);
  for (const fs::path& file : files)
    look(file, base::parse_json(base::read_file(file.string()), file.string()));
}

}  // namespace

std::vector<recorded> transcripts_of(const fs::path& folder, const std::string& id) {
  std::vector<recorded> out;
  each_file(folder, [&](const fs::path& file, const base::json_value& json) {
    const std::size_t before = out.size();
    if (json.IsArray()) read_list(json, file.filename(), id, out);
    if (json.IsObject()) read_wire(json, file.filename(), id, out);
    for (std::size_t i = before; i < out.size(); ++i)
      out[i].folder = file.parent_path();
  });
  return out;
}

std::vector<std::string> recorded_backends(const fs::path& folder) {
  std::set<std::string> out;
  each_file(folder, [&](const fs::path&, const base::json_value& json) {
    const auto add = [&](const base::json_value& in) {
      if (const std::string id = text_at(in, "backend"); !id.empty()) out.insert(id);
    };
    if (json.IsArray())
      std::ranges::for_each(json.GetArray(), add);
    else if (base::find(json, "samples") != nullptr && base::find(json, "requests") != nullptr)
      add(json);
  });
  return {out.begin(), out.end()};
}

bool agrees(std::vector<std::string> found, const std::vector<std::string>& recorded) {
  if (std::ranges::find(recorded, early_end) == recorded.end()) std::erase(found, early_end);
  const auto cut = [](std::string_view line) {
    return line.substr(0, line.find_last_not_of(' ') + 1);
  };
  const auto without_message = [](std::string_view line) {
    const auto code = line.find(' ');
    return (line.starts_with("error ") || line.starts_with("failed ")) &&
           line.find(' ', code + 1) == std::string_view::npos;
  };
  return std::ranges::equal(found, recorded, [&](std::string_view now, std::string_view wanted) {
    now = cut(now), wanted = cut(wanted);
    if (without_message(wanted)) now = now.substr(0, now.find(' ', now.find(' ') + 1));
    return now == wanted;
  });
}

}  // namespace inferbench::check
