// Tests of tokenizers: ids, counts and texts must agree with each other.
#include <algorithm>
#include <string>
#include <vector>

#include "check/instance_under_test.hpp"
#include "check/raw_call.hpp"
#include "check/test.hpp"
#include "check/utf8.hpp"
#include "plugin/instance.hpp"

namespace inferbench::check {

namespace {

constexpr const char* texts[] = {
    "a",
    "Say hi to the 3 bears, please.",
    "  two  blanks\n\n\ttabs and lines \r\n",
    "caf\u00e9 \u4e2d\u6587 \U0001F600 e\u0301",
    "x=1; /* code */ return f(a->b, \"c\\n\");",
    "",
};

class tokenizer_calls {
 public:
  explicit tokenizer_calls(subject& s) : on_({}), instance_(s, on_, s.values()) {
    need(instance_);
    ops_ = tokenizer_of(s);
  }

  std::vector<std::uint32_t> encode(std::string_view text, std::uint32_t flags = 0) {
    std::vector<std::uint32_t> ids(text.size() + 64);
    std::size_t needed = 0;
    for (int twice = 0; twice < 2; ++twice) {
      error = blank_error();
      status = raw_call(ops_.plugin, "encode", ops_.ifb_tokenizer::encode, instance_.get(),
                        plugin::str(text), flags, ids.data(), ids.size(), &needed, &error);
      if (status != IFB_OK) return {};
      if (needed <= ids.size()) break;
      ids.resize(needed);
    }
    ids.resize(std::min(needed, ids.size()));
    return ids;
  }
  std::string decode(const std::vector<std::uint32_t>& ids, std::uint32_t flags = 0) {
    std::string text(ids.size() * 16 + 64, '\0');
    std::size_t needed = 0;
    for (int twice = 0; twice < 2; ++twice) {
      error = blank_error();
      status = raw_call(ops_.plugin, "decode", ops_.ifb_tokenizer::decode, instance_.get(),
                        ids.data(), ids.size(), flags, text.data(), text.size(), &needed, &error);
      if (status != IFB_OK) return {};
      if (needed <= text.size()) break;
      text.resize(needed);
    }
    text.resize(std::min(needed, text.size()));
    return text;
  }
  std::uint64_t count(std::string_view text, std::uint32_t flags) {
    std::uint64_t out = 0;
    error = blank_error();
    status = ops_.count(instance_.get(), plugin::str(text), flags, &out, &error);
    return out;
  }
  ifb_vocabulary vocabulary() {
    ifb_vocabulary out{};
    out.struct_size = sizeof out;
    error = blank_error();
    status = ops_.vocabulary(instance_.get(), &out, &error);
    return out;
  }
  [[nodiscard]] std::string reason() const { return refusal(status, error); }

  ifb_status status = IFB_OK;  // the status of the last call
  ifb_error error = blank_error();
  [[nodiscard]] const plugin::tokenizer& table() const { return ops_; }
  [[nodiscard]] instance_under_test& instance() { return instance_; }

 private:
  host on_;
  instance_under_test instance_;
  plugin::tokenizer ops_{};
};

// The text in quotes for messages; a long text is shortened.
std::string shown(std::string_view text) {
  std::string out(text.substr(0, 40));
  std::ranges::replace(out, '\n', ' ');
  return "\"" + out + "\"";
}

bool ascending(const std::uint32_t* ids, std::size_t count) {
  return ids == nullptr ? count == 0 : std::is_sorted(ids, ids + count);
}

void judge_vocabulary(subject& s, const ifb_vocabulary& v) {
  if (v.total_size < v.size)
    s.fail("the vocabulary has " + std::to_string(v.size) + " ids and with added tokens " +
               std::to_string(v.total_size),
           "let total_size count the added tokens, too");
  if (!ascending(v.special_ids, v.special_id_count) ||
      !ascending(v.skipped_ids, v.skipped_id_count))
    s.fail("the special ids of the vocabulary are missing or not ascending", "sort them");
  else if (v.skipped_ids != nullptr &&
           !std::includes(v.skipped_ids, v.skipped_ids + v.skipped_id_count, v.special_ids,
                          v.special_ids + v.special_id_count))
    s.fail("a special id is not among the skipped ones", "put all special_ids into skipped_ids");
}

}  // namespace

void check_count(subject& s) {
  tokenizer_calls one(s);
  const ifb_vocabulary vocabulary = one.vocabulary();
  const bool known = one.status == IFB_OK;
  if (known)
    judge_vocabulary(s, vocabulary);
  else if (one.status != IFB_E_UNSUPPORTED)
    s.fail("vocabulary fails: " + one.reason());
  for (const std::uint32_t flags : {0U, static_cast<std::uint32_t>(IFB_ENCODE_SPECIAL)}) {
    for (const char* const text : texts) {
      const auto ids = one.encode(text, flags);
      if (one.status != IFB_OK) {
        s.fail("encode fails for " + shown(text) + ": " + one.reason());
        return;
      }
      const std::uint64_t count = one.count(text, flags);
      if (one.status != IFB_OK || count != ids.size())
        s.fail("count says " + std::to_string(count) + " for " + shown(text) +
                   " and encode yields " + std::to_string(ids.size()) + " ids",
               "leave count out of the table if it is not exact");
      if (flags != 0 && *text == '\0' && known && ids.size() != vocabulary.added)
        s.warn("encoding nothing with special tokens yields " + std::to_string(ids.size()) +
                   " ids, and the vocabulary says " + std::to_string(vocabulary.added),
               "set ifb_vocabulary.added");
      if (!known || vocabulary.total_size == 0) continue;
      for (const std::uint32_t id : ids)
        if (id >= vocabulary.total_size) {
          s.fail("encode yields id " + std::to_string(id) + ", and the vocabulary ends before " +
                     std::to_string(vocabulary.total_size),
                 "set total_size to the highest id plus one");
          return;
        }
    }
  }
}

void check_room(subject& s) {
  tokenizer_calls one(s);
  ifb_error error = blank_error();
  // The output memory ends at the end of the readable pages.
  lent_memory memory({.pages = true});
  for (const char* const text : texts) {
    const auto whole = one.encode(text);
    if (one.status != IFB_OK) continue;
    const std::string back = one.decode(whole);
    const bool decodes = one.status == IFB_OK;
    for (const std::size_t room :
         {std::size_t{0}, std::size_t{1}, whole.size() / 2, whole.size()}) {
      std::size_t needed = 0;
      auto* const ids = static_cast<std::uint32_t*>(memory.take(room * sizeof(std::uint32_t), 4));
      const ifb_status status =
          one.table().encode(one.instance().get(), plugin::str(text), 0, room == 0 ? nullptr : ids,
                             room, &needed, &error);
      if (status != IFB_OK || needed != whole.size())
        s.fail("with room for " + std::to_string(room) + " ids encode needs " +
                   std::to_string(needed) + " for " + shown(text) + " instead of " +
                   std::to_string(whole.size()),
               "set *needed to the whole length, and succeed, however little room there is");
      else if (!std::equal(ids, ids + std::min(room, whole.size()), whole.begin()))
        s.fail("with little room encode writes other ids", "write the first ids of the text");
    }
    if (!decodes) continue;
    for (const std::size_t room : {std::size_t{0}, std::size_t{1}, back.size() / 2, back.size()}) {
      std::size_t needed = 0;
      auto* const to = static_cast<char*>(memory.take(room, 1));
      const ifb_status status =
          one.table().decode(one.instance().get(), whole.data(), whole.size(), 0,
                             room == 0 ? nullptr : to, room, &needed, &error);
      if (status != IFB_OK || needed != back.size())
        s.fail("with room for " + std::to_string(room) + " bytes decode needs " +
                   std::to_string(needed) + " for " + shown(text) + " instead of " +
                   std::to_string(back.size()),
               "set *needed to the whole length, and succeed, however little room there is");
    }
  }
}

void check_decode(subject& s) {
  tokenizer_calls one(s);
  std::size_t other = 0;
  for (const char* const text : texts) {
    const auto ids = one.encode(text);
    if (one.status != IFB_OK) continue;
    const std::string back = one.decode(ids);
    if (one.status != IFB_OK) {
      s.fail("decode fails for the ids of " + shown(text) + ": " + one.reason(),
             "decode all ids that encode yields");
      continue;
    }
    if (!is_utf8(back))
      s.fail("decode makes a text that is not UTF-8 of the ids of " + shown(text),
             "write U+FFFD for bytes that are no text");
    if (back.empty() && std::string_view(text).find_first_not_of(" \r\n\t") != std::string::npos)
      s.fail("decode returns no text for the ids of " + shown(text),
             "decode all ids that encode yields");
    if (back != text) ++other;
  }
  if (other != 0)
    s.note(std::to_string(other) + " of " + std::to_string(std::size(texts)) +
           " texts come back changed, as from tokenizers that fold letters or blanks");
  // For ids that may not exist, decode must return an error or a text.
  for (const std::uint32_t id : {0U, 1U, UINT32_MAX, 0x80000000U}) {
    static_cast<void>(one.decode({id}));
    judge_refusal(s, "decode", one.status, one.error);
  }
}

void check_render(subject& s) {
  tokenizer_calls one(s);
  for (const char* const chat :
       {R"({"messages": [{"role": "user", "content": "hi"}], "add_generation_prompt": true})",
        R"({"messages": []})", R"({"messages": "no"})", "{}", "[", ""}) {
    ifb_error error = blank_error();
    std::string text(4096, '\0');
    std::size_t needed = 0;
    const plugin::tokenizer& ops = one.table();
    const ifb_status status =
        raw_call(ops.plugin, "render", ops.ifb_tokenizer::render, one.instance().get(),
                 plugin::str(chat), text.data(), text.size(), &needed, &error);
    judge_refusal(s, "render", status, error);
    if (status == IFB_E_UNSUPPORTED)
      subject::skip("the tokenizer renders no chats: " + refusal(status, error));
    if (status != IFB_OK) continue;
    text.resize(std::min(text.size(), needed));
    if (!is_utf8(text))
      s.fail("render writes a text that is not UTF-8 for " + shown(chat),
             "write texts in UTF-8 (rule R1 in abi.h)");
  }
}

namespace {

// A flag that no version of abi.h has yet, beside the flags of this version.
constexpr std::uint32_t future_flag = 0x4000'0000;

}  // namespace

void check_flags(subject& s) {
  tokenizer_calls one(s);
  const ifb_instance* const self = one.instance().get();
  const plugin::tokenizer& ops = one.table();
  const ifb_str text = plugin::str("hi");
  const std::vector<std::uint32_t> ids = one.encode("hi");
  std::vector<std::uint32_t> to(64);
  std::string back(64, '\0');
  std::size_t needed = 0;
  std::uint64_t count = 0;
  const auto refuses = [&](const char* name, const auto& call) {
    ifb_error error = blank_error();
    const ifb_status status = call(&error);
    judge_refusal(s, name, status, error);
    if (status == IFB_OK)
      s.fail(std::string(name) + " takes flag " + std::to_string(future_flag) +
                 ", which abi.h does not have",
             "refuse unknown flags with IFB_E_UNSUPPORTED: a count that ignores a flag is wrong");
    else if (status != IFB_E_UNSUPPORTED)
      s.fail(std::string(name) + " refuses a flag that abi.h does not have with " +
                 name_of_status(status),
             "refuse unknown flags with IFB_E_UNSUPPORTED");
    else
      static_cast<void>(call(nullptr));  // a caller that does not want the reason
  };
  refuses("encode", [&](ifb_error* error) {
    return ops.encode(self, text, future_flag, to.data(), to.size(), &needed, error);
  });
  if (ops.counts)
    refuses("count",
            [&](ifb_error* error) { return ops.count(self, text, future_flag, &count, error); });
  refuses("decode", [&](ifb_error* error) {
    return ops.decode(self, ids.data(), ids.size(), future_flag, back.data(), back.size(), &needed,
                      error);
  });
  refuses("encode_pair", [&](ifb_error* error) {
    return ops.encode_pair(self, text, text, future_flag, to.data(), nullptr, to.size(), &needed,
                           error);
  });
}

}  // namespace inferbench::check
