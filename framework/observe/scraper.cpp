#include "observe/scraper.hpp"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

#include "base/cpu.hpp"
#include "base/error.hpp"
#include "base/text.hpp"

namespace inferbench::observe {

namespace {

constexpr std::uint64_t shortest_timeout_ns = base::ns_per_s;

constexpr std::uint64_t longest_wait_ns = 3600 * base::ns_per_s;

/// Why the answer is no page of metrics; empty if it is one.
std::string trouble_with(const transport::fetch_result& answer) {
  if (!answer.ok()) return answer.error;
  if (answer.status != 200)
    return base::one_line("HTTP " + std::to_string(answer.status) +
                          (answer.reason.empty() ? "" : " " + answer.reason));
  const std::string_view body = base::trim(answer.body);
  if (body.starts_with('{') || body.starts_with('['))
    return "the answer is JSON, not Prometheus' text format; trtllm-serve has its metrics at "
           "/prometheus/metrics";
  return {};
}

std::string trouble_with(const page_summary& read) {
  if (read.samples != 0) return {};
  return read.bad_lines == 0 ? "the page holds no metrics"
                             : "the page is not in Prometheus' text format: " + read.first_bad;
}

}  // namespace

std::uint64_t next_reading(std::uint64_t start_ns, std::uint64_t interval_ns,
                           std::uint64_t now_ns) noexcept {
  if (now_ns < start_ns) return start_ns;
  return start_ns + ((now_ns - start_ns) / interval_ns + 1) * interval_ns;
}

// wait_for() adds its time to the current time. Without a bound the sum can overflow into the past;
// the thread then waits in turns without a pause, and hardly ever leaves the mutex to another one.
std::chrono::nanoseconds wait_before(std::uint64_t due_ns, std::uint64_t now_ns) noexcept {
  return std::chrono::nanoseconds(std::min(due_ns - now_ns, longest_wait_ns));
}

observed_page::observed_page(std::uint32_t number, std::string url, std::uint64_t interval_ns,
                             std::vector<std::string> patterns)
    : number_(number),
      url_(std::move(url)),
      interval_ns_(interval_ns),
      series_(std::move(patterns)) {}

records::observation observed_page::opening() const {
  records::observation out;
  out.source = number_;
  out.url = url_;
  out.interval_ns = interval_ns_;
  return out;
}

records::observation observed_page::read(const transport::fetch_result& answer,
                                         std::uint64_t sent_ns, std::uint64_t done_ns) {
  records::observation out;
  out.source = number_;
  out.at_ns = sent_ns + (std::max(done_ns, sent_ns) - sent_ns) / 2;
  out.error = trouble_with(answer);
  if (!out.error.empty()) return out;
  const std::size_t known = series_.all().size();
  out.error = trouble_with(series_.read(answer.body, out));
  if (series_.all().size() != known) out.server = series_.server();
  return out;
}

records::observation observed_page::closing() const {
  records::observation out = opening();
  out.server = series_.server();
  out.left_out = static_cast<std::uint32_t>(series_.left_out());
  out.series = series_.all();
  return out;
}

scraper::scraper(const base::clock& clock, std::vector<page> pages, std::uint64_t interval_ns,
                 const std::vector<std::string>& patterns)
    : clock_(clock),
      interval_ns_(interval_ns),
      timeout_ns_(std::max(interval_ns, shortest_timeout_ns)) {
  for (page& one : pages) {
    observed_page about(static_cast<std::uint32_t>(pages_.size()), one.url, interval_ns, patterns);
    pages_.push_back(std::make_unique<watched>(std::move(about), std::move(one), std::thread()));
  }
}

scraper::~scraper() {
  cancel();
  join();
}

void scraper::start(std::uint64_t start_ns) {
  for (const auto& one : pages_)
    add(one->about.opening());
  for (const auto& one : pages_) {
    ++running_;
    try {
      one->thread = std::thread([this, &page = *one, start_ns] { watch(page, start_ns); });
    } catch (const std::system_error& e) {
      --running_;
      throw base::error(std::string("cannot start a thread that reads metrics: ") + e.what(),
                        "leave out --observe");
    }
  }
}

void scraper::finish() noexcept {
  {
    const std::lock_guard lock(mutex_);
    finish_ = true;
  }
  changed_.notify_all();
}

void scraper::cancel() noexcept {
  cancelled_.store(true);
  finish();
}

void scraper::join() {
  for (const auto& one : pages_)
    if (one->thread.joinable()) one->thread.join();
}

std::vector<records::observation> scraper::take() {
  const std::lock_guard lock(mutex_);
  return std::exchange(made_, {});
}

void scraper::watch(watched& of, std::uint64_t start_ns) {
  base::give_way();
  try {
    for (std::uint64_t due = start_ns; wait_until(due);) {
      read(of);
      due = next_reading(start_ns, interval_ns_, clock_.now());
    }
    if (!cancelled_.load()) read(of);
    add(of.about.closing());
  } catch (const std::exception&) {
    // Out of memory: the series of this page end here.
  }
  --running_;
}

void scraper::read(watched& of) {
  const std::uint64_t sent_ns = clock_.now();
  const transport::fetch_result answer =
      of.source.fetch(timeout_ns_, [this] { return cancelled_.load(); });
  if (answer.stopped) return;
  add(of.about.read(answer, sent_ns, clock_.now()));
}

/// Returns false as soon as the readings shall end.
bool scraper::wait_until(std::uint64_t due_ns) {
  std::unique_lock lock(mutex_);
  for (;;) {
    if (finish_) return false;
    const std::uint64_t now = clock_.now();
    if (now >= due_ns) return true;
    changed_.wait_for(lock, wait_before(due_ns, now));
  }
}

void scraper::add(records::observation what) {
  const std::lock_guard lock(mutex_);
  made_.push_back(std::move(what));
}

}  // namespace inferbench::observe
