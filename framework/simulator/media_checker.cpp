#include "simulator/media_checker.hpp"

#include <exception>
#include <optional>
#include <utility>

#include "base/cpu.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace inferbench::simulator {

namespace {

constexpr auto relaxed = std::memory_order_relaxed;

}  // namespace

media_checker::media_checker(const settings& chosen, media_inspector inspect, base::log& log)
    : settings_(chosen),
      inspect_(std::move(inspect)),
      log_(log),
      facts_(chosen.facts),
      writes_facts_(facts_.wanted()),
      queue_(chosen.queue),
      thread_([this] {
        base::give_way();
        work();
      }) {}

void media_checker::submit(media_job&& job) noexcept {
  const std::size_t count = job.media.size();
  // With a file of facts every medium gets its line.
  if (no_codec_.load(relaxed) && !writes_facts_.load(relaxed))
    totals_.no_codec.fetch_add(count, relaxed);
  else if (!queue_.push(std::move(job)))
    totals_.queue_full.fetch_add(count, relaxed);
}

void media_checker::finish() {
  if (!thread_.joinable()) return;
  queue_.close();
  thread_.join();
}

void media_checker::work() noexcept {
  for (;;) {
    const std::optional<media_job> job = queue_.pop();
    if (!job) return;
    try {
      check(*job);
    } catch (const std::exception& e) {
      log_.error("the media of request " + base::one_line(job->request_id) +
                 " cannot be checked: " + e.what());
    }
  }
}

void media_checker::check(const media_job& job) {
  std::string lines;
  for (const sent_medium& medium : job.media) {
    const media_verdict verdict = check_medium(medium, inspect_);
    note(job, medium, verdict);
    if (facts_.wanted()) append_line(lines, job, medium, verdict);
  }
  if (lines.empty()) return;
  facts_.write(lines);
  if (facts_.error().empty()) return;
  writes_facts_.store(false, relaxed);
  log_.error(facts_.error());
}

void media_checker::note(const media_job& job, const sent_medium& medium,
                         const media_verdict& verdict) {
  switch (verdict.what) {
    case media_verdict::state::remote: totals_.remote.fetch_add(1, relaxed); return;
    case media_verdict::state::no_codec:
      totals_.no_codec.fetch_add(1, relaxed);
      if (!no_codec_.exchange(true, relaxed))
        log_.warning("images, videos and sounds are not checked: " + verdict.reason);
      return;
    case media_verdict::state::checked: break;
  }
  if (verdict.found) {
    const media::facts& found = *verdict.found;
    const std::uint64_t pixels = std::uint64_t{found.width} * found.height;
    switch (medium.kind) {
      case media::kind::image:
        totals_.images.fetch_add(1, relaxed);
        totals_.pixels.fetch_add(pixels, relaxed);
        break;
      case media::kind::video:
        totals_.videos.fetch_add(1, relaxed);
        totals_.pixels.fetch_add(pixels * found.frames, relaxed);
        totals_.frames.fetch_add(found.frames, relaxed);
        totals_.video_seconds.fetch_add(found.seconds, relaxed);
        break;
      case media::kind::sound:
        totals_.sounds.fetch_add(1, relaxed);
        totals_.sound_seconds.fetch_add(found.seconds, relaxed);
        break;
    }
  }
  if (!verdict.reason.empty()) warn(job, medium, verdict.reason);
  // Counted last: a medium that is counted as checked is contained in all other figures.
  totals_.checked.fetch_add(1, std::memory_order_release);
}

void media_checker::warn(const media_job& job, const sent_medium& medium,
                         const std::string& reason) {
  const std::uint64_t before = totals_.mismatches.fetch_add(1, relaxed);
  if (before < settings_.warnings)
    log_.warning("request " + base::one_line(job.request_id) + ", " +
                 std::string(name_of(medium.kind)) + " in " + medium.place + ": " +
                 base::one_line(reason));
  else if (before == settings_.warnings)
    log_.warning(
        "further images, videos and sounds that are not as declared are only counted; see "
        "/metrics and --media-facts");
}

media_totals media_checker::totals() const noexcept {
  media_totals out;
  out.checked = totals_.checked.load(std::memory_order_acquire);
  out.mismatches = totals_.mismatches.load(relaxed);
  out.queue_full = totals_.queue_full.load(relaxed);
  out.remote = totals_.remote.load(relaxed);
  out.no_codec = totals_.no_codec.load(relaxed);
  out.images = totals_.images.load(relaxed);
  out.videos = totals_.videos.load(relaxed);
  out.sounds = totals_.sounds.load(relaxed);
  out.pixels = totals_.pixels.load(relaxed);
  out.frames = totals_.frames.load(relaxed);
  out.video_seconds = totals_.video_seconds.load(relaxed);
  out.sound_seconds = totals_.sound_seconds.load(relaxed);
  return out;
}

}  // namespace inferbench::simulator
