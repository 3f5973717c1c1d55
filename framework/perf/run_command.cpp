// The command `perf run`.
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/utsname.h>

#include "base/error.hpp"
#include "base/log.hpp"
#include "base/output.hpp"
#include "experiment/durable_file.hpp"
#include "experiment/sweep_console.hpp"
#include "experiment/sweep_failures.hpp"
#include "options/environment.hpp"
#include "perf/commands.hpp"
#include "perf/conversion.hpp"
#include "perf/definition_files.hpp"
#include "perf/devices.hpp"
#include "perf/driver.hpp"
#include "perf/machine_facts.hpp"
#include "perf/publication.hpp"
#include "perf/run_request.hpp"
#include "perf/sharegpt_file.hpp"
#include "perf/tool.hpp"
#include "run/interrupt.hpp"
#include "supervise/supervised_process.hpp"

namespace inferbench::perf {

namespace {

namespace fs = std::filesystem;

constexpr const char* environment_report_name = "vllm_env.txt";
constexpr const char* usual_hub = "https://huggingface.co";
constexpr int complete = 0;
constexpr int incomplete = 1;

struct system_name {
  std::string text;     // "Linux 6.1.0 x86_64"
  std::string machine;  // "x86_64"
};

system_name name_of_system() {
  utsname about{};
  if (::uname(&about) != 0) return {};
  return {std::string(about.sysname) + " " + about.release + " " + about.machine, about.machine};
}

device_set find_devices(const run_request& request, const std::string& machine,
                        experiment::sweep_console& console) {
  if (request.on_cpu) return cpu_devices("/", machine);
  if (const auto found = accelerators(&output_of); found) return *found;
  if (!request.dry_run && !request.remote)
    throw base::error("no accelerator was found by nvidia-smi, amd-smi, hl-smi or npu-smi",
                      "run on the CPUs by --on-cpu, or test a server elsewhere by --remote-host");
  console.aside("No accelerator was found, so tests are not compared with the number of devices");
  return {0, "unknown", ""};
}

/// The first address of IPv4 of this machine that other machines can use; empty if there is none.
std::string own_address() {
  ifaddrs* all = nullptr;
  if (::getifaddrs(&all) != 0) return {};
  std::string out;
  for (const ifaddrs* each = all; each != nullptr && out.empty(); each = each->ifa_next) {
    if (each->ifa_addr == nullptr || each->ifa_addr->sa_family != AF_INET ||
        (each->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    // The address lies behind a pointer to the general type by the interface of sockets.
    const auto* const address = reinterpret_cast<const sockaddr_in*>(each->ifa_addr);
    std::string text(INET_ADDRSTRLEN, '\0');
    if (::inet_ntop(AF_INET, &address->sin_addr, text.data(), INET_ADDRSTRLEN) != nullptr)
      out = text.c_str();
  }
  ::freeifaddrs(all);
  return out;
}

/// The variables that all servers and benchmarks of the driver get.
void set_variables() {
  ::setenv("VLLM_LOGGING_LEVEL", "WARNING", 1);
  if (const std::string address = own_address(); !address.empty())
    ::setenv("VLLM_HOST_IP", address.c_str(), 1);
}

void prepare(const run_request& request, const system_name& system, const device_set& devices,
             const chosen_tests& tests, const options::environment& env,
             experiment::sweep_console& console, const std::atomic<bool>& stop) {
  experiment::create_folder(request.result_folder);
  experiment::write_durably(
      fs::path(request.result_folder) / environment_report_name,
      environment_report(read_machine("/"), system.text, devices.type, output_of({"nvidia-smi"})));
  const auto missing = missing_sharegpt(tests);
  if (!missing) return;
  const std::string* const hub = env.find("HF_ENDPOINT");
  console.line("Downloading " + *missing);
  download_sharegpt(hub == nullptr || hub->empty() ? usual_hub : *hub, *missing, stop);
}

/// Whether the results were converted, and compared if there are any of servers.
bool evaluate(const run_request& request, experiment::sweep_console& console, base::output& to,
              const std::atomic<bool>& stop) {
  try {
    const result_tables tables = convert_folder(request.result_folder, request.descriptions);
    for (const std::string& each : tables.notices)
      console.line(each);
    const std::string rows = (fs::path(request.result_folder) / rows_name).string();
    console.line("Saved: " + (fs::path(request.result_folder) / page_name).string());
    console.line("Saved: " + rows);
    if (!tables.serving.empty()) {
      const std::vector<std::string> arguments{"--file", rows};
      static_cast<void>(compare(arguments, to));
    }
  } catch (const base::error& e) {
    console.aside(std::string("Warning: the results are not evaluated: ") + e.what());
    return false;
  }
  publish(request.result_folder, console, stop);
  return true;
}

}  // namespace

int run(std::span<const std::string> args, base::output& to) {
  const options::environment env = options::environment::of_process();
  const run_request request = parse_run(args, env);
  if (!request.help.empty()) {
    to.write(request.help);
    return complete;
  }
  experiment::sweep_console console(
      to, false, [](std::string_view text) { supervise::pass_on(supervise::stream::error, text); });
  for (const std::string& each : request.warnings)
    console.aside("Warning: " + each);
  const system_name system = name_of_system();
  const device_set devices = find_devices(request, system.machine, console);
  const read_definitions definitions = read_definition_files(request, devices.file_suffix);
  for (const std::string& each : definitions.notices)
    console.aside(each);
  // The variables are set before there is a second thread.
  if (!request.dry_run) set_variables();
  base::log log;
  run::interrupt interrupt(&log);
  interrupt.hold();
  try {
    if (!request.dry_run)
      prepare(request, system, devices, definitions.tests, env, console, interrupt.flag());
    const run_tally tally =
        carry_out({request, devices, console, interrupt.flag(), &output_of}, definitions.tests);
    if (request.dry_run) return complete;
    console.line(std::to_string(tally.made) + " benchmarks made, " + std::to_string(tally.failed) +
                 " failed, " + std::to_string(tally.skipped) + " tests skipped");
    if (tally.with_failed_requests == 1)
      console.line("1 point has failed requests: its row has the figures of the other requests");
    if (tally.with_failed_requests > 1)
      console.line(std::to_string(tally.with_failed_requests) +
                   " points have failed requests: their rows have the figures of the other "
                   "requests");
    const bool evaluated = evaluate(request, console, to, interrupt.flag());
    return tally.failed == 0 && evaluated ? complete : incomplete;
  } catch (const experiment::stopped_sweep&) {
    console.aside("interrupted; `inferbench perf convert` makes the page of the results so far");
    return incomplete;
  }
}

}  // namespace inferbench::perf
