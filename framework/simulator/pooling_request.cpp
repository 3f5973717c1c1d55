#include "simulator/pooling_request.hpp"

#include <algorithm>
#include <utility>

#include "simulator/messages.hpp"

namespace inferbench::simulator {

namespace {

// Limits of one request, so that a short body cannot ask for an answer that fills the memory. A
// batch of 2048 inputs with vectors of 4096 numbers is allowed.
constexpr std::uint64_t most_inputs = std::uint64_t{1} << 16U;
constexpr std::uint64_t most_numbers = std::uint64_t{1} << 23U;
constexpr std::uint64_t most_pair_bytes = std::uint64_t{1} << 26U;

bool all_texts(const base::json_value& list) {
  return std::ranges::all_of(list.GetArray(), [](const auto& one) { return one.IsString(); });
}

/// Reads token ids, or a list of lists of token ids; `list` must not be empty. Returns false if it
/// has another form.
bool read_inputs_of_ids(const base::json_value& list, std::vector<std::string>& out) {
  if (!list[0].IsArray()) return read_ids(list, out.emplace_back());
  return std::ranges::all_of(list.GetArray(), [&](const auto& one) {
    return one.IsArray() && read_ids(one, out.emplace_back());
  });
}

/// The member `input`: a text, a list of texts, token ids, or a list of lists of token ids.
void read_input(body_reader& body, pooling_request& out) {
  const base::json_value* const input = body.required("input");
  if (input == nullptr) return;
  if (input->IsString()) {
    out.inputs.emplace_back(base::text_of(input));
  } else if (input->IsArray() && input->Empty()) {
    body.refuse("input", "must not be empty.");
  } else if (input->IsArray() && !(*input)[0].IsNumber() && input->Size() > most_inputs) {
    body.refuse("input", "must have " + std::to_string(most_inputs) + " inputs or fewer.");
  } else if (input->IsArray() && all_texts(*input)) {
    for (const auto& one : input->GetArray())
      out.inputs.emplace_back(base::text_of(&one));
  } else if (input->IsArray() && read_inputs_of_ids(*input, out.inputs)) {
    out.token_bytes = sizeof(std::uint32_t);
  } else {
    body.refuse("input",
                "must be a text, a list of texts, token ids, or a list of lists of token ids.");
  }
}

/// The member `input` in the form of Infinity: one URL of a medium or a list of URLs, which have no
/// tokens.
void read_urls(body_reader& body, media::kind kind, pooling_request& out) {
  const base::json_value* const input = body.required("input");
  if (input == nullptr) return;
  if (input->IsArray() && input->Empty()) return body.refuse("input", "must not be empty.");
  if (!input->IsString() && !(input->IsArray() && all_texts(*input)))
    return body.refuse("input", "must be a URL or a list of URLs.");
  const rapidjson::SizeType count = input->IsArray() ? input->Size() : 1;
  if (count > most_inputs)
    return body.refuse("input", "must have " + std::to_string(most_inputs) + " inputs or fewer.");
  for (rapidjson::SizeType i = 0; i < count; ++i) {
    const std::string_view url = base::text_of(input->IsArray() ? &(*input)[i] : input);
    if (!is_media_url(url))
      return body.refuse("input", "must have URLs that begin with http, https, data or file.");
    out.inputs.emplace_back();
    out.media.push_back({.kind = kind,
                         .place = input->IsArray() ? "input." + std::to_string(i) : "input",
                         .borrowed = url});
  }
}

/// Infinity's member `modality` says what the texts of `input` are.
void read_input_or_urls(body_reader& body, pooling_request& out) {
  std::string_view modality = "text";
  body.choice("modality", {"text", "image", "audio", "video"}, modality);
  if (modality == "text") return read_input(body, out);
  read_urls(body,
            modality == "image"   ? media::kind::image
            : modality == "audio" ? media::kind::sound
                                  : media::kind::video,
            out);
}

void read_form_of_vectors(body_reader& body, pooling_request& out) {
  std::string_view word = "float";
  body.choice("encoding_format", {"float", "base64", "bytes", "bytes_only"}, word);
  out.form = word == "base64"       ? vector_form::base64
             : word == "bytes"      ? vector_form::bytes
             : word == "bytes_only" ? vector_form::bytes_only
                                    : vector_form::numbers;
  // This server has one type of numbers, little-endian and 4 bytes long.
  body.choice("embed_dtype", {"float32"}, word);
  body.choice("endianness", {"native", "little"}, word);
  std::optional<std::uint64_t> dimensions;
  body.count("dimensions", 1, dimensions);
  out.dimensions = dimensions.value_or(out.dimensions);
  if (out.dimensions > most_numbers || out.dimensions * out.inputs.size() > most_numbers)
    body.refuse("dimensions",
                "times the number of inputs must be " + std::to_string(most_numbers) + " or less.");
  bool on = false;
  for (const char* const name : {"normalize", "add_special_tokens", "use_activation"})
    body.flag(name, on);
}

void read_vectors(body_reader& body, pooling_request& out) {
  const base::json_value* const messages = body.find("messages");
  const base::json_value* const data = out.kind == api_kind::pooling ? body.find("data") : nullptr;
  if (body.find("input") == nullptr && messages != nullptr) {
    std::string text;
    body.refuse(read_messages(*messages, "messages", {text, out.media}));
    out.inputs.push_back(std::move(text));
  } else if (body.find("input") == nullptr && data != nullptr) {
    out.for_plugin = true;
    out.inputs.emplace_back(base::text_of(data));
  } else {
    read_input_or_urls(body, out);
  }
  if (out.kind == api_kind::pooling) {
    std::string_view task;
    body.choice("task", {"embed", "classify", "score", "token_embed", "token_classify", "plugin"},
                task);
  }
  read_form_of_vectors(body, out);
}

/// A query or a document: a text, or an object with the list `content` of content parts. `param`:
/// the name of the member.
bool read_side(const base::json_value& from, const std::string& param, const content_sink& out) {
  if (from.IsString()) {
    out.text = base::text_of(&from);
    return true;
  }
  const base::json_value* const content = base::find(from, "content");
  if (content == nullptr || !content->IsArray()) return false;
  read_ranked_parts(*content, param, out);
  return true;
}

void read_ranked(body_reader& body, pooling_request& out) {
  std::string query;
  const base::json_value* const asked = body.required("query");
  if (asked != nullptr && !read_side(*asked, "query", {query, out.media}))
    body.refuse("query", "must be a text.");
  const base::json_value* const list = body.required("documents");
  if (list == nullptr) return;
  if (!list->IsArray() || list->Empty())
    return body.refuse("documents", "must be a list of texts, not empty.");
  if (list->Size() > most_inputs)
    return body.refuse("documents", "must be " + std::to_string(most_inputs) + " texts or fewer.");
  std::uint64_t bytes = 0;
  for (rapidjson::SizeType i = 0; i < list->Size(); ++i) {
    std::string document;
    if (!read_side((*list)[i], "documents." + std::to_string(i), {document, out.media}))
      return body.refuse("documents", "must be a list of texts.");
    bytes += query.size() + document.size();
    if (bytes > most_pair_bytes)
      return body.refuse("documents", "must have, each with the query, " +
                                          std::to_string(most_pair_bytes) +
                                          " tokens or fewer in all.");
    out.inputs.push_back(query + document);
    out.documents.push_back(std::move(document));
  }
  std::optional<std::uint64_t> top;
  body.count("top_n", 0, top);
  if (top.value_or(0) != 0) out.top = *top;
}

/// Cuts the inputs to truncate_prompt_tokens, and refuses inputs that are then too long.
void fit(body_reader& body, std::uint64_t max_model_len, pooling_request& out) {
  std::optional<std::int64_t> limit;
  body.integer("truncate_prompt_tokens", -1, limit);
  if (!body.good()) return;
  if (limit && *limit > 0 && static_cast<std::uint64_t>(*limit) > max_model_len)
    return body.refuse(bad_request("truncate_prompt_tokens",
                                   "truncate_prompt_tokens value is greater than max_model_len. "
                                   "Please request a smaller truncation size."));
  for (std::string& input : out.inputs) {
    if (limit) {
      const std::uint64_t most = *limit < 0 ? max_model_len : static_cast<std::uint64_t>(*limit);
      if (input.size() / out.token_bytes > most) input.resize(most * out.token_bytes);
    }
    if (input.size() / out.token_bytes <= max_model_len) continue;
    return body.refuse(bad_request(
        out.kind == api_kind::rerank ? "documents" : "input",
        "This model's maximum context length is " + std::to_string(max_model_len) +
            " tokens. However, you requested " + std::to_string(input.size() / out.token_bytes) +
            " tokens in the input. Please reduce the length of the input."));
  }
}

}  // namespace

std::uint64_t pooling_request::prompt_tokens() const noexcept {
  std::uint64_t bytes = 0;
  for (const std::string& input : inputs)
    bytes += input.size();
  return bytes / token_bytes;
}

std::optional<refusal> read_pooling(std::string_view body, const pooling_model& model,
                                    pooling_request& out) {
  const api_kind kind = out.kind;
  out = {};
  out.kind = kind;
  out.dimensions = model.dimensions;
  rapidjson::Document document;
  if (auto no = parse_body(body, document)) return no;
  body_reader members(document);
  members.text("model", out.model);
  if (kind == api_kind::rerank)
    read_ranked(members, out);
  else
    read_vectors(members, out);
  fit(members, model.max_model_len, out);
  keep_contents(out.media, body);
  return members.result();
}

}  // namespace inferbench::simulator
