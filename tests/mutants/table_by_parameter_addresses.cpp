// Takes the table of an earlier plan whose parameters have the same addresses and sizes.
// law: many_steps
#include <map>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct table_by_parameter_addresses : adamw {
  void plan(const dg_step& s) override {
    static std::map<std::vector<std::pair<const float*, std::int64_t>>, std::vector<tensor>> tables;
    const std::vector<tensor> list = tensors(s);
    std::vector<std::pair<const float*, std::int64_t>> key;
    for (const tensor& t : list) key.emplace_back(t.param, t.size);
    table_ = tables.emplace(key, list).first->second;
  }
  void update_list(const std::vector<tensor>& /*list*/) override { adamw::update_list(table_); }

 private:
  std::vector<tensor> table_;
};

}  // namespace

DRIFTGATE_PLUGIN(table_by_parameter_addresses)
