// A worker process of the plugin python-engine for tests. The tests name this program in place of
// Python, and the host starts it as scripted_worker FILE SCRIPT. FILE is not used. SCRIPT is the
// name of a behaviour: a fault, or an answer that follows docs/engine-protocol.md.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <string>
#include <string_view>

#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

using std::string;
using std::string_view;

constexpr int socket_number = 3;  // the file descriptor that the protocol prescribes

/// The lowest `size` bytes of `value`, little-endian.
string little(std::uint64_t value, std::size_t size) {
  string out;
  for (std::size_t i = 0; i < size; ++i)
    out += static_cast<char>(value >> (8 * i) & 0xFFU);
  return out;
}
std::uint64_t number_at(string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = size; i-- > 0;)
    out = out << 8U | static_cast<unsigned char>(bytes[at + i]);
  return out;
}
/// The worker's clock, in nanoseconds.
std::uint64_t now() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(time.tv_nsec);
}

void send_bytes(string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t wrote = ::send(socket_number, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (wrote <= 0) std::_Exit(3);
    bytes.remove_prefix(static_cast<std::size_t>(wrote));
  }
}
void send(unsigned kind, string_view payload) {
  send_bytes(little(payload.size(), 4) + little(kind, 4) + string(payload));
}

/// Ends the process if the host has closed the socket.
string receive(std::size_t size) {
  string out(size, '\0');
  std::size_t have = 0;
  while (have < size) {
    const ssize_t got = ::recv(socket_number, out.data() + have, size - have, 0);
    if (got <= 0) std::_Exit(0);
    have += static_cast<std::size_t>(got);
  }
  return out;
}

// The kinds of frames from the host, and then the kinds from the worker.
enum : unsigned { hello = 1, load, ping, run, items, go, cancel, profile, bye, submit, abort_one };
enum : unsigned {
  welcome = 65,
  ready,
  pong,
  began,
  tokens,
  ended,
  results,
  done,
  profiled,
  log_line,
  progress,
  error,
  text,
  finished
};

string_view script;
/// Whether the test has selected the script `name`.
bool is(string_view name) { return script == name; }

[[noreturn]] void hang() {
  for (;;)
    ::pause();
}

/// The integer after `"key": ` in the JSON of the host; -1 if the key is missing. The text of
/// `json` must end with a zero byte.
long value_of(string_view json, string_view key) {
  const auto at = json.find("\"" + string(key) + "\": ");
  return at == string_view::npos ? -1 : std::atol(json.data() + at + key.size() + 4);
}

void answer_hello() {
  if (is("writes-and-exits")) {
    std::puts("Traceback (most recent call last):");
    std::puts("SyntaxError: invalid syntax");
    std::fflush(stdout);
    std::_Exit(1);
  }
  if (is("exits")) std::_Exit(0);
  if (is("silent")) hang();
  if (is("import"))
    return send(error, R"({"kind":"import","text":"No module named 'vllm'","package":"vllm"})"),
           std::_Exit(1);
  if (is("garbage")) return send_bytes("HTTP/1.1 200 OK\r\n\r\n");
  // One byte more than the longest payload, 2^28.
  if (is("too-long")) return send_bytes(little(0x10000001, 4) + little(welcome, 4));
  if (is("kind-of-host")) return send(hello, "{}");
  if (is("cut")) return send_bytes(little(100, 4) + little(welcome, 4) + "{\"a\":"), std::_Exit(0);
  if (is("quotes-cut"))
    return send(log_line, R"({"the socket ended":1,"the socket ended":2})"), std::_Exit(0);
  if (is("cut-and-open"))
    return send_bytes(little(100, 4) + little(welcome, 4) + "{\"a\":"),
           static_cast<void>(::shutdown(socket_number, SHUT_RDWR)), hang();
  if (is("version")) return send(welcome, R"({"protocol":2,"worker":"w","pid":1,"adapter":"a"})");
  if (is("wrong-type"))
    return send(welcome, R"({"protocol":1,"worker":"w","pid":"1","adapter":"a"})");
  if (is("ready-first")) return send(ready, R"({"load_ns":1})");
  if (is("logs")) {
    std::puts("to standard output");
    std::fflush(stdout);
    send(log_line, R"({"level":"warning","text":"from the adapter"})");
  }
  const char* const named = std::getenv("SCRIPTED_ENGINE");
  send(welcome, R"({"protocol":1,"worker":"scripted 1","pid":)" + std::to_string(::getpid()) +
                    R"(,"adapter":"scripted","engine":")" +
                    (named == nullptr ? "scripted 1.0" : named) + R"(","python":"3.0"})");
}

void answer_load(string_view options) {
  if (is("load-option"))
    return send(error, R"({"kind":"option","option":"max_model_len","text":"not a number: 'x'"})"),
           std::_Exit(1);
  if (is("load-memory"))
    return send(error, R"({"kind":"memory","text":"CUDA out of memory. Tried to allocate 2 GiB"})"),
           std::_Exit(1);
  if (is("load-silent")) hang();
  if (is("load-killed")) ::raise(SIGKILL);
  send(progress, R"({"done":1,"of":2})");
  if (is("load-progress")) send(progress, R"({"done":3,"of":2})");
  const bool checked = !is("options") || options.find("\"max_model_len\": 4096") != options.npos;
  send(ready, R"({"load_ns":2000,"max_model_len":)" + string(checked ? "4096" : "1") +
                  R"(,"max_adapters":null,"capabilities":["generate","chat","submit","async"],)"
                  R"("measures":[{"name":"compilation","value":1.5}]})");
}

void start_children() {
  // The grandchild is in a new session, so it is not in the worker's process group. Its parent ends
  // at once.
  if (::fork() == 0) {
    ::setsid();
    if (::fork() == 0) {
      send(log_line,
           R"({"level":"info","text":"grandchild )" + std::to_string(::getpid()) + R"("})");
      hang();
    }
    std::_Exit(0);
  }
}

void answer_go(std::uint64_t number, long count) {
  if (is("children")) start_children();
  const std::uint64_t begin = now();
  if (is("dies-silently")) std::_Exit(7);
  send(began, little(begin, 8));
  if (is("dies")) {
    std::fputs("loading\rRuntimeError: device lost\n", stderr);
    ::raise(SIGTERM);
  }
  if (is("killed")) ::raise(SIGKILL);
  if (is("batch-silent")) hang();
  if (is("closes-socket")) return static_cast<void>(::shutdown(socket_number, SHUT_RDWR)), hang();
  if (is("unsupported"))
    return send(error, R"({"kind":"unsupported","text":"n > 1","fatal":false})");
  string events;
  for (long i = 0; i < count; ++i)
    events += little(static_cast<std::uint64_t>(i), 4) + little(0, 2) + little(1, 2);
  for (int step = 0; step < 2; ++step)
    send(tokens, little(now(), 8) + little(static_cast<std::uint64_t>(count), 4) + events);
  if (is("unknown-item"))
    send(tokens, little(now(), 8) + little(1, 4) + little(99, 4) + little(0, 2) + little(1, 2));
  send(ended, little(begin, 8) + little(now(), 8));
  const long sent = is("fewer") ? count - 1 : count;
  string list;
  for (long i = 0; i < sent; ++i)
    list += string(i == 0 ? "" : ",") + R"({"prompt_tokens":)" +
            (is("bad-result") && i == 1 ? "\"3\"" : "3") +
            R"(,"outputs":[{"tokens":2,"text":"a b","finish_reason":"length"}]})";
  send(results, R"({"first":0,"results":[)" + list + "]}");
  send(done, R"({"run":)" + std::to_string(number) + R"(,"results":)" + std::to_string(sent) +
                 R"(,"measures":[{"name":"steps","unit":"1","value":2}]})");
}

void send_finished(long request) {
  send(finished, R"({"request":)" + std::to_string(request) +
                     R"(,"result":{"prompt_tokens":4,"outputs":[{"tokens":2,"text":"one two",)"
                     R"("finish_reason":"stop"}]}})");
}

void answer_submit(long request) {
  const auto number = static_cast<std::uint64_t>(request);
  if (is("unknown-request")) return send(finished, R"({"request":99,"result":{"outputs":[{}]}})");
  if (is("submit-dies")) std::_Exit(9);
  if (is("submit-refused"))
    return send(error, R"({"kind":"protocol","text":"not between 1 and 7","frame":"submit",)"
                       R"("field":"item.output_tokens"})"),
           std::_Exit(2);
  if (is("submit-done")) return send(done, "{}"), std::_Exit(9);
  if (is("submit-silent") || is("submit-until-abort")) return;
  if (!is("submit-whole"))
    for (const string_view word : {"one", " two"})
      send(text, little(now(), 8) + little(1, 4) + little(number, 4) + little(0, 2) + little(1, 2) +
                     little(word.size(), 4) + string(word));
  send_finished(request);
}

/// Ends the aborted request and the next.
void answer_abort(long request) {
  if (!is("submit-until-abort")) return;
  send(finished, R"({"request":)" + std::to_string(request) + R"(,"result":{"error":"aborted"}})");
  send_finished(request + 1);
}

}  // namespace

int main(int count, char** words) {
  script = count > 2 ? words[2] : "";
  ::signal(SIGINT, SIG_IGN);
  long number = 0;
  long size = 0;
  bool cancelled = false;
  for (;;) {
    const string head = receive(8);
    const string payload = receive(number_at(head, 0, 4));
    switch (static_cast<unsigned char>(head[4])) {
      case hello: answer_hello(); break;
      case load: answer_load(payload); break;
      case ping:
        send(pong, payload + little(now() + (is("other-clock") ? 5'000'000'000U : 0), 8));
        break;
      case run:
        number = value_of(payload, "run");
        size = value_of(payload, "count");
        if (is("never-reads")) hang();
        break;
      case go:
        if (is("until-cancelled")) {
          send(began, little(now(), 8));
          send(log_line, R"({"level":"info","text":"running"})");
          break;
        }
        answer_go(static_cast<std::uint64_t>(number), size);
        break;
      case cancel:
        if (!cancelled && is("until-cancelled"))
          send(error, R"({"kind":"cancelled","text":"cancelled","fatal":false})");
        cancelled = true;
        break;
      case submit:
        // The payload begins with 4 bytes that have the length of the JSON.
        answer_submit(value_of(string_view(payload).substr(4), "request"));
        break;
      case abort_one: answer_abort(value_of(payload, "request")); break;
      case bye: return is("ignores-bye") ? (hang(), 0) : 0;
      default: break;
    }
  }
}
