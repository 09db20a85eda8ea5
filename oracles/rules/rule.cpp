#include <algorithm>

#include "oracles/rules/evaluator.hpp"

namespace driftgate::rules {
namespace {

std::vector<const rule*>& known() {
  static std::vector<const rule*> rules;
  return rules;
}

}  // namespace

rule_registration::rule_registration(const rule* r) {
  known().push_back(r);
}

std::vector<const rule*> all_rules() {
  std::vector<const rule*> rules = known();
  std::sort(rules.begin(), rules.end(),
            [](const rule* a, const rule* b) { return a->about().name < b->about().name; });
  return rules;
}

const rule* find_rule(const std::string& name) {
  for (const rule* r : known()) {
    if (r->about().name == name) return r;
  }
  return nullptr;
}

void output_tally::add(const output_tally& other) {
  blocks += other.blocks;
  judged += other.judged;
  failed += other.failed;
  nan_mismatches += other.nan_mismatches;
  unwritten += other.unwritten;
  unresolved += other.unresolved;
  audited += other.audited;
  for (std::size_t i = 0; i < tiers.size(); ++i) tiers[i] += other.tiers[i];
  for (std::size_t i = 0; i < histogram.size(); ++i) histogram[i] += other.histogram[i];
  if (other.worst.ratio > worst.ratio) worst = other.worst;
  first_failure = std::min(first_failure, other.first_failure);
}

}  // namespace driftgate::rules
