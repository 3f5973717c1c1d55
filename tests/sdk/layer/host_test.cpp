#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <inferbench/host.hpp>

#include "sdk/layer/fake_host.hpp"

namespace {

using sdk_test::fake_host;

TEST(host, forwards_to_the_table) {
  fake_host fake;
  fake.stopping = 1;
  const ifb::host host{fake.table()};
  host.warn("careful");
  host.log(ifb::log_level::critical, "very");
  EXPECT_EQ(fake.logged,
            (std::vector<std::pair<std::uint32_t, std::string>>{{3, "careful"}, {5, "very"}}));
  EXPECT_FALSE(host.listens(ifb::log_level::debug));
  EXPECT_TRUE(host.listens(ifb::log_level::info));
  EXPECT_EQ(host.now(), 42U);
  EXPECT_EQ(host.unix_now(), 1'700'000'000'000'000'042);
  EXPECT_EQ(host.seed(3), 21U);
  EXPECT_TRUE(host.cancelled());
  EXPECT_STREQ(host.version(), "0.1.0");
}

TEST(host, a_service_that_is_missing_says_so) {
  const fake_host fake;
  const ifb::host host{fake.table()};
  EXPECT_FALSE(host.find_tokenizer());
  EXPECT_FALSE(host.find_console());
  EXPECT_FALSE(host.find_http());
  try {
    (void)host.tokenizer();
    FAIL() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_UNSUPPORTED);
    EXPECT_EQ(e.message(), "the plugin needs a tokenizer, and this run goes without one");
  }
  EXPECT_THROW((void)host.console(), ifb::failure);
  EXPECT_THROW((void)host.http(), ifb::failure);
  host.progress().report("nothing listens", 1, 2);
}

TEST(arena, gives_zeroed_aligned_memory_and_copies) {
  fake_host fake;
  const ifb::arena arena{fake.table(), fake.arena()};
  const std::string text = "hello";
  const auto copy = arena.copy(text);
  EXPECT_EQ(copy, text);
  EXPECT_NE(copy.data(), text.data());
  EXPECT_TRUE(fake.arena()->holds(copy.data()));
  EXPECT_EQ(arena.copy("").size(), 0U);

  const auto numbers = arena.array<double>(4);
  EXPECT_EQ(std::accumulate(numbers.begin(), numbers.end(), 0.0), 0.0);
  EXPECT_TRUE(arena.array<double>(0).empty());

  const std::vector<std::uint32_t> ids{1, 2, 3};
  const auto kept = arena.copy(std::span{ids});
  EXPECT_TRUE(std::ranges::equal(kept, ids));
  EXPECT_TRUE(fake.arena()->holds(kept.data()));

  EXPECT_EQ(arena.make<ifb_field>(ifb::str("a"), ifb::str("b"))->value.size, 1U);
}

TEST(arena, an_exhausted_one_throws_bad_alloc) {
  fake_host fake;
  fake.allocations_left = 0;
  const ifb::arena arena{fake.table(), fake.arena()};
  EXPECT_THROW((void)arena.copy("x"), std::bad_alloc);
  EXPECT_THROW((void)arena.array<int>(3), std::bad_alloc);
}

TEST(arena, a_count_that_overflows_is_refused) {
  fake_host fake;
  const ifb::arena arena{fake.table(), fake.arena()};
  EXPECT_THROW((void)arena.array<std::uint64_t>(SIZE_MAX / 4), std::bad_alloc);
  EXPECT_TRUE(fake.arena()->chunks.empty());
}

// A tokenizer with one token per byte; each token is decoded to 50 bytes. It fails for texts that
// begin with "!", with a message, and for texts that begin with "?", without a message.
constexpr ifb_tokenizer_service byte_tokenizer = {
    sizeof(ifb_tokenizer_service), 0, "bytes",
    [](const ifb_host*, ifb_vocabulary* out, ifb_error*) -> ifb_status {
      EXPECT_EQ(out->struct_size, sizeof *out);
      out->size = 256;
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str text, std::uint32_t flags, std::uint64_t* out,
       ifb_error*) -> ifb_status {
      *out = text.size + flags;
      return IFB_OK;
    },
    [](const ifb_host*, ifb_str text, std::uint32_t, std::uint32_t* ids, std::size_t capacity,
       std::size_t* needed, ifb_error* error) -> ifb_status {
      for (std::size_t i = 0; i < std::min(capacity, text.size); ++i)
        ids[i] = static_cast<unsigned char>(text.data[i]);
      *needed = text.size;
      if (text.size == 0 || (text.data[0] != '!' && text.data[0] != '?')) return IFB_OK;
      if (text.data[0] == '!') ifb::fill(error, IFB_E_DATA, "byte 7 has no token");
      return IFB_E_DATA;
    },
    [](const ifb_host*, const std::uint32_t* ids, std::size_t count, std::uint32_t, char* text,
       std::size_t capacity, std::size_t* needed, ifb_error*) -> ifb_status {
      constexpr std::size_t length = 50;
      for (std::size_t i = 0; i < std::min(capacity, count * length); ++i)
        text[i] = static_cast<char>(ids[i / length]);
      *needed = count * length;
      return IFB_OK;
    },
    nullptr,
    // Renders the conversation three times, or fails with a message of the template.
    [](const ifb_host*, ifb_str chat, char* text, std::size_t capacity, std::size_t* needed,
       ifb_error* error) -> ifb_status {
      if (chat.size > 0 && chat.data[0] == '!') {
        ifb::fill(error, IFB_E_DATA, "TemplateError: no");
        return IFB_E_DATA;
      }
      for (std::size_t i = 0; i < std::min(capacity, chat.size * 3); ++i)
        text[i] = chat.data[i % chat.size];
      *needed = chat.size * 3;
      return IFB_OK;
    }};

TEST(tokenizer_service, results_longer_than_the_first_guess_arrive_whole) {
  fake_host fake;
  fake.services[IFB_SERVICE_TOKENIZER] = &byte_tokenizer;
  const auto tokenizer = ifb::host{fake.table()}.tokenizer();
  EXPECT_STREQ(tokenizer.name(), "bytes");
  EXPECT_EQ(tokenizer.vocabulary().size, 256U);
  EXPECT_EQ(tokenizer.count("abc", 2), 5U);
  for (const std::size_t size : {0U, 1U, 16U, 1000U}) {
    EXPECT_EQ(tokenizer.encode(std::string(size, 'a')), std::vector<std::uint32_t>(size, 'a'));
    EXPECT_EQ(tokenizer.decode(std::vector<std::uint32_t>(size, 'b')), std::string(size * 50, 'b'));
  }
}

TEST(tokenizer_service, renders_a_conversation_of_any_length) {
  fake_host fake;
  fake.services[IFB_SERVICE_TOKENIZER] = &byte_tokenizer;
  const auto tokenizer = ifb::host{fake.table()}.tokenizer();
  EXPECT_EQ(tokenizer.render("abc"), "abcabcabc");
  EXPECT_EQ(tokenizer.render(std::string(10000, 'x')), std::string(30000, 'x'));
  try {
    (void)tokenizer.render("!");
    FAIL() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_DATA);
    EXPECT_EQ(e.message(), "TemplateError: no");
  }
}

TEST(tokenizer_service, a_host_that_lacks_or_does_not_know_render_has_no_chat_templates) {
  ifb_tokenizer_service old = byte_tokenizer;
  old.struct_size = offsetof(ifb_tokenizer_service, render);
  ifb_tokenizer_service lacking = byte_tokenizer;
  lacking.render = nullptr;
  for (const ifb_tokenizer_service* table : {&old, &lacking}) {
    fake_host fake;
    fake.services[IFB_SERVICE_TOKENIZER] = table;
    try {
      (void)ifb::host{fake.table()}.tokenizer().render("abc");
      FAIL() << "no failure";
    } catch (const ifb::failure& e) {
      EXPECT_EQ(e.code(), IFB_E_UNSUPPORTED);
      EXPECT_EQ(e.message(), "the tokenizer bytes has no chat template");
    }
  }
}

TEST(tokenizer_service, a_host_whose_table_is_longer_has_chat_templates) {
  struct {
    ifb_tokenizer_service known = byte_tokenizer;
    void* added = nullptr;
  } later;
  later.known.struct_size = sizeof later;
  fake_host fake;
  fake.services[IFB_SERVICE_TOKENIZER] = &later.known;
  EXPECT_EQ(ifb::host{fake.table()}.tokenizer().render("abc"), "abcabcabc");
}

std::string failure_of_encoding(const char* text) {
  fake_host fake;
  fake.services[IFB_SERVICE_TOKENIZER] = &byte_tokenizer;
  try {
    (void)ifb::host{fake.table()}.tokenizer().encode(text);
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_DATA);
    return e.message();
  }
  return "no failure";
}

TEST(tokenizer_service, a_failure_is_thrown_with_its_code_and_the_tokenizers_own_message) {
  EXPECT_EQ(failure_of_encoding("!"), "byte 7 has no token");
}

TEST(tokenizer_service, a_failure_without_a_message_says_what_was_tried) {
  EXPECT_EQ(failure_of_encoding("?"), "the tokenizer bytes could not encode a text");
}

TEST(tokenizer_service, a_status_that_the_call_does_not_have_is_a_failure) {
  ifb_tokenizer_service odd = byte_tokenizer;
  odd.count = [](const ifb_host*, ifb_str, std::uint32_t, std::uint64_t*,
                 ifb_error*) -> ifb_status { return IFB_MORE; };
  fake_host fake;
  fake.services[IFB_SERVICE_TOKENIZER] = &odd;
  try {
    (void)ifb::host{fake.table()}.tokenizer().count("abc");
    FAIL() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_INTERNAL);
    EXPECT_EQ(e.message(), "the tokenizer bytes could not count a text");
  }
}

int open_arenas = 0;

void* room_in(ifb_arena* arena, std::size_t bytes) {
  arena->chunks.push_back(std::make_unique<std::max_align_t[]>(bytes));
  return arena->chunks.back().get();
}

// Answers with the request as text, and with the header of the request under another name.
constexpr ifb_http_service echo_http = {
    sizeof(ifb_http_service), 0,
    [](const ifb_host*, const ifb_http_request* request, std::uint64_t timeout, ifb_arena* arena,
       ifb_http_answer* out, ifb_error* error) -> ifb_status {
      EXPECT_EQ(request->struct_size, sizeof *request);
      EXPECT_EQ(out->struct_size, sizeof *out);
      if (ifb::view(request->target) == "/down") {
        ifb::fill(error, IFB_E_IO, "connection refused");
        return IFB_E_IO;
      }
      std::string text = std::string{ifb::view(request->method)} + " " +
                         std::string{ifb::view(request->target)} + " " + std::to_string(timeout);
      for (std::size_t i = 0; i < request->body_count; ++i)
        text += " " + std::string{ifb::view(request->body[i])};
      out->body = {std::memcpy(room_in(arena, text.size()), text.data(), text.size()), text.size()};
      if (request->header_count != 0) {
        auto* field = static_cast<ifb_field*>(room_in(arena, sizeof(ifb_field)));
        *field = {ifb::str("X-Echo"), request->headers[0].value};
        out->headers = field;
        out->header_count = 1;
      }
      out->status = 404;
      return IFB_OK;
    },
    [](const ifb_host*) {
      ++open_arenas;
      return new ifb_arena;
    },
    [](const ifb_host*, ifb_arena* arena) {
      --open_arenas;
      delete arena;
    }};

TEST(http_service, an_answer_of_any_status_is_handed_over_and_its_arena_released) {
  fake_host fake;
  fake.services[IFB_SERVICE_HTTP] = &echo_http;
  const auto http = ifb::host{fake.table()}.http();
  const auto answer = http.fetch("POST", "/tokenize", "{}", std::chrono::microseconds{1});
  EXPECT_EQ(answer.status, 404U);
  EXPECT_EQ(answer.body, "POST /tokenize 1000 {}");
  EXPECT_TRUE(answer.headers.empty());
  EXPECT_EQ(answer.header("X-Echo"), "");
  EXPECT_EQ(open_arenas, 0);
}

TEST(http_service, a_request_has_its_own_headers_and_gets_those_of_the_answer) {
  fake_host fake;
  fake.services[IFB_SERVICE_HTTP] = &echo_http;
  const ifb_field header = ifb::field("X-Name", "value");
  ifb_http_request request{};
  request.struct_size = sizeof request;
  request.method = ifb::str("GET");
  request.target = ifb::str("https://other.example/token");
  request.headers = &header;
  request.header_count = 1;
  const auto answer = ifb::host{fake.table()}.http().request(request, std::chrono::seconds{-1});
  EXPECT_EQ(answer.body, "GET https://other.example/token 0");
  EXPECT_EQ(answer.header("x-echo"), "value");
  EXPECT_EQ(open_arenas, 0);
}

TEST(http_service, no_answer_is_a_failure_and_the_arena_is_released) {
  fake_host fake;
  fake.services[IFB_SERVICE_HTTP] = &echo_http;
  try {
    (void)ifb::host{fake.table()}.http().fetch("GET", "/down", "", std::chrono::seconds{1});
    FAIL() << "no failure";
  } catch (const ifb::failure& e) {
    EXPECT_EQ(e.code(), IFB_E_IO);
    EXPECT_EQ(e.message(), "connection refused");
  }
  EXPECT_EQ(open_arenas, 0);
}

}  // namespace
