#include "cli/tokenizer_lines.hpp"

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

std::string text_of(const trouble& why) {
  ifb::json_writer out;
  out.begin_object();
  out.member("error", why.kind);
  out.member("message", why.message);
  out.end_object();
  return out.take();
}

trouble invalid(std::string message) { return {"InvalidInput", std::move(message)}; }

trouble failed(const plugin::refused& why) { return {"TokenizerError", why.message()}; }

/// Splits "TemplateError: no tools" into kind and message.
trouble fault(const plugin::refused& why) {
  const std::string& text = why.message();
  const auto colon = text.find(": ");
  const std::string_view kind = std::string_view(text).substr(0, colon);
  const bool named = colon != std::string::npos && kind.find(' ') == std::string_view::npos;
  if (!named) return failed(why);
  return {std::string(kind), text.substr(colon + 2)};
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
      write("ids", by_.encoded(text));
      write("ids_special", by_.encoded(text, IFB_ENCODE_SPECIAL));
    } else {
      const std::string_view second = required_text("pair");
      write("ids", by_.encoded_pair(text, second).ids);
      const auto [all, types] = by_.encoded_pair(text, second, IFB_ENCODE_SPECIAL);
      write("ids_special", all);
      write("type_ids", types);
    }
    return end();
  }

  std::string decode() {
    const ids given = required_ids();
    out_.begin_object();
    out_.member("decoded", by_.decoded(given));
    out_.member("decoded_skip", by_.decoded(given, IFB_DECODE_SKIP_SPECIAL));
    return end();
  }

  std::string count() {
    const std::string_view text = required_text("text");
    const base::json_value* pair = base::find(input_, "pair");
    const std::uint64_t tokens = pair == nullptr || pair->IsNull()
                                     ? by_.counted(text)
                                     : by_.encoded_pair(text, required_text("pair")).ids.size();
    out_.begin_object();
    out_.member("count", tokens);
    return end();
  }

  std::string render() {
    std::string text;
    try {
      text = by_.rendered(line_);
    } catch (const plugin::refused& why) {
      throw fault(why);
    }
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
    return text_of(why);
  } catch (const plugin::refused& why) {
    return text_of(failed(why));
  }
}

std::string info_line(const services::tokenizer& of, base::log& log) {
  ifb_vocabulary words{};
  words.struct_size = sizeof words;
  ifb_error error = plugin::empty_error();
  const ifb_status status = of.vocabulary(&words, &error);
  const bool known = status == IFB_OK;
  if (!known) log.warning("the vocabulary is not known: " + plugin::text_of(error, status));
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
