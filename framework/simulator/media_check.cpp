#include "simulator/media_check.hpp"

#include <exception>
#include <new>
#include <utility>

#include <inferbench/text.hpp>

#include "simulator/data_url.hpp"
#include "simulator/media_type.hpp"

namespace inferbench::simulator {

namespace {

/// A file, and the media type that is declared for it.
struct declared_file {
  std::string type;
  std::string_view bytes;
};

/// Reads the file. `decoded` receives the bytes if they were sent in base64. If the content is not
/// what it must be, `fault` becomes a clause.
declared_file file_of(const sent_medium& medium, std::string& decoded, std::string& fault) {
  declared_file out{medium.type, medium.content()};
  if (medium.what == sent_medium::form::url) {
    const auto url = split_data_url(out.bytes, fault);
    if (!url) return {};
    out.type = ifb::cut_utf8(url->type, longest_media_word);
    out.bytes = url->data;
  }
  if (medium.what != sent_medium::form::file) {
    auto bytes = decode_base64(out.bytes, fault);
    decoded = std::move(bytes).value_or(std::string());
    out.bytes = decoded;
  }
  if (out.bytes.empty() && fault.empty()) fault = "it has no bytes";
  return out;
}

/// A clause if the file has no extent, else empty.
std::string fault_of_extent(const media::facts& found, media::kind kind) {
  if (kind != media::kind::sound && (found.width == 0 || found.height == 0))
    return "its size is " + std::to_string(found.width) + "x" + std::to_string(found.height);
  if (found.frames == 0)
    return kind == media::kind::sound ? "it has no samples" : "it has no frames";
  if (kind != media::kind::image && !(found.seconds > 0)) return "its duration is 0";
  return {};
}

/// A clause if the sender's words are not the format of the file, else empty.
std::string fault_of_format(const sent_medium& medium, const std::string& type,
                            const std::string& found) {
  const std::string format = format_of_type(found);
  const std::string said = format_of_type(type);
  if (!said.empty() && said != format) return "it is declared as " + type + ", but is " + found;
  if (medium.ending.empty() || format_of_ending(medium.ending) == format) return {};
  return medium.what == sent_medium::form::file
             ? "its file name ends with ." + medium.ending + ", but it is " + found
             : "its format is said to be " + medium.ending + ", but it is " + found;
}

void check(const sent_medium& medium, const media_inspector& inspect, media_verdict& out) {
  std::string decoded;
  const declared_file file = file_of(medium, decoded, out.reason);
  out.declared = file.type.empty() ? medium.ending : file.type;
  out.bytes = file.bytes.size();
  if (!out.reason.empty()) return;
  out.found = inspect(file.bytes, medium.kind);
  out.reason = fault_of_extent(*out.found, medium.kind);
  if (out.reason.empty()) out.reason = fault_of_format(medium, file.type, out.found->format);
}

}  // namespace

media_verdict check_medium(const sent_medium& medium, const media_inspector& inspect) {
  media_verdict out;
  if (medium.what == sent_medium::form::url && !medium.content().starts_with("data:")) {
    out.what = media_verdict::state::remote;
    return out;
  }
  try {
    check(medium, inspect, out);
  } catch (const media::failure& e) {
    if (e.kind() == media::cause::missing) out.what = media_verdict::state::no_codec;
    out.reason = e.what();
  } catch (const std::bad_alloc&) {
    out.reason = "it cannot be decoded: there is not enough memory";
  } catch (const std::exception& e) {
    out.reason = std::string("it cannot be decoded: ") + e.what();
  }
  return out;
}

std::string_view name_of(media::kind kind) noexcept {
  switch (kind) {
    case media::kind::image: return "image";
    case media::kind::video: return "video";
    case media::kind::sound: break;
  }
  return "sound";
}

}  // namespace inferbench::simulator
