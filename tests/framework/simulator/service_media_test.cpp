// The media of requests on their way through the service: which are found, handed over, counted.
#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <inferbench/text.hpp>

#include "base/json.hpp"
#include "base/text.hpp"
#include "framework/simulator/media_gate.hpp"
#include "framework/simulator/raw_client.hpp"
#include "framework/simulator/sound_form.hpp"
#include "simulator/service.hpp"
#include "support/temporary_folder.hpp"

namespace inferbench::simulator {
namespace {

using media::kind;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

/// An inspector that keeps the files.
class kept_files {
 public:
  [[nodiscard]] media_inspector inspector() {
    return [this](std::string_view file, kind of) -> media::facts {
      const std::lock_guard lock(mutex_);
      files_.push_back(std::string(name_of(of)) + " " + std::string(file));
      switch (of) {
        case kind::image: return {"image/jpeg", 8, 4, 1, 0, 0, 0};
        case kind::video: return {"video/mp4", 8, 4, 3, 0, 0, 0.1};
        case kind::sound: break;
      }
      return {"audio/wav", 0, 0, 8000, 16000, 1, 0.5};
    };
  }
  /// Valid after the server was stopped.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }

 private:
  std::mutex mutex_;
  std::vector<std::string> files_;
};

std::string data_url_of(std::string_view type, std::string_view bytes) {
  return "data:" + std::string(type) + ";base64," + ifb::base64(bytes);
}

std::string chat_with(const std::string& parts) {
  return R"({"messages":[{"role":"user","content":[{"type":"text","text":"What is it?"},)" + parts +
         R"(]}],"max_tokens":3,"ignore_eos":true})";
}

std::string image_part(std::string_view bytes, std::string_view type = "image/jpeg") {
  return R"({"type":"image_url","image_url":{"url":")" + data_url_of(type, bytes) + R"("}})";
}

/// The value of one of the labels of a metric.
double labelled(std::uint16_t port, const std::string& name, const std::string& label) {
  const std::string page = exchanged(port, get_text("/metrics"));
  const auto at = page.find("\n" + name + "{");
  const auto with = page.find(label + "} ", at);
  return at == std::string::npos || with == std::string::npos
             ? -1
             : std::stod(page.substr(with + label.size() + 2));
}

TEST(service_media, every_endpoint_hands_over_its_media) {
  kept_files kept;
  test_server server({}, false, kept.inspector());
  const auto port = server.port();
  const auto ask = [&](const char* path, const std::string& body) {
    EXPECT_THAT(exchanged(port, post_text(path, body)), StartsWith("HTTP/1.1 200 OK\r\n")) << path;
  };
  ask("/v1/chat/completions",
      chat_with(image_part("chat") + R"(,{"type":"video_url","video_url":{"url":")" +
                data_url_of("video/mp4", "clip") +
                R"("}},{"type":"input_audio","input_audio":{"format":"wav","data":")" +
                ifb::base64("speech") + R"("}},{"type":"audio_url","audio_url":{"url":")" +
                data_url_of("audio/wav", "more speech") + R"("}})"));
  ask("/v1/responses",
      R"({"max_output_tokens":3,"input":[{"role":"user","content":[{"type":"input_image",)"
      R"("image_url":")" +
          data_url_of("image/jpeg", "response") + R"("}]}]})");
  ask("/v1/embeddings", chat_with(image_part("embedding")));
  ask("/pooling", chat_with(image_part("pooling")));
  ask("/v1/embeddings",
      R"({"modality":"image","input":")" + data_url_of("image/jpeg", "infinity") + R"("})");
  ask("/embeddings",
      R"({"modality":"audio","input":[")" + data_url_of("audio/wav", "infinity") + R"("]})");
  ask("/rerank", R"({"query":{"content":[)" + image_part("query") +
                     R"(]},"documents":["a",{"content":[)" + image_part("document") + "]}]}");
  const std::string form = form_with(silence(0.5), {});
  for (const char* path : {"/v1/audio/transcriptions", "/v1/audio/translations"})
    exchanged(port, post_text(path, form, "Content-Type: " + std::string(form_type) + "\r\n"));
  server.stop();
  EXPECT_THAT(kept.files(),
              ElementsAre("image chat", "video clip", "sound speech", "sound more speech",
                          "image response", "image embedding", "image pooling", "image infinity",
                          "sound infinity", "image query", "image document",
                          "sound " + silence(0.5), "sound " + silence(0.5)));
  EXPECT_EQ(server.get().media_summary(),
            "media: 13 checked (7 images, 1 video of 3 frames and 0.1 s, 5 sounds of 2.5 s, 320 "
            "pixels), 0 mismatches, 0 unchecked");
}

TEST(service_media, a_large_medium_arrives_whole_in_any_framing) {
  kept_files kept;
  test_server server({}, false, kept.inspector());
  std::string bytes;
  for (std::uint32_t i = 0; i < 3'000'000; ++i)
    bytes += static_cast<char>(i * 2654435761U >> 24U);
  const std::string body = chat_with(image_part(bytes) + "," + image_part("small"));
  exchanged(server.port(), post_text("/v1/chat/completions", body));
  raw_client client(server.port());
  client.send(
      "POST /v1/chat/completions HTTP/1.1\r\nHost: test\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (std::size_t at = 0; at < body.size(); at += 100'000) {
    const std::string piece = body.substr(at, 100'000);
    std::string size;
    for (std::size_t left = piece.size(); left > 0; left /= 16)
      size.insert(size.begin(), "0123456789abcdef"[left % 16]);
    client.send(size + "\r\n" + piece + "\r\n");
  }
  client.send("0\r\n\r\n");
  EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
  server.stop();
  ASSERT_EQ(kept.files().size(), 4U);
  EXPECT_TRUE(kept.files()[0] == "image " + bytes);
  EXPECT_TRUE(kept.files()[2] == "image " + bytes);
  EXPECT_EQ(kept.files()[3], "image small");
}

TEST(service_media, the_answer_is_the_same_with_and_without_the_check) {
  const std::string request =
      post_text("/v1/chat/completions", chat_with(image_part("a")), "x-request-id: same\r\n");
  options settings;
  std::string answer;
  for (const double share : {0.0, 0.5, 1.0}) {
    settings.check_media = share;
    kept_files kept;
    test_server server(settings, false, kept.inspector());
    const std::string got = exchanged(server.port(), request);
    if (answer.empty()) answer = got;
    EXPECT_EQ(got, answer) << share;
  }
}

TEST(service_media, a_refused_request_and_a_text_hand_over_nothing) {
  kept_files kept;
  test_server server({}, false, kept.inspector());
  const auto ask = [&](const std::string& body) {
    exchanged(server.port(), post_text("/v1/chat/completions", body));
  };
  ask(chat_with(image_part("a") + R"(,{"type":"smell"})"));
  ask(chat_with(image_part("a")).substr(1));
  ask(R"({"messages":[{"role":"user","content":"data:image/png;base64,YQ=="}],"max_tokens":3})");
  EXPECT_THAT(exchanged(server.port(), post_text("/tokenize", chat_with(image_part("a")))),
              HasSubstr(" 200 OK"));
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_media_checked_total"), 0);
  server.stop();
  EXPECT_THAT(kept.files(), IsEmpty());
  EXPECT_EQ(server.get().media_summary(), "");
}

TEST(service_media, mismatches_are_logged_counted_and_written_with_the_request) {
  const support::temporary_folder folder;
  options settings;
  settings.media_facts = folder.path("facts.jsonl");
  kept_files kept;
  std::mutex mutex;
  std::vector<std::string> log;
  test_server server(settings, false, kept.inspector(), [&](std::string_view line) {
    const std::lock_guard lock(mutex);
    log.emplace_back(line);
  });
  exchanged(server.port(),
            post_text("/v1/chat/completions",
                      chat_with(image_part("a", "image/png") + "," + image_part("b")),
                      "x-request-id: bench-7\r\n"));
  server.stop();
  EXPECT_THAT(log, ElementsAre("request bench-7, image in messages.0.content.1: it is declared as "
                               "image/png, but is image/jpeg"));
  EXPECT_THAT(server.get().media_summary(), HasSubstr("1 mismatch"));
  const std::string text = base::read_file(settings.media_facts);
  const auto lines = base::split(text, '\n');
  ASSERT_EQ(lines.size(), 3U);
  const auto first = base::parse_json(lines[0], "facts");
  EXPECT_EQ(base::text_of(&first["request_id"]), "bench-7");
  EXPECT_EQ(base::text_of(&first["place"]), "messages.0.content.1");
  EXPECT_EQ(first["width"].GetInt(), 8);
  EXPECT_EQ(base::text_of(&first["mismatch"]), "it is declared as image/png, but is image/jpeg");
  EXPECT_EQ(base::text_of(&base::parse_json(lines[1], "facts")["mismatch"]), "");
}

TEST(service_media, facts_that_are_lost_make_the_files_incomplete) {
  kept_files kept;
  options settings;
  settings.media_facts = "/dev/full";
  test_server server(settings, false, kept.inspector());
  exchanged(server.port(), post_text("/v1/chat/completions", chat_with(image_part("a"))));
  server.stop();
  EXPECT_FALSE(server.get().files_complete());
}

TEST(service_media, the_share_chooses_requests_by_their_id) {
  options settings;
  settings.check_media = 0.5;
  const auto chosen = [&] {
    kept_files kept;
    test_server server(settings, false, kept.inspector());
    for (int i = 0; i < 40; ++i)
      exchanged(server.port(),
                post_text("/v1/chat/completions", chat_with(image_part(std::to_string(i))),
                          "x-request-id: r" + std::to_string(i) + "\r\n"));
    const double left_out = labelled(server.port(), "inferbench_simulator_media_unchecked_total",
                                     "reason=\"not_chosen\"");
    server.stop();
    EXPECT_EQ(server.get().media_summary().empty(), settings.check_media == 0);
    EXPECT_EQ(static_cast<double>(kept.files().size()) + left_out, 40);
    return kept.files();
  };
  const auto first = chosen();
  EXPECT_GT(first.size(), 5U);
  EXPECT_LT(first.size(), 35U);
  EXPECT_EQ(chosen(), first);
  settings.seed = 1;
  EXPECT_NE(chosen(), first);
  settings.check_media = 0;
  EXPECT_THAT(chosen(), IsEmpty());
  settings.check_media = 1;
  EXPECT_EQ(chosen().size(), 40U);
}

TEST(service_media, answers_do_not_wait_for_the_check) {
  media_gate closed;
  kept_files kept;
  test_server server({}, false, closed.inspector(kept.inspector()));
  const std::string request =
      post_text("/v1/chat/completions", chat_with(image_part("a") + "," + image_part("b")));
  exchanged(server.port(), request);
  closed.wait_until_entered();
  // More requests than the queue has room for.
  const std::size_t room = media_queue::limits{}.entries;
  raw_client client(server.port());
  for (std::size_t i = 0; i < room + 10; ++i) {
    client.send(request);
    EXPECT_THAT(client.answer(), StartsWith("HTTP/1.1 200 OK\r\n"));
  }
  EXPECT_EQ(metric(server.port(), "inferbench_simulator_media_checked_total"), 0);
  EXPECT_EQ(labelled(server.port(), "inferbench_simulator_media_unchecked_total",
                     "reason=\"queue_full\""),
            20);
  closed.open();
  server.stop();
  EXPECT_EQ(kept.files().size(), 2 * (1 + room));
}

TEST(service_media, a_client_that_leaves_is_checked_anyway) {
  kept_files kept;
  options settings;
  settings.ttft = parse_delays("10s", "");
  test_server server(settings, true, kept.inspector());
  raw_client leaving(server.port());
  leaving.send(post_text("/v1/chat/completions", R"({"messages":[{"role":"user","content":[)" +
                                                     image_part("a") + R"(]}],"stream":true})"));
  leaving.until("\r\n\r\n");
  leaving.leave();
  server.stop();
  EXPECT_THAT(kept.files(), ElementsAre("image a"));
}

TEST(service_media, hostile_contents_are_mismatches_and_nothing_more) {
  kept_files kept;
  test_server server({}, false, kept.inspector());
  const auto ask = [&](const std::string& part) {
    EXPECT_THAT(exchanged(server.port(), post_text("/v1/chat/completions", chat_with(part))),
                StartsWith("HTTP/1.1 200 OK\r\n"));
  };
  const auto url = [](const std::string& text) {
    return R"({"type":"image_url","image_url":")" + text + "\"}";
  };
  const std::string whole = data_url_of("image/jpeg", "0123456789");
  for (std::size_t size = 5; size < whole.size(); ++size)
    ask(url(whole.substr(0, size)));
  ask(url("data:" + std::string(100'000, ',')));
  ask(url("data:" + std::string(100'000, ';') + "base64,YQ=="));
  ask(url(R"(data:image\/jpeg;base64,\u0059Q==)"));  // escapes are JSON's business
  ask(url("data:image/jpeg;base64," + std::string(99'999, '=')));
  ask(R"({"type":"input_audio","input_audio":{"data":"","format":""}})");
  ask(R"({"type":"input_audio","input_audio":{"data":"YQ==","format":")" +
      std::string(100'000, 'w') + "\"}}");
  server.stop();
  EXPECT_THAT(server.get().media_summary(), HasSubstr("0 unchecked"));
  EXPECT_EQ(std::ranges::count(kept.files(), "image a"), 2);
}

}  // namespace
}  // namespace inferbench::simulator
