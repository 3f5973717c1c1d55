// The template of a case in tests/fixtures/backends/template: "template" names a file of
// sdk/examples/template-backends, "toml" is the text of a template.
#pragma once

#include <string>

#include <rapidjson/document.h>

#include "plugins/backends/codec_box.hpp"
#include "plugins/backends/options_of.hpp"
#include "support/temporary_folder.hpp"

namespace backends {

/// The file exists as long as this object.
class template_case {
 public:
  explicit template_case(const rapidjson::Value& json) : given_(options_of(json)) {
    if (json.HasMember("toml"))
      file = folder_.write("template.toml",
                           {json["toml"].GetString(), json["toml"].GetStringLength()});
    else
      file = example(json["template"].GetString());
    given_["file"] = file;
  }

  static std::string example(const std::string& name) {
    return INFERBENCH_SOURCE "/sdk/examples/template-backends/" + name;
  }
  /// The options for codec_box.
  [[nodiscard]] const support::settings& options() const { return given_; }

  std::string file;

 private:
  inferbench::support::temporary_folder folder_;
  support::settings given_;
};

/// A transcript whose token lines end with the number of tokens: `token 0 answer "Hi" 1`.
class counting_transcript : public transcript {
 public:
  counting_transcript() {
    const_cast<ifb_events*>(events())->on_token = [](ifb_output* o, const ifb_token* t) {
      const char* channel = t->channel == IFB_CHANNEL_REASONING ? " reasoning \"" : " answer \"";
      reinterpret_cast<transcript*>(o)->add("token " + std::to_string(t->choice) + channel +
                                            std::string(ifb::view(t->text)) + "\" " +
                                            std::to_string(t->count));
    };
  }
};

}  // namespace backends
