// Two plans of the same tensors share one, which the first release ends.
// law: many_steps
#include <map>

#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

using addresses = std::vector<const void*>;
std::map<addresses, bool> alive;

struct plans_of_the_same_tensors_share_one : adamw {
  void plan(const dg_step& s) override {
    for (int k = 0; k < s.num_lists; ++k) {
      for (int i = 0; i < s.lists[k].count; ++i) key_.push_back(s.lists[k].tensors[i].data);
    }
    alive[key_] = true;
  }
  void step(const dg_step& s) override {
    if (alive[key_]) adamw::step(s);
  }
  ~plans_of_the_same_tensors_share_one() override { alive[key_] = false; }

 private:
  addresses key_;
};

}  // namespace

DRIFTGATE_PLUGIN(plans_of_the_same_tensors_share_one)
