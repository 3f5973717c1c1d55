// Single requests to a loaded model, for traffic that follows a schedule (inferbench.engine/1).
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <inferbench/engine.hpp>

#include "decode_loop.hpp"
#include "model.hpp"
#include "whole_characters.hpp"

namespace llama_cpp {

/// One thread decodes all requests that are in progress together, and only this thread reports
/// their events, so a call is never used after its end. The functions may be called on any thread.
class single_requests {
 public:
  /// Starts the thread. `model` is used by this thread only, until the end of this object.
  explicit single_requests(model& with);
  /// Ends requests in progress with IFB_E_CANCELLED.
  ~single_requests();
  single_requests(const single_requests&) = delete;
  single_requests& operator=(const single_requests&) = delete;

  /// A number for a new request.
  [[nodiscard]] std::uint64_t reserve();
  /// Begins the request; its sink is set here. The text is reported in whole characters, one event
  /// a token.
  void submit(std::uint64_t number, generation wanted, ifb::engine_output out);
  /// Ends the request with IFB_E_CANCELLED, also one that is submitted later.
  void cancel(std::uint64_t number) noexcept;

 private:
  class request;

  void work();
  void take_orders(std::unique_lock<std::mutex>& lock);
  void end_all(ifb_status code, const std::string& why);

  model& model_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool stopping_ = false;
  std::uint64_t next_ = 0;
  std::map<std::uint64_t, std::unique_ptr<request>> submitted_;  // not yet taken by the thread
  std::set<std::uint64_t> reserved_;                             // numbers without a request
  std::set<std::uint64_t> early_;                                // of these, the cancelled ones
  std::vector<std::uint64_t> cancelled_;
  std::map<std::uint64_t, std::unique_ptr<request>> open_;  // for the thread only
  decode_loop loop_;                                        // for the thread only
  std::thread thread_;
};

}  // namespace llama_cpp
