#include "cli/tokenizer_lines.hpp"

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include <inferbench/json_writer.hpp>

#include "base/error.hpp"
#include "base/json.hpp"
#include "base/text.hpp"
#include "plugin/instance.hpp"

namespace inferbench::cli {

namespace {

using ids = std::vector<std::uint32_t>;

/// The reason why a line has no answer.
struct trouble {
  std::string kind;
  std::string message;
};

trouble invalid(std::string message) { return {"InvalidInput", std::move(message)}; }

void check(ifb_status status, const char* what) {
  if (status == IFB_E_UNSUPPORTED)
    throw trouble{"TokenizerError", std::string("this tokenizer cannot ") + what};
  if (status < 0)
    throw trouble{"TokenizerError", std::string("could not ") + what + ": " +
                                        plugin::text_of(plugin::empty_error(), status)};
}

/// Calls `ask(out, &needed)`, and once more with a larger `out` if the first was too small.
template <typename result, typename call>
result whole(std::size_t guess, const char* what, call&& ask) {
  result out;
  out.resize(guess);
  std::size_t needed = 0;
  check(ask(out, &needed), what);
  if (needed > out.size()) {
    out.resize(needed);
    check(ask(out, &needed), what);
    if (needed > out.size())
      throw trouble{"TokenizerError", "asked for more room than it had said"};
  }
  out.resize(needed);
  return out;
}

class line_of {
 public:
  line_of(const services::tokenizer& by, std::string_view line)
      : by_(by), line_(line), input_(parsed(line)) {
    if (!input_.IsObject()) throw invalid("expected an object");
  }

  std::string encode() {
    const std::string_view text = required_text("text");
    const base::json_value* pair = base::find(input_, "pair");
    out_.begin_object();
    if (pair == nullptr || pair->IsNull()) {
      write("ids", encoded(text, 0));
      write("ids_special", encoded(text, IFB_ENCODE_SPECIAL));
    } else {
      const std::string_view second = required_text("pair");
      write("ids", encoded(text, second, 0).first);
      const auto [all, types] = encoded(text, second, IFB_ENCODE_SPECIAL);
      write("ids_special", all);
      write("type_ids", types);
    }
    return end();
  }

  std::string decode() {
    const ids given = required_ids();
    out_.begin_object();
    out_.member("decoded", decoded(given, 0));
    out_.member("decoded_skip", decoded(given, IFB_DECODE_SKIP_SPECIAL));
    return end();
  }

  std::string count() {
    const std::string_view text = required_text("text");
    std::uint64_t tokens = 0;
    if (const base::json_value* pair = base::find(input_, "pair");
        pair != nullptr && !pair->IsNull())
      tokens = encoded(text, required_text("pair"), 0).first.size();
    else
      check(by_.operations().count(by_.instance(), plugin::str(text), 0, &tokens), "count a text");
    out_.begin_object();
    out_.member("count", tokens);
    return end();
  }

  std::string render() {
    ifb_error error = plugin::empty_error();
    const auto text = whole<std::string>(
        line_.size() * 2 + 4096, "render", [&](std::string& to, std::size_t* needed) {
          const ifb_status status = by_.operations().render(by_.instance(), plugin::str(line_),
                                                            to.data(), to.size(), needed, &error);
          if (status < 0) throw fault(plugin::text_of(error, status));
          return status;
        });
    out_.begin_object();
    out_.member("rendered", text);
    return end();
  }

 private:
  static rapidjson::Document parsed(std::string_view line) {
    try {
      return base::parse_json(line, "");
    } catch (const base::error& e) {
      throw invalid(e.message());
    }
  }

  /// Splits "TemplateError: no tools" into kind and message.
  static trouble fault(const std::string& text) {
    const auto colon = text.find(": ");
    const std::string_view kind = std::string_view(text).substr(0, colon);
    const bool named = colon != std::string::npos && kind.find(' ') == std::string_view::npos;
    if (!named) return {"TokenizerError", text};
    return {std::string(kind), text.substr(colon + 2)};
  }

  std::string_view required_text(std::string_view key) const {
    const base::json_value* value = base::find(input_, key);
    if (value == nullptr || !value->IsString())
      throw invalid("expected a string \"" + std::string(key) + "\"");
    const std::string_view text = base::text_of(value);
    // This check is needed because the JSON reader accepts half of a surrogate pair.
    if (base::valid_utf8(text) != text)
      throw invalid("\"" + std::string(key) + "\" is not valid Unicode");
    return text;
  }

  ids required_ids() const {
    const base::json_value* list = base::find(input_, "ids");
    if (list == nullptr || !list->IsArray()) throw invalid("expected a list \"ids\"");
    ids out;
    for (const auto& each : list->GetArray()) {
      if (!each.IsUint()) throw invalid("expected whole numbers from 0 to 4294967295 in \"ids\"");
      out.push_back(each.GetUint());
    }
    return out;
  }

  ids encoded(std::string_view text, std::uint32_t flags) const {
    return whole<ids>(text.size() / 3 + 16, "encode a text", [&](ids& to, std::size_t* needed) {
      return by_.operations().encode(by_.instance(), plugin::str(text), flags, to.data(), to.size(),
                                     needed);
    });
  }

  std::pair<ids, ids> encoded(std::string_view text, std::string_view pair,
                              std::uint32_t flags) const {
    ids types;
    ids all = whole<ids>(
        (text.size() + pair.size()) / 3 + 16, "encode a pair", [&](ids& to, std::size_t* needed) {
          types.resize(to.size());
          return by_.operations().encode_pair(by_.instance(), plugin::str(text), plugin::str(pair),
                                              flags, to.data(), types.data(), to.size(), needed);
        });
    types.resize(all.size());
    return {std::move(all), std::move(types)};
  }

  std::string decoded(const ids& given, std::uint32_t flags) const {
    return whole<std::string>(
        given.size() * 6 + 16, "decode", [&](std::string& to, std::size_t* needed) {
          return by_.operations().decode(by_.instance(), given.data(), given.size(), flags,
                                         to.data(), to.size(), needed);
        });
  }

  void write(const char* key, const ids& values) {
    out_.key(key);
    out_.begin_array();
    for (const std::uint32_t id : values)
      out_.integer(id);
    out_.end_array();
  }
  std::string end() {
    out_.end_object();
    return out_.take();
  }

  const services::tokenizer& by_;
  std::string_view line_;
  rapidjson::Document input_;
  ifb::json_writer out_;
};

}  // namespace

std::string answer_line(const services::tokenizer& by, tokenizer_task task, std::string_view line) {
  try {
    line_of asked(by, line);
    switch (task) {
      case tokenizer_task::encode: return asked.encode();
      case tokenizer_task::decode: return asked.decode();
      case tokenizer_task::count: return asked.count();
      case tokenizer_task::render: break;
    }
    return asked.render();
  } catch (const trouble& why) {
    ifb::json_writer out;
    out.begin_object();
    out.member("error", why.kind);
    out.member("message", why.message);
    out.end_object();
    return out.take();
  }
}

std::string info_line(const services::tokenizer& of) {
  ifb_vocabulary words{};
  words.struct_size = sizeof words;
  const bool known = of.operations().vocabulary(of.instance(), &words) == IFB_OK;
  ifb::json_writer out;
  const auto text_or_null = [&](const char* key, const char* text) {
    out.key(key);
    if (text == nullptr)
      out.null();
    else
      out.string(text);
  };
  const auto number_or_null = [&](const char* key, std::uint64_t number) {
    out.key(key);
    if (known)
      out.integer(number);
    else
      out.null();
  };
  const auto list = [&](const char* key, const std::uint32_t* first, std::size_t count) {
    out.key(key);
    out.begin_array();
    for (const std::uint32_t id : std::span(first, count))
      out.integer(id);
    out.end_array();
  };
  out.begin_object();
  out.member("tokenizer", of.name());
  text_or_null("source", words.source);
  text_or_null("digest", words.digest);
  number_or_null("vocab_size", words.size);
  number_or_null("vocab_size_with_added", words.total_size);
  list("special_ids", words.skipped_ids, words.skipped_id_count);
  list("named_special_ids", words.special_ids, words.special_id_count);
  number_or_null("added_to_empty_text", words.added);
  out.end_object();
  return out.take();
}

}  // namespace inferbench::cli
