#include "simulator/transcription_request.hpp"

#include <string>

#include <gtest/gtest.h>

#include "framework/simulator/sound_form.hpp"

namespace inferbench::simulator {
namespace {

generation_request accepted(const form_texts& texts) {
  generation_request out;
  out.kind = api_kind::transcription;
  const auto no = read_transcription(form_type, form_with(silence(1.5), texts), out);
  EXPECT_FALSE(no) << no->message;
  EXPECT_EQ(out.kind, api_kind::transcription);
  return out;
}

std::string fault_of_body(std::string_view type, const std::string& body) {
  generation_request out;
  out.kind = api_kind::translation;
  const auto no = read_transcription(type, body, out);
  return no ? std::to_string(no->status) + " " + no->param + ": " + no->message : "accepted";
}

std::string fault_of_sound(const form_texts& texts, const std::string& file = silence(0.1)) {
  return fault_of_body(form_type, form_with(file, texts));
}

TEST(transcription_request, a_form_as_our_backend_and_vllm_send_it_is_read) {
  const auto r = accepted({{"model", "whisper"},
                           {"max_completion_tokens", "7"},
                           {"stream", "True"},
                           {"language", "en"},
                           {"stream_include_usage", "True"},
                           {"stream_continuous_usage_stats", "True"},
                           {"ignore_eos", "True"},
                           {"prompt", "ab"},
                           {"response_format", "json"},
                           {"temperature", "0.0"},
                           {"unknown", "is ignored"}});
  EXPECT_EQ(r.model, "whisper");
  EXPECT_EQ(r.max_tokens, 7U);
  EXPECT_TRUE(r.stream);
  EXPECT_TRUE(r.include_usage);
  EXPECT_TRUE(r.continuous_usage);
  EXPECT_TRUE(r.ignore_eos);
  EXPECT_EQ(r.sound_seconds, 1.5);
  EXPECT_EQ(r.prompt_tokens(), 152U) << "2 of the prompt and 100 for each second";
}

TEST(transcription_request, the_file_is_a_medium_with_its_type_and_ending) {
  const std::string body = form_with(silence(0.5), {});
  generation_request r;
  r.kind = api_kind::transcription;
  ASSERT_FALSE(read_transcription(form_type, body, r));
  ASSERT_EQ(r.media.size(), 1U);
  EXPECT_EQ(r.media[0].kind, media::kind::sound);
  EXPECT_EQ(r.media[0].what, sent_medium::form::file);
  EXPECT_EQ(r.media[0].place, "file");
  EXPECT_EQ(r.media[0].type, "audio/wav");
  EXPECT_EQ(r.media[0].ending, "wav");
  EXPECT_EQ(r.media[0].content(), silence(0.5));
  EXPECT_EQ(r.media[0].content().data(), body.data() + body.find("RIFF"));
}

TEST(transcription_request, a_field_without_text_is_as_good_as_absent) {
  const auto r = accepted({{"stream", ""}, {"max_completion_tokens", ""}, {"language", ""}});
  EXPECT_FALSE(r.stream);
  EXPECT_FALSE(r.max_tokens);
  EXPECT_FALSE(accepted({{"stream", "yes"}, {"stream", "off"}}).stream) << "the last one counts";
}

TEST(transcription_request, usage_in_every_event_needs_usage) {
  const auto r = accepted({{"stream", "1"}, {"stream_continuous_usage_stats", "1"}});
  EXPECT_FALSE(r.include_usage);
  EXPECT_FALSE(r.continuous_usage);
}

TEST(transcription_request, a_body_that_is_no_form_is_refused) {
  const std::string no_form =
      "400 file: The body must be a form of type multipart/form-data with a boundary.";
  EXPECT_EQ(fault_of_body("application/json", R"({"file":"a"})"), no_form);
  EXPECT_EQ(fault_of_body("", form_with(silence(1), {})), no_form);
  EXPECT_EQ(fault_of_body("multipart/form-data", form_with(silence(1), {})), no_form);
  EXPECT_EQ(fault_of_body("multipart/form-data; boundary=other", form_with(silence(1), {})),
            "400 : The form does not have its boundary.");
}

TEST(transcription_request, the_file_must_be_a_sound) {
  EXPECT_EQ(fault_of_sound({{"model", "m"}}, ""), "400 file: file is missing.");
  EXPECT_EQ(fault_of_sound({{"file", "RIFF"}}, ""),
            "422 file: file must be a file: its part of the form has no filename.");
  EXPECT_EQ(fault_of_sound({}, "<html>"), "400 file: Invalid or unsupported audio file.");
  EXPECT_EQ(fault_of_sound({}, "fLaC" + std::string(std::size_t{25} << 20U, 'x')),
            "400 file: Maximum file size exceeded: a file may have 25 MiB.");
}

TEST(transcription_request, every_field_is_checked) {
  EXPECT_EQ(fault_of_sound({}), "accepted");
  EXPECT_EQ(fault_of_sound({{"stream", "maybe"}}), "400 stream: stream must be true or false.");
  EXPECT_EQ(fault_of_sound({{"language", "English"}}),
            "400 language: language must be a code of ISO 639-1, such as en.");
  EXPECT_EQ(fault_of_sound({{"to_language", "E"}}),
            "400 to_language: to_language must be a code of ISO 639-1, such as en.");
  for (const char* format : {"srt", "vtt"})
    EXPECT_EQ(fault_of_sound({{"response_format", format}}),
              "400 response_format: Currently only support response_format: `text`, `json`");
  EXPECT_EQ(fault_of_sound({{"model", "m"}, {"response_format", "verbose_json"}}),
            "400 response_format: Currently do not support verbose_json for m");
  EXPECT_EQ(fault_of_sound({{"response_format", "xml"}}),
            "400 response_format: response_format must be json, text, srt, verbose_json or vtt.");
  EXPECT_EQ(fault_of_sound({{"stream_include_usage", "true"}}),
            "400 stream_include_usage: Stream options can only be defined when `stream=True`.");
  EXPECT_EQ(fault_of_sound({{"max_completion_tokens", "0"}}),
            "400 max_completion_tokens: max_completion_tokens must be a whole number of at least "
            "1.");
  EXPECT_EQ(fault_of_sound({{"max_completion_tokens", "many"}}),
            "400 max_completion_tokens: max_completion_tokens must be a whole number of at least "
            "1.");
  EXPECT_EQ(fault_of_sound({{"temperature", "hot"}}),
            "400 temperature: temperature must be a number from 0.0 to inf.");
  EXPECT_EQ(fault_of_sound({{"top_p", "2"}}), "400 top_p: top_p must be a number from 0.0 to 1.0.");
  EXPECT_EQ(fault_of_sound({{"seed", "1.5"}}).find("400 seed: seed must be a whole number"), 0U);
  EXPECT_EQ(fault_of_sound({{"use_beam_search", "true"}}),
            "400 use_beam_search: use_beam_search is not supported.");
  EXPECT_EQ(fault_of_sound({{"timestamp_granularities[]", "hour"}}),
            "400 timestamp_granularities[]: timestamp_granularities[] must be word or segment.");
}

TEST(transcription_request, a_text_must_not_come_as_a_file) {
  EXPECT_EQ(fault_of_body(form_type,
                          "--edge\r\nContent-Disposition: form-data; name=\"model\"; "
                          "filename=\"m\"\r\n\r\nm\r\n" +
                              form_with(silence(0.1), {})),
            "400 model: model must be a text, not a file.");
}

}  // namespace
}  // namespace inferbench::simulator
