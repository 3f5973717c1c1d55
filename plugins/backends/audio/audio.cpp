#include "audio.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include <inferbench/json_writer.hpp>
#include <inferbench/plugin.hpp>
#include <inferbench/views.hpp>

#include "sound.hpp"

namespace openai {
namespace {

constexpr std::string_view attribute = "input_audio_duration";

/// Returns a boundary that is the same in every run with the same seed.
std::string make_boundary(ifb::host host) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), "inferbench-%016llx%016llx",
                static_cast<unsigned long long>(host.seed(0x62'6F'75'6E'64)),
                static_cast<unsigned long long>(host.seed(0x61'72'79)));
  return text.data();
}

bool says_duration(const ifb_sample& sample) {
  return std::ranges::any_of(ifb::metadata_of(sample), [](const ifb_field& field) {
    return ifb::view(field.name) == attribute;
  });
}

}  // namespace

audio::audio(ifb::host host, const options& chosen)
    : endpoint_(chosen.endpoint),
      model_(chosen.model),
      boundary_(make_boundary(host)),
      content_type_("multipart/form-data; boundary=" + boundary_),
      lengths_(host) {
  check(chosen, {{"transcriptions", "translations"}, "/v1/audio/transcriptions"}, id);
  layout_.set("model", bodies::slot::model);
  layout_.set("max_completion_tokens", bodies::slot::limit);
  layout_.set("stream", "true");
  layout_.set("language", "\"en\"");
  layout_.set("stream_include_usage", "true");
  layout_.set("stream_continuous_usage_stats", "true");
  if (chosen.enable_vad) layout_.set("vad_config.enabled", "true");
  finish(layout_, chosen);
  form_.emplace(layout_, boundary_);
}

audio::exchange audio::open(const ifb_sample& sample, ifb::arena memory) const {
  const bodies::request_layout layout(layout_, sample);
  const sound what = sound_of(sample, memory);
  bodies::gather_list body(memory);
  if (layout.own())
    form(*layout, boundary_).put(body, what, model_, sample);
  else
    form_->put(body, what, model_, sample);
  return {{std::move(body), endpoint_, content_type_},
          layout->find("stream") == "true",
          says_duration(sample) ? std::nullopt : lengths_.of(what.file)};
}

void audio::exchange::on_end(ifb::output out) {
  if (seconds_) {
    std::string text;
    ifb::append_python_float(text, *seconds_);
    out.attribute(attribute, text);
  }
  tokens_.on_end(out);
}

}  // namespace openai

INFERBENCH_PLUGINS(ifb::backend<openai::audio>);
