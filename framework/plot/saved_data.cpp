#include "plot/saved_data.hpp"

#include "base/json.hpp"
#include "plot/run_values.hpp"

namespace inferbench::plot {

namespace {

void write_key(ifb::json_writer& out, const char* name, const group_key& key, bool as_null) {
  out.key(name);
  if (key.empty() && as_null) {
    out.null();
    return;
  }
  out.begin_object();
  for (const auto& [k, value] : key)
    out.member(k, value);
  out.end_object();
}

void write_scale(ifb::json_writer& out, const char* name, const std::string& scale) {
  out.key(name);
  if (scale.empty())
    out.null();
  else
    out.string(scale);
}

void write_curve(ifb::json_writer& out, const curve& c) {
  out.begin_object();
  write_key(out, "by", c.by, false);
  out.key("points");
  out.begin_array();
  for (const point& p : c.points) {
    out.begin_object();
    out.member("x", p.x);
    out.member("y", p.y);
    out.key("sd");
    if (p.sd)
      out.number(*p.sd);
    else
      out.null();
    out.member("n", p.n);
    out.end_object();
  }
  out.end_array();
  out.end_object();
}

void write_pareto_point(ifb::json_writer& out, const pareto_point& p, bool labelled) {
  out.begin_object();
  out.member("x", p.tokens_per_user);
  out.member("y", p.tokens_per_gpu);
  if (labelled) out.member("label", p.label);
  out.member("file", *p.row.file);
  out.member("run", p.row.number);
  out.member("runs", p.row.siblings);
  out.member("user_count_estimate", p.users);
  out.member("gpu_count", p.gpus);
  out.member("unstable", p.unstable);
  if (p.cost) out.member("cost_per_million_tokens", *p.cost);
  out.end_object();
}

}  // namespace

std::string saved_data(const figure_data& figure) {
  ifb::json_writer out;
  out.begin_object();
  out.member("x", figure.x);
  out.member("y", figure.y);
  write_scale(out, "scale_x", figure.scale_x);
  write_scale(out, "scale_y", figure.scale_y);
  out.key("facets");
  out.begin_array();
  for (const facet& f : figure.facets) {
    out.begin_object();
    write_key(out, "row", f.row, true);
    write_key(out, "col", f.column, true);
    out.key("curves");
    out.begin_array();
    for (const curve& c : f.curves)
      write_curve(out, c);
    out.end_array();
    out.end_object();
  }
  out.end_array();
  out.end_object();
  return out.take() + "\n";
}

std::string saved_data(const pareto_data& data) {
  ifb::json_writer out;
  out.begin_object();
  out.key("points");
  out.begin_array();
  for (const pareto_point& p : data.points)
    write_pareto_point(out, p, false);
  out.end_array();
  out.key("frontier");
  out.begin_array();
  for (const std::size_t at : data.frontier)
    write_pareto_point(out, data.points[at], true);
  out.end_array();
  out.end_object();
  return out.take() + "\n";
}

}  // namespace inferbench::plot
