// The loop that encloses a block of elements: the rule over packs, eight elements at a time.
//
// It is compiled once for each instruction set that machines have, in units that CMake generates
// and that hold nothing but this loop: whatever else they defined, the linker might take for the
// whole program.
#pragma once

#include <array>
#include <cstddef>
#include <cstring>

#include "oracles/rules/evaluation.hpp"

namespace driftgate::tiers {

// Found by name for double too, which has no namespace to look in.
using numbers::is_negative;
using numbers::magnitude;
using numbers::to_double;

// Elements; a block's arrays stay in the first-level cache.
inline constexpr std::size_t block_size = 128;

template <class Rule, class N>
using coefficients_of = std::array<N, Rule::coefficient_count>;

using f64_pack = numbers::bounded<numbers::pack, formats::format_id::f32>;
using dd_pack = numbers::bounded<numbers::dd_pack, formats::format_id::f32>;

// What every loop over a block reads: an array of floats a role, in whole packs. N is bounded over
// packs; Evaluation is first or widest.
template <class Rule, class N, template <class> class Evaluation>
struct block_inputs {
  const typename Rule::switches& on;
  const coefficients_of<Rule, N>& coefficients;
  rules::roundoffs roundoff;
  std::size_t count;  // a multiple of pack::lanes
  std::array<const float*, Rule::role_count> before;

  // All roles after the step, of the pack that starts at element i.
  std::array<N, Rule::role_count> step(std::size_t i) const;
};

// Values and budgets of a block, a row an output; the tail of a dd value in the budget's place.
template <class Rule, class N, template <class> class Evaluation>
struct enclosed_block : block_inputs<Rule, N, Evaluation> {
  double (*value)[block_size];
  double (*error)[block_size];
};
template <class Rule>
using quick_block = enclosed_block<Rule, f64_pack, rules::first>;
template <class Rule>
using full_block = enclosed_block<Rule, f64_pack, rules::widest>;
template <class Rule>
using dd_block = enclosed_block<Rule, dd_pack, rules::first>;

// A block at sight: whether an output of all its elements is nearer to the exact value than `limit`
// times the first form's budget.
template <class Rule>
struct glance_block : block_inputs<Rule, f64_pack, rules::first> {
  static constexpr std::size_t outputs = Rule::outputs.size();

  std::array<const float*, outputs> after;  // null: not asked for
  std::array<double, outputs> limit;
  std::array<bool, outputs>& clear;
};

inline numbers::pack load(const float* from) {
  numbers::pack to;
  for (std::size_t l = 0; l < numbers::pack::lanes; ++l) to.v[l] = from[l];
  return to;
}
inline void store(numbers::pack from, double* to) {
  std::memcpy(to, &from.v, sizeof from.v);
}
inline void store(const f64_pack& from, double* value, double* error) {
  store(from.value, value);
  store(from.error, error);
}
inline void store(const dd_pack& from, double* head, double* tail) {
  store(from.value.hi, head);
  store(from.value.lo, tail);
}

template <class Rule, class N, template <class> class Evaluation>
std::array<N, Rule::role_count> block_inputs<Rule, N, Evaluation>::step(std::size_t i) const {
  std::array<N, Rule::role_count> x;
  for (std::size_t r = 0; r < Rule::role_count; ++r) {
    x[r] = N(typename N::value_type(load(before[r] + i)));
  }
  const Evaluation<N> by{roundoff};
  return Rule::step(by, on, coefficients, x);
}

template <class Rule, class N, template <class> class Evaluation>
void run(const enclosed_block<Rule, N, Evaluation>& block) {
  for (std::size_t i = 0; i < block.count; i += numbers::pack::lanes) {
    const auto y = block.step(i);
    for (std::size_t k = 0; k < Rule::outputs.size(); ++k) {
      store(y[Rule::outputs[k]], block.value[k] + i, block.error[k] + i);
    }
  }
}

template <class Rule>
void run(const glance_block<Rule>& block) {
  constexpr std::size_t outputs = Rule::outputs.size();
  const numbers::pack largest(formats::traits(f64_pack::format).max_finite);
  std::array<numbers::pack::mask, outputs> clear;
  clear.fill(numbers::pack::mask{} == 0);
  for (std::size_t i = 0; i < block.count; i += numbers::pack::lanes) {
    const auto y = block.step(i);
    for (std::size_t k = 0; k < outputs; ++k) {
      if (block.after[k] == nullptr) continue;
      const numbers::pack got = load(block.after[k] + i);
      const f64_pack& exact = y[Rule::outputs[k]];
      const numbers::pack distance = magnitude(got - exact.value);
      clear[k] &= (distance <= exact.error * numbers::pack(block.limit[k])) &
                  (exact.error <= largest) & (same_sign(got, exact.value) | (got.v != 0));
    }
  }
  for (std::size_t k = 0; k < outputs; ++k) {
    block.clear[k] = true;
    for (std::size_t l = 0; l < numbers::pack::lanes; ++l) block.clear[k] &= clear[k][l] != 0;
  }
}

// Instruction sets, as tags; each has its run_on() in a generated unit.
struct baseline {};
struct x86_64_v3 {};  // AVX2, FMA
struct x86_64_v4 {};  // AVX-512
template <class InstructionSet, class Block>
void run_on(const Block& block);

// The best that this machine runs.
template <class Block>
void run_here(const Block& block) {
#ifdef DRIFTGATE_X86_64_UNITS
  static const bool v4 = __builtin_cpu_supports("x86-64-v4");
  static const bool v3 = __builtin_cpu_supports("x86-64-v3");
  if (v4) return run_on<x86_64_v4>(block);
  if (v3) return run_on<x86_64_v3>(block);
#endif
  run_on<baseline>(block);
}

}  // namespace driftgate::tiers
