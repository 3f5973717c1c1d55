#include "cli/requests.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <string>

#include <inferbench/json_reader.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/text.hpp>

#include "base/arena.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "plugin/instance.hpp"
#include "services/loaded_dataset.hpp"

namespace inferbench::cli {

namespace {

/// The backend of the plan with its model.
options::plugin_choice backend_of(const config::plan& plan) {
  options::plugin_choice out = plan.backend;
  if (plugin::is_engine(out.library))
    throw base::error("backend " + out.use + " sends no HTTP requests that could be shown",
                      "leave --backend out to see the samples");
  const std::string& model = plan.served_model.empty() ? plan.model : plan.served_model;
  if (!model.empty()) out.set_text("model", model);
  const bool takes_model = out.value_of("model") != nullptr;
  if (model.empty() && takes_model)
    throw base::error("no model is given, and the server is not asked for one",
                      "name it with --model");
  return out;
}

std::string joined(const ifb_http_request& request) {
  std::string out;
  for (const ifb_bytes& part : std::span(request.body, request.body_count))
    out.append(static_cast<const char*>(part.data), part.size);
  return out;
}

void write_body(ifb::json_writer& out, std::string body) {
  rapidjson::Document document;
  if (!ifb::parse_json(body, document)) {
    // Line breaks in JSON are blanks between its parts: each request is one line here.
    std::ranges::replace_if(body, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    out.key("body");
    out.raw(body);
  } else if (base::valid_utf8(body) == body) {
    out.member("body_text", body);
  } else {
    out.member("body_base64", ifb::base64(body));
  }
}

std::string request_line(const plugin::codec& codec, const plugin::instance& backend,
                         const ifb_sample& sample) {
  ifb::json_writer out;
  out.begin_object();
  out.key("request_id");
  if (sample.id.size == 0)
    out.null();
  else
    out.string(plugin::view(sample.id));
  base::arena memory;
  ifb_error error = plugin::empty_error();
  ifb_exchange* exchange = nullptr;
  ifb_http_request request{};
  request.struct_size = sizeof request;
  ifb_status status = codec.open(backend.get(), &sample, &memory, &exchange, &error);
  if (status == IFB_OK && exchange != nullptr) status = codec.request(exchange, &request, &error);
  if (status < 0) {
    out.member("error", plugin::text_of(error, status));
  } else {
    out.member("method", request.method.size == 0 ? "POST" : plugin::view(request.method));
    out.member("target", plugin::view(request.target));
    write_body(out, joined(request));
  }
  if (exchange != nullptr) codec.close(exchange);
  out.end_object();
  return out.take() + "\n";
}

}  // namespace

void show_requests(const config::plan& plan, base::log& log, base::output& to) {
  const options::plugin_choice chosen = backend_of(plan);
  services::loaded_dataset data(plan, log, to);
  const std::unique_ptr<plugin::instance> backend = chosen.create(data.services());
  const plugin::codec codec = plugin::codec_of(*backend);
  while (!data.out().failed()) {
    const auto sample = data.samples().next();
    if (!sample) break;
    data.out().print(request_line(codec, *backend, sample->c));
  }
}

}  // namespace inferbench::cli
