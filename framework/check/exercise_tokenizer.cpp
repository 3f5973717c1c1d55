#include <algorithm>
#include <string_view>

#include "check/exercise.hpp"
#include "check/raw_call.hpp"

namespace inferbench::check {

namespace {

// The calls of a tokenizer with lent inputs. Each function returns the answer as a line.
class lent_calls {
 public:
  lent_calls(subject& s, instance_under_test& instance, const effort& how)
      : s_(s),
        self_(instance.get()),
        ops_(tokenizer_of(s)),
        memory_(how.memory),
        judging_(how.judging) {}

  std::string vocabulary() {
    auto* const out = memory_.room<ifb_vocabulary>();
    const std::uint32_t size = out->struct_size;
    call("vocabulary", ops_.ifb_tokenizer::vocabulary, self_, out);
    if (out->struct_size != size)
      s_.fail("vocabulary changes the struct_size of the struct that it fills in",
              "leave struct_size as the host set it (rule R3 in abi.h)");
    return line("vocabulary", " " + std::to_string(out->size));
  }

  // Sets `ids`.
  std::string encode(std::string_view text, std::uint32_t flags, std::vector<std::uint32_t>& ids) {
    constexpr std::size_t capacity = 256;
    std::uint32_t* const room = many<std::uint32_t>(capacity);
    std::size_t* const needed = many<std::size_t>(1);
    call("encode", ops_.ifb_tokenizer::encode, self_, memory_.text(text), flags, room, capacity,
         needed);
    ids.assign(room, room + (status_ == IFB_OK ? std::min(capacity, *needed) : 0));
    std::string all;
    for (const std::uint32_t id : ids)
      all += " " + std::to_string(id);
    return line("encode", all);
  }

  std::string decode(const std::vector<std::uint32_t>& ids) {
    constexpr std::size_t capacity = 1024;
    char* const room = many<char>(capacity);
    std::size_t* const needed = many<std::size_t>(1);
    call("decode", ops_.ifb_tokenizer::decode, self_,
         static_cast<const std::uint32_t*>(memory_.copy(std::span<const std::uint32_t>(ids))),
         ids.size(), std::uint32_t{0}, room, capacity, needed);
    return line("decode", status_ == IFB_OK ? " " + std::string(room, std::min(capacity, *needed))
                                            : std::string());
  }

  std::string count(std::string_view text) {
    if (!ops_.counts) return {};
    std::uint64_t* const out = many<std::uint64_t>(1);
    call("count", ops_.ifb_tokenizer::count, self_, memory_.text(text), std::uint32_t{0}, out);
    return line("count", " " + std::to_string(*out));
  }

  std::string encode_pair(std::string_view text, std::string_view pair) {
    constexpr std::size_t capacity = 64;
    std::uint32_t* const ids = many<std::uint32_t>(capacity);
    std::uint32_t* const types = many<std::uint32_t>(capacity);
    std::size_t* const needed = many<std::size_t>(1);
    call("encode_pair", ops_.ifb_tokenizer::encode_pair, self_, memory_.text(text),
         memory_.text(pair), std::uint32_t{0}, ids, types, capacity, needed);
    return line("encode_pair", " " + std::to_string(*needed));
  }

  std::string render(std::string_view chat) {
    constexpr std::size_t capacity = 1024;
    char* const room = many<char>(capacity);
    std::size_t* const needed = many<std::size_t>(1);
    call("render", ops_.ifb_tokenizer::render, self_, memory_.text(chat), room, capacity, needed);
    return line("render", status_ == IFB_OK ? " " + std::string(room, std::min(capacity, *needed))
                                            : std::string());
  }

 private:
  template <typename element>
  element* many(std::size_t count) {
    return static_cast<element*>(memory_.take(count * sizeof(element), alignof(element)));
  }

  template <typename function, typename... arguments>
  void call(const char* name, function* made, arguments... given) {
    ifb_error* const error = lend_error(memory_);
    status_ = raw_call(ops_.plugin, name, made, given..., error);
    error_ = *error;
    if (judging_) judge_refusal(s_, name, status_, error_);
  }

  // Takes back the memory of the call.
  std::string line(const char* name, const std::string& result) {
    memory_.give_back();
    return std::string(name) + " " + refusal(status_, error_) + result;
  }

  subject& s_;
  const ifb_instance* self_;
  plugin::tokenizer ops_;
  lent_memory memory_;
  bool judging_;
  ifb_status status_ = IFB_OK;
  ifb_error error_ = blank_error();
};

}  // namespace

std::vector<std::string> exercise_tokenizer(subject& s, instance_under_test& instance,
                                            const effort& how) {
  std::vector<std::string> out;
  lent_calls calls(s, instance, how);
  out.push_back(calls.vocabulary());
  for (const char* text : {"Say hi to the 3 bears.", "", "caf\u00e9 \u4e2d\U0001F600\n\tx"}) {
    std::vector<std::uint32_t> ids;
    out.push_back(calls.encode(text, IFB_ENCODE_SPECIAL, ids));
    out.push_back(calls.encode(text, 0, ids));
    out.push_back(calls.decode(ids));
    out.push_back(calls.count(text));
    out.push_back(calls.encode_pair(text, "pair"));
  }
  out.push_back(calls.render(R"({"messages": [{"role": "user", "content": "hi"}]})"));
  return out;
}

}  // namespace inferbench::check
