#include "page_report.hpp"

#include <utility>

#include <inferbench/guard.hpp>
#include <inferbench/json_writer.hpp>
#include <inferbench/table_reporter.hpp>

#include "packed_stream.hpp"
#include "page_text.hpp"
#include "reporters/common/json_value.hpp"

namespace reporters {
namespace {

constexpr std::string_view title_mark = "{{title}}";
constexpr std::string_view data_mark = "{{data}}";

std::string element_id(std::size_t run) { return "rows-" + std::to_string(run); }

std::string_view text_or_empty(const char* text) { return text == nullptr ? "" : text; }

std::string object_or_empty(ifb_str json) { return to_text(parse_object(ifb::view(json))); }

void write_point(ifb::json_writer& out, const ifb_table_point& point) {
  out.begin_object();
  out.key("axes");
  write_axes(out, fields_of(ifb::axes_of(point)));
  out.key("runs");
  out.begin_array();
  for (const std::uint32_t run : ifb::runs_of(point))
    out.integer(run);
  out.end_array();
  out.key("figures");
  write_intervals(out, ifb::figures_of(point));
  out.key("facts");
  out.raw(object_or_empty(point.facts_json));
  out.end_object();
}

}  // namespace

void page_report::begin(const ifb_table& table) {
  several_ = true;
  name_ = ifb::view(table.name);
  command_ = ifb::view(table.command);
  ifb::json_writer out;
  out.begin_array();
  for (const ifb_axis& axis : ifb::axes_of(table)) {
    out.begin_object();
    out.member("name", text_or_empty(axis.name));
    out.member("unit", text_or_empty(axis.unit));
    out.member("title", text_or_empty(axis.title));
    out.end_object();
  }
  out.end_array();
  axes_ = out.take();
}

void page_report::end(const ifb_table_end& end) {
  interrupted_ = (end.flags & IFB_TABLE_INTERRUPTED) != 0;
  ifb::json_writer out;
  out.begin_array();
  for (const ifb_table_point& point : ifb::points_of(end))
    write_point(out, point);
  out.end_array();
  points_ = out.take();
  facts_ = object_or_empty(end.facts_json);
}

std::string page_report::json(std::string_view title) const {
  ifb::json_writer out;
  out.begin_object();
  out.member("format", 1);
  out.member("generator", generator_);
  out.member("title", title);
  out.member("kind", several_ ? "table" : "run");
  out.member("texts", texts_);
  if (several_) {
    out.member("name", name_);
    out.member("command", command_);
    out.member("interrupted", interrupted_);
    out.key("facts");
    out.raw(facts_);
  }
  out.key("axes");
  out.raw(axes_);
  out.key("points");
  out.raw(points_);
  out.key("runs");
  out.begin_array();
  for (std::size_t i = 0; i < runs_.size(); ++i)
    runs_[i]->write(out, element_id(i));
  out.end_array();
  out.end_object();
  return in_script(out.take());
}

void page_report::write(std::string_view page, std::string_view title, const sink& out) const {
  const std::size_t title_at = page.find(title_mark);
  const std::size_t data_at = page.find(data_mark, title_at);
  if (title_at == std::string_view::npos || data_at == std::string_view::npos)
    throw ifb::failure{IFB_E_INTERNAL, "the page of this program has no place for the data"};
  out(page.substr(0, title_at));
  out(in_html(title));
  const std::size_t after_title = title_at + title_mark.size();
  out(page.substr(after_title, data_at - after_title));
  out("<script type=\"application/json\" id=\"report\">");
  out(json(title));
  out("</script>\n");
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    out("<script type=\"application/octet-stream\" id=\"" + element_id(i) + "\">");
    packed_stream packed(out);
    runs_[i]->write_bytes([&](std::string_view bytes) { packed.write(bytes); });
    packed.finish();
    out("</script>\n");
  }
  out(page.substr(data_at + data_mark.size()));
}

}  // namespace reporters
