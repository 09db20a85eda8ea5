// Steps when its plan is released.
// law: every_element_written
#include "tests/mutants/elementwise_plugin.hpp"

namespace {

using namespace driftgate::plugins;

struct work_done_at_release : adamw {
  void update_list(const std::vector<tensor>& list) override { pending_ = list; }
  ~work_done_at_release() override { adamw::update_list(pending_); }

 private:
  std::vector<tensor> pending_;
};

}  // namespace

DRIFTGATE_PLUGIN(work_done_at_release)
