#include "remote.hpp"

#include <algorithm>
#include <charconv>
#include <thread>

#include <inferbench/json_reader.hpp>
#include <inferbench/text.hpp>

#include "digest.hpp"
#include "link_header.hpp"
#include "url.hpp"

namespace hub {

namespace {

constexpr int most_redirects = 10;
constexpr int most_pages = 1000;
constexpr std::size_t most_listing_bytes = std::size_t{64} << 20U;
constexpr std::chrono::seconds longest_pause{60};

std::optional<std::uint64_t> number(const std::string& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

/// Returns the tag without its quotes, and without the prefix W/ of a weak tag.
std::string bare_tag(std::string text) {
  if (text.starts_with("W/")) text.erase(0, 2);
  std::erase(text, '"');
  return text;
}

bool busy(int status) { return status == 408 || status == 429 || (status >= 500 && status <= 504); }

}  // namespace

remote::remote(ifb::host host, const environment& settings, repository_type type, std::string id)
    : host_(host),
      settings_(settings),
      type_(type),
      id_(std::move(id)),
      origin_(origin_of(settings.endpoint)),
      client_(host, settings) {
  if (origin_.empty())
    throw ifb::failure(IFB_E_CONFIG, "HF_ENDPOINT is not an address: \"" + settings.endpoint +
                                         "\"; write it as https://host");
}

std::string remote::address(const std::string& revision, const std::string& file) const {
  return settings_.endpoint + (type_ == repository_type::dataset ? "/datasets/" : "/") +
         ifb::percent_encoded(id_, "/") + "/resolve/" + ifb::percent_encoded(revision) + "/" +
         ifb::percent_encoded(file, "/");
}

http_answer remote::follow(http_request what, const body_sink& sink) {
  http_answer told;  // the headers about the file from all redirects
  for (int hop = 0; hop < most_redirects; ++hop) {
    what.token = origin_of(what.url) == origin_ ? settings_.token : std::string{};
    http_answer answer =
        client_.fetch(what, [&](const http_answer& so_far, std::string_view bytes) {
          if (!so_far.is_redirect()) sink(so_far, bytes);
        });
    // The first answer with a tag comes from the hub. The store to which the hub redirects may send
    // a different tag.
    for (const auto& [name, value] : told.headers)
      answer.headers[name] = value;
    const bool enough = what.head && !answer.header("x-linked-etag").empty() &&
                        !answer.header("x-repo-commit").empty();
    if (!answer.is_redirect() || enough) return answer;
    const auto next = resolved(what.url, answer.header("location"));
    if (!next)
      throw unavailable(IFB_E_REMOTE, what.url + " redirects to \"" + answer.header("location") +
                                          "\", which is not a usable address");
    for (const char* name : {"x-repo-commit", "x-linked-etag", "x-linked-size"}) {
      if (const std::string value = answer.header(name); !value.empty())
        told.headers.emplace(name, value);
    }
    what.url = *next;
  }
  throw unavailable(IFB_E_REMOTE, what.url + " redirects without end");
}

void remote::wait(int attempt, const http_answer& failed) const {
  auto pause = settings_.pause * (1 << std::min(attempt - 1, 5));
  if (const auto asked = number(failed.header("retry-after")))
    pause = std::chrono::seconds(std::min<std::uint64_t>(*asked, 3600));
  pause = std::min<std::chrono::milliseconds>(pause, longest_pause);
  const auto until = std::chrono::steady_clock::now() + pause;
  while (std::chrono::steady_clock::now() < until) {
    if (host_.cancelled()) throw ifb::failure(IFB_E_CANCELLED, "stopped while fetching " + id_);
    std::this_thread::sleep_for(
        std::min<std::chrono::milliseconds>(pause, std::chrono::milliseconds(50)));
  }
}

http_answer remote::with_retries(const http_request& what, const body_sink& sink,
                                 const std::function<void()>& before_each) {
  for (int attempt = 1;; ++attempt) {
    if (before_each) before_each();
    http_answer answer = follow(what, sink);
    const bool is_temporary = answer.status == 0 ? answer.is_temporary : busy(answer.status);
    if (!is_temporary || attempt >= settings_.attempts) return answer;
    host_.info("trying again: " + what.url + ": " +
               (answer.status == 0 ? answer.trouble : "HTTP " + std::to_string(answer.status)));
    wait(attempt, answer);
  }
}

void remote::refuse(const http_answer& answer, const std::string& what) const {
  const std::string& from = settings_.endpoint;
  const std::string code = answer.header("x-error-code");
  const std::string page = from + (type_ == repository_type::dataset ? "/datasets/" : "/") + id_;
  if (answer.status == 0)
    throw unavailable(IFB_E_IO, "cannot fetch " + what + ": " + from + " cannot be reached (" +
                                    answer.trouble +
                                    "); check the network and https_proxy, set HF_ENDPOINT to a "
                                    "mirror, or give a local folder (there is no folder " +
                                    id_ + ")");
  if (code == "RevisionNotFound")
    throw unavailable(IFB_E_CONFIG,
                      "cannot fetch " + what + ": " + id_ +
                          " has no such revision; check its branches at " + page,
                      "revision");
  if (code == "GatedRepo" || answer.status == 403)
    throw unavailable(IFB_E_CONFIG, "cannot fetch " + what + ": access to " + id_ +
                                        " is not granted (HTTP " + std::to_string(answer.status) +
                                        "); accept the licence at " + page +
                                        " and set HF_TOKEN to a token of that account");
  if (code == "RepoNotFound" || answer.status == 401 || answer.status == 404)
    throw unavailable(IFB_E_CONFIG,
                      "cannot fetch " + what + ": " + from + " knows no " + id_ +
                          ", or it is private or gated" +
                          (settings_.token.empty()
                               ? "; check the name, and set HF_TOKEN if it needs one"
                               : " for the account of HF_TOKEN; check the name and the token") +
                          " (there is no folder " + id_ + " either)");
  // The hub allows more requests with a token than without one.
  const bool too_many = answer.status == 429 && settings_.token.empty();
  throw unavailable(IFB_E_REMOTE, "cannot fetch " + what + ": " + from + " answers HTTP " +
                                      std::to_string(answer.status) + "; try again later" +
                                      (too_many ? ", set HF_TOKEN" : "") +
                                      ", or give a local folder");
}

file_facts remote::ask(const std::string& revision, const std::string& file) {
  http_request what;
  what.url = address(revision, file);
  what.head = true;
  const http_answer answer = with_retries(what, [](const http_answer&, std::string_view) {});
  file_facts out;
  out.commit = answer.header("x-repo-commit");
  if (!out.commit.empty() && !is_plain_name(out.commit))
    throw unavailable(IFB_E_REMOTE, settings_.endpoint + " sent an invalid commit id");
  const std::string code = answer.header("x-error-code");
  if (answer.status == 404 && (code == "EntryNotFound" || (code.empty() && !out.commit.empty())))
    return out;
  if (answer.status < 200 || answer.status >= 400) refuse(answer, file + " of " + id_);

  const std::string linked = answer.header("x-linked-etag");
  const std::string tag = bare_tag(linked.empty() ? answer.header("etag") : linked);
  if (out.commit.empty() || tag.empty())
    throw unavailable(IFB_E_REMOTE, settings_.endpoint +
                                        " does not answer as a hub does (no X-Repo-Commit or ETag "
                                        "for " +
                                        file + "); check HF_ENDPOINT and https_proxy");
  out.exists = true;
  if (is_sha256(tag)) out.sha256 = tag;
  if (is_plain_name(tag)) {
    out.etag = tag;
  } else {
    sha256 digest;
    digest.update(tag);
    out.etag = digest.finish();
  }
  out.size = number(answer.header(linked.empty() ? "content-length" : "x-linked-size"));
  return out;
}

http_answer remote::get(const std::string& commit, const std::string& file, std::uint64_t from,
                        const body_sink& sink) {
  http_request what;
  what.url = address(commit, file);
  what.from = from;
  http_answer answer = follow(what, [&](const http_answer& so_far, std::string_view bytes) {
    if (so_far.status == 200 || so_far.status == 206) sink(so_far, bytes);
  });
  const bool usable = answer.status == 200 || answer.status == 206 || answer.status == 416 ||
                      (answer.status == 0 && answer.is_temporary) || busy(answer.status);
  if (!usable) refuse(answer, file + " of " + id_);
  return answer;
}

std::string remote::address_of_tree(const std::string& revision) const {
  return settings_.endpoint +
         (type_ == repository_type::dataset ? "/api/datasets/" : "/api/models/") +
         ifb::percent_encoded(id_, "/") + "/tree/" + ifb::percent_encoded(revision);
}

/// Calls `take` for each file of a listing, page by page. Returns false if the hub does not know
/// the listed folder. Throws unavailable if a page is missing.
bool remote::walk(std::string url, const std::function<void(const listed_file&)>& take) {
  for (int page = 0; page < most_pages; ++page) {
    http_request what;
    what.url = url;
    std::string body;
    const http_answer answer = with_retries(
        what,
        [&](const http_answer&, std::string_view bytes) {
          if (body.size() + bytes.size() > most_listing_bytes)
            throw unavailable(IFB_E_REMOTE, "the listing of " + id_ + " is longer than 64 MiB");
          body += bytes;
        },
        [&] { body.clear(); });
    const std::string code = answer.header("x-error-code");
    // A later page belongs to a folder that exists.
    if (answer.status == 404 && page > 0)
      throw unavailable(IFB_E_REMOTE, "the listing of " + id_ + " is incomplete: " + url +
                                          " answers HTTP 404; try again later, or give a local "
                                          "folder");
    if (answer.status == 404 && (code.empty() || code == "EntryNotFound")) return false;
    if (answer.status != 200) refuse(answer, "the listing of " + id_);

    rapidjson::Document document;
    document.Parse<rapidjson::kParseIterativeFlag>(body.data(), body.size());
    if (document.HasParseError() || !document.IsArray())
      throw unavailable(IFB_E_REMOTE, settings_.endpoint + " lists " + id_ + " in no known form");
    for (const auto& entry : document.GetArray()) {
      if (ifb::text_of(ifb::find(entry, "type")) != "file") continue;
      const std::int64_t size = ifb::integer_of(ifb::find(entry, "size"), 0);
      listed_file file{std::string(ifb::text_of(ifb::find(entry, "path"))),
                       static_cast<std::uint64_t>(std::max<std::int64_t>(size, 0))};
      if (is_inside_path(file.path)) take(file);
    }
    const std::string link = next_page(answer.header("link"));
    if (link.empty()) return true;
    const auto next = resolved(url, link);
    if (!next)
      throw unavailable(IFB_E_REMOTE, std::string("the listing of ")
                                          .append(id_)
                                          .append(" at ")
                                          .append(url)
                                          .append(" continues at \"")
                                          .append(link)
                                          .append("\", which is not a usable address"));
    url = *next;
  }
  throw unavailable(IFB_E_REMOTE, "the listing of " + id_ + " has more than " +
                                      std::to_string(most_pages) + " pages; the next is " + url);
}

std::optional<std::vector<std::string>> remote::list(const std::string& revision,
                                                     const std::string& folder) {
  std::vector<std::string> out;
  const std::string inside = folder + "/";
  const auto take = [&](const listed_file& file) {
    const bool here =
        file.path.starts_with(inside) && file.path.find('/', inside.size()) == std::string::npos;
    if (here) out.push_back(file.path.substr(inside.size()));
  };
  if (!walk(address_of_tree(revision) + "/" + ifb::percent_encoded(folder, "/"), take))
    return std::nullopt;
  std::ranges::sort(out);
  return out;
}

std::vector<listed_file> remote::list_all(const std::string& revision) {
  std::vector<listed_file> out;
  const auto take = [&](const listed_file& file) { out.push_back(file); };
  if (!walk(address_of_tree(revision) + "?recursive=true", take))
    throw unavailable(IFB_E_REMOTE, settings_.endpoint + " does not list the files of " + id_);
  std::ranges::sort(out, {}, &listed_file::path);
  return out;
}

}  // namespace hub
