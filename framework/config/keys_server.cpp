#include "config/key_table.hpp"

namespace inferbench::config {

void server_keys(key_table& t) {
  t.group("server");
  t.add({.table = "server",
         .name = "base-url",
         .flag = "base-url",
         .type = IFB_STRINGS,
         .help = "Addresses of the server, without the endpoint; requests use several in turn; "
                 "replace host and port",
         .value_name = "URL",
         .takes = options::arity::some,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "host",
         .flag = "host",
         .help = "Host of the server",
         .fallback = "\"127.0.0.1\"",
         .commands = in_tools});
  t.add({.table = "server",
         .name = "port",
         .flag = "port",
         .type = IFB_INT,
         .help = "Port of the server",
         .value_name = "PORT",
         .fallback = "8000",
         .minimum = 1,
         .maximum = 65535,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "header",
         .flag = "header",
         .type = IFB_STRINGS,
         .help = "Headers to send with each request",
         .shape = options::form::pairs,
         .takes = options::arity::any,
         .secret = true,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "api-key",
         .help = "Sent as a bearer token; $OPENAI_API_KEY if not given",
         .secret = true,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "connect-timeout",
         .flag = "connect-timeout",
         .type = IFB_DURATION,
         .help = "Give up on a connection that takes longer",
         .fallback = "\"10s\"",
         .maximum = unbounded,
         .above = true,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "first-byte-timeout",
         .flag = "first-byte-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request if its answer has not begun by then; 0: never",
         .fallback = "\"0s\"",
         .maximum = unbounded,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "idle-timeout",
         .flag = "idle-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request if its answer pauses for longer; 0: never",
         .fallback = "\"0s\"",
         .maximum = unbounded,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "request-timeout",
         .flag = "request-timeout",
         .type = IFB_DURATION,
         .help = "Fail a request that takes longer in total; 0: never",
         .fallback = "\"6h\"",
         .maximum = unbounded,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "stall-warning",
         .flag = "stall-warning",
         .type = IFB_DURATION,
         .help = "Warn about a request that has been silent for this long; 0: never",
         .fallback = "\"60s\"",
         .maximum = unbounded,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "max-message",
         .flag = "max-message",
         .type = IFB_SIZE,
         .help = "Fail a request if an event, a line or an unstreamed answer is longer",
         .fallback = "\"64MiB\"",
         .minimum = 1024,
         .maximum = unbounded,
         .commands = in_tools});
  t.add({.table = "server",
         .name = "max-answer",
         .flag = "max-answer",
         .type = IFB_SIZE,
         .help = "Fail a request if its whole answer is longer",
         .fallback = "\"1GiB\"",
         .minimum = 1024,
         .maximum = unbounded,
         .commands = in_tools});
  t.group("tls");
  t.add({.table = "server",
         .name = "ca-cert",
         .flag = "ca-cert",
         .type = IFB_PATH,
         .help = "PEM file or folder of the authorities to trust instead of the system's",
         .value_name = "PATH",
         .commands = in_tools});
  t.add({.table = "server",
         .name = "client-cert",
         .flag = "client-cert",
         .type = IFB_PATH,
         .help = "PEM file of the client certificate and its chain",
         .value_name = "PATH",
         .commands = in_tools});
  t.add({.table = "server",
         .name = "client-key",
         .flag = "client-key",
         .type = IFB_PATH,
         .help = "PEM file of the private key; if not given, the file of --client-cert",
         .value_name = "PATH",
         .commands = in_tools});
  options::option insecure =
      switched("server", "insecure", "insecure", "Accept any certificate of the server");
  insecure.commands = in_tools;
  t.add(std::move(insecure));
  t.add({.table = "server",
         .name = "proxy",
         .flag = "proxy",
         .help = "Proxy for all requests, or none; if not given, $HTTP_PROXY, $HTTPS_PROXY and "
                 "$NO_PROXY decide",
         .value_name = "URL",
         .commands = in_tools});
}

}  // namespace inferbench::config
