#include "gate/verbs/interruption.hpp"

#include "gate/campaign.hpp"

namespace driftgate::gate::verbs {
namespace {

// A handler can reach nothing but a global.
volatile std::sig_atomic_t caught = 0;

void note(int number) {
  caught = number;
}

}  // namespace

interruption::interruption() {
  caught = 0;
  struct sigaction action {};
  action.sa_handler = note;
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    if (before_[i].sa_handler != SIG_IGN) sigaction(signals[i], &action, nullptr);
  }
}

interruption::~interruption() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
}

void interruption::check() {
  if (caught != 0) throw stopped(caught);
}

}  // namespace driftgate::gate::verbs
