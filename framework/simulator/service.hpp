// Answers the requests of all connections: requests that need the model on the schedule, all other
// requests immediately.
// Connects the sockets (connection.hpp) with the schedule (scheduler.hpp). Runs on the thread of
// the event loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/fd.hpp"
#include "simulator/connection.hpp"
#include "simulator/counters.hpp"
#include "simulator/media_checker.hpp"
#include "simulator/options.hpp"
#include "simulator/prefix_cache.hpp"
#include "simulator/replay.hpp"
#include "simulator/scheduler.hpp"
#include "simulator/stream.hpp"
#include "simulator/structured_request.hpp"
#include "simulator/token_text.hpp"
#include "simulator/tool_request.hpp"
#include "transport/event_loop.hpp"
#include "transport/timer.hpp"

namespace inferbench::base {
class log;
}

namespace inferbench::simulator {

struct endpoint;

class service final : public connection::owner {
 public:
  /// Throws base::error if the ground-truth file or the file of media facts cannot be written.
  /// Everything that is passed by reference must outlive the service.
  service(const options& settings, transport::event_loop& loop, base::log& log,
          media_inspector inspect);
  service(const service&) = delete;
  service& operator=(const service&) = delete;
  ~service();

  /// Adds the connection of a new client.
  void adopt(base::fd socket);

  /// Cuts every answer short, closes every connection, completes the ground truth and the check of
  /// the media.
  void shut_down();

  /// Whether the ground truth and the media facts were written without an error. Errors are logged
  /// when they happen. Call this after shut_down().
  [[nodiscard]] bool files_complete() const noexcept;

  /// The images, videos and sounds of all requests so far.
  [[nodiscard]] media_totals media() const;

  void on_request(connection& from) override;
  void on_refused(connection& from) override;
  void on_drained(connection& from) override;
  void on_over(connection& from) override;

 private:
  void generate(connection& from, const endpoint& which);
  std::optional<token_pieces> structured(const demanded_structure& asked, std::uint64_t limit);
  std::optional<token_pieces> called(const demanded_call& asked, std::uint64_t limit,
                                     std::string& tool);
  void count_structure(bool right, std::uint64_t tokens, std::uint64_t limit);
  void pool(connection& from, const endpoint& which);
  void replay(connection& from);
  stream& prepare(connection& from, api_kind kind, std::string id);
  void count_prompt(const usage& used, std::uint64_t looked_up);
  void begin(stream& what, std::string_view path);
  void check_media(connection& from, const endpoint& which, std::vector<sent_medium>&& media);
  void reply(connection& from, int status, std::string_view content_type, std::string_view body,
             std::string_view fields = {});
  void refuse(connection& from, const refusal& why, std::string_view fields = {});

  void on_due(std::uint64_t now);
  void emit(stream& what, std::uint64_t now);
  void add_events(stream& what, std::uint64_t now);
  void add_whole(stream& what, std::uint64_t& now);
  void count(std::uint64_t tokens);
  void note_event(stream& what, std::uint64_t now);
  void note_written(stream& what);
  void finish(stream& what, std::uint64_t now);
  void complete(stream& what, std::uint64_t now);
  void release(stream& what, std::uint64_t now);
  void rearm();
  void on_log_time(std::uint64_t now);

  [[nodiscard]] stream& spare_stream();
  [[nodiscard]] std::string id_of(const connection& from);

  const options& settings_;
  transport::event_loop& loop_;
  base::log& log_;
  scheduler schedule_;
  prefix_cache cache_;
  const std::vector<recorded_answer> recorded_;  // each request gets the next of these answers, in
                                                 // a cycle
  std::size_t next_recorded_ = 0;
  counters counted_;
  wrong_answers wrong_;
  std::unique_ptr<ground_truth_log> truth_;  // null: --ground-truth is not given
  std::unique_ptr<media_checker> checker_;   // null: --check-media is 0
  transport::timer due_;
  transport::timer log_time_;
  std::vector<std::unique_ptr<connection>> connections_;  // the index is the descriptor
  std::deque<stream> streams_;                            // used and spare streams
  std::vector<stream*> spare_;
  generation_request asked_;
  std::string buffer_;
  std::uint64_t requests_ = 0;
  std::int64_t started_unix_s_;
};

}  // namespace inferbench::simulator
