#include "http.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <filesystem>
#include <mutex>
#include <new>
#include <tuple>

#include <curl/curl.h>

#include <inferbench/guard.hpp>

namespace hub {

namespace {

constexpr std::size_t most_header_bytes = std::size_t{256} * 1024;

void start_library() {
  // Never undone, because another plugin of the process may also use the library.
  static std::once_flag once;
  std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.back() == '\r' || text.back() == '\n' || text.back() == ' '))
    text.remove_suffix(1);
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  return text;
}

struct release_list {
  void operator()(curl_slist* list) const noexcept { curl_slist_free_all(list); }
};
using header_list = std::unique_ptr<curl_slist, release_list>;

void append(header_list& list, const std::string& line) {
  curl_slist* const longer = curl_slist_append(list.get(), line.c_str());
  if (longer == nullptr) throw std::bad_alloc{};
  std::ignore = list.release();
  list.reset(longer);
}

/// If the server was never reached, there is no second attempt: the user is told immediately.
bool is_temporary(CURLcode code, bool connected) {
  if (!connected) return false;
  switch (code) {
    case CURLE_PARTIAL_FILE:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return true;
    default: return false;
  }
}

}  // namespace

std::string http_answer::header(std::string_view name) const {
  const auto at = headers.find(name);
  return at == headers.end() ? std::string{} : at->second;
}

struct http_client::state {
  struct release_handle {
    void operator()(CURL* made) const noexcept { curl_easy_cleanup(made); }
  };

  ifb::host host;
  environment settings;
  std::unique_ptr<CURL, release_handle> handle;
  std::array<char, CURL_ERROR_SIZE> message{};

  // The request in progress.
  http_answer answer;
  const body_sink* sink = nullptr;
  std::size_t header_bytes = 0;
  std::exception_ptr thrown;

  state(ifb::host given, environment chosen) : host(given), settings(std::move(chosen)) {
    start_library();
    handle.reset(curl_easy_init());
    if (handle == nullptr) throw std::bad_alloc{};
  }

  static std::size_t on_header(char* data, std::size_t, std::size_t size, void* to) {
    return static_cast<state*>(to)->guarded(size, [&](state& self) {
      self.header_bytes += size;
      if (self.header_bytes > most_header_bytes)
        throw ifb::failure(IFB_E_REMOTE, "the answer has more than 256 KiB of headers");
      self.take_header({data, size});
    });
  }
  static std::size_t on_body(char* data, std::size_t, std::size_t size, void* to) {
    return static_cast<state*>(to)->guarded(size, [&](state& self) {
      long status = 0;
      curl_easy_getinfo(self.handle.get(), CURLINFO_RESPONSE_CODE, &status);
      self.answer.status = static_cast<int>(status);
      (*self.sink)(self.answer, {data, size});
    });
  }
  static int on_progress(void* to, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
    return static_cast<state*>(to)->host.cancelled() ? 1 : 0;
  }

  /// No exception may pass through the library, which is written in C.
  template <typename call>
  std::size_t guarded(std::size_t size, call&& body) noexcept {
    try {
      body(*this);
      return size;
    } catch (...) {
      thrown = std::current_exception();
      return size == 0 ? 1 : 0;
    }
  }

  void take_header(std::string_view line) {
    // the status line of a proxy, of an interim answer or of the answer; only the last one counts
    if (line.starts_with("HTTP/")) {
      answer.headers.clear();
      return;
    }
    const auto colon = line.find(':');
    if (colon == line.npos) return;
    std::string name(line.substr(0, colon));
    std::ranges::transform(name, name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const bool list = name == "link";  // the only list among the fields that the hub's code reads
    std::string& value = answer.headers[std::move(name)];
    // The lines of a list make one list (RFC 9110, section 5.3).
    if (list && !value.empty())
      value.append(", ").append(trimmed(line.substr(colon + 1)));
    else
      value = trimmed(line.substr(colon + 1));
  }

  template <typename value>
  void set(CURLoption option, value given) {
    curl_easy_setopt(handle.get(), option, given);
  }

  void set_up(const http_request& what, const header_list& headers) {
    curl_easy_reset(handle.get());  // open connections are kept
    set(CURLOPT_ERRORBUFFER, message.data());
    set(CURLOPT_URL, what.url.c_str());
    set(CURLOPT_PROTOCOLS_STR, "http,https");
    set(CURLOPT_NOSIGNAL, 1L);
    set(CURLOPT_NOBODY, what.head ? 1L : 0L);
    set(CURLOPT_HTTPHEADER, headers.get());
    set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1L);
    set(CURLOPT_CONNECTTIMEOUT_MS, static_cast<long>(settings.connect_timeout.count()));
    // A transfer may take hours, but it fails if less than one byte per second arrives during the
    // silence time-out.
    set(CURLOPT_LOW_SPEED_LIMIT, 1L);
    set(CURLOPT_LOW_SPEED_TIME,
        std::max(1L, static_cast<long>(settings.silence_timeout.count() / 1000)));
    if (what.head)
      set(CURLOPT_TIMEOUT_MS,
          static_cast<long>(settings.connect_timeout.count() + settings.silence_timeout.count()));
    if (!settings.certificates.empty()) {
      std::error_code ignored;
      const bool folder = std::filesystem::is_directory(settings.certificates, ignored);
      set(folder ? CURLOPT_CAPATH : CURLOPT_CAINFO, settings.certificates.c_str());
    }
    set(CURLOPT_HEADERFUNCTION, &on_header);
    set(CURLOPT_HEADERDATA, this);
    set(CURLOPT_WRITEFUNCTION, &on_body);
    set(CURLOPT_WRITEDATA, this);
    set(CURLOPT_NOPROGRESS, 0L);
    set(CURLOPT_XFERINFOFUNCTION, &on_progress);
    set(CURLOPT_XFERINFODATA, this);
  }
};

http_client::http_client(ifb::host host, const environment& settings)
    : state_(std::make_unique<state>(host, settings)) {}

http_client::~http_client() = default;

http_answer http_client::fetch(const http_request& what, const body_sink& sink) {
  state& self = *state_;
  self.answer = {};
  self.sink = &sink;
  self.header_bytes = 0;
  self.thrown = nullptr;
  self.message[0] = '\0';

  header_list headers;
  append(headers, std::string("User-Agent: inferbench/") + self.host.version());
  // Lengths and ranges are correct for the file only if the transfer is not compressed.
  append(headers, "Accept-Encoding: identity");
  if (!what.token.empty()) append(headers, "Authorization: Bearer " + what.token);
  if (what.from > 0) append(headers, "Range: bytes=" + std::to_string(what.from) + "-");
  self.set_up(what, headers);

  const CURLcode code = curl_easy_perform(self.handle.get());
  self.set(CURLOPT_HTTPHEADER, static_cast<curl_slist*>(nullptr));
  if (self.thrown != nullptr) std::rethrow_exception(self.thrown);
  if (self.host.cancelled())
    throw ifb::failure(IFB_E_CANCELLED, "stopped while fetching " + what.url);
  long status = 0;
  curl_easy_getinfo(self.handle.get(), CURLINFO_RESPONSE_CODE, &status);
  self.answer.status = static_cast<int>(status);
  if (code != CURLE_OK) {
    self.answer.status = 0;
    self.answer.trouble = self.message[0] != '\0' ? self.message.data() : curl_easy_strerror(code);
    curl_off_t connected = 0;
    curl_easy_getinfo(self.handle.get(), CURLINFO_PRETRANSFER_TIME_T, &connected);
    self.answer.is_temporary = is_temporary(code, connected > 0);
  }
  return std::move(self.answer);
}

}  // namespace hub
