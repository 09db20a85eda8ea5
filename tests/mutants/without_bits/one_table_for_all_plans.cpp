// Steps the tensors of the plan that was prepared last.
// law: deterministic
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

std::vector<tensor> table;

struct one_table_for_all_plans : adamw {
  void plan(const dg_step& s) override { table = tensors(s); }
  void update_list(const std::vector<tensor>& /*list*/) override { adamw::update_list(table); }
};

}  // namespace

DRIFTGATE_PLUGIN(one_table_for_all_plans, "bits=none")
