#include "config/request.hpp"

#include "config/command_flags.hpp"
#include "config/request_parser.hpp"

namespace inferbench::config {

request parse_serve(std::span<const std::string> args, const options::environment& env,
                    catalog& plugins) {
  return request_parser(options::for_serve, args, env, plugins, "inferbench serve [flags]",
                        command_flags(options::for_serve))
      .parse();
}

request parse_run(std::span<const std::string> args, const options::environment& env,
                  catalog& plugins) {
  return request_parser(options::for_run, args, env, plugins,
                        "inferbench run FILE.toml... [--set TABLE.KEY=VALUE]... [flags]",
                        command_flags(options::for_run))
      .parse();
}

request parse_dataset_show(std::span<const std::string> args, const options::environment& env,
                           catalog& plugins) {
  return request_parser(options::for_dataset_show, args, env, plugins,
                        "inferbench dataset show [flags]", command_flags(options::for_dataset_show))
      .parse();
}

std::vector<options::option> dataset_options_of_dataset_show(std::span<const std::string> args,
                                                             const options::environment& env,
                                                             catalog& plugins) {
  return request_parser(options::for_dataset_show, args, env, plugins,
                        "inferbench dataset show [flags]", command_flags(options::for_dataset_show))
      .options_of_dataset();
}

request parse_tokenizer(std::span<const std::string> args, const options::environment& env,
                        catalog& plugins) {
  return request_parser(options::for_tokenizer, args, env, plugins,
                        "inferbench tokenizer encode|decode|count|render|info [flags]",
                        command_flags(options::for_tokenizer))
      .parse();
}

calibrate_request parse_calibrate(std::span<const std::string> args,
                                  const options::environment& env, catalog& plugins) {
  request_parser asked(options::for_serve, args, env, plugins, "inferbench calibrate [flags]",
                       calibrate_flags());
  calibrate_request out;
  out.load = asked.parse();
  out.ttft = asked.own("ttft").text;
  out.itl = asked.own("itl").text;
  out.limit_ns = static_cast<std::uint64_t>(asked.own("duration-limit").integer);
  return out;
}

}  // namespace inferbench::config
