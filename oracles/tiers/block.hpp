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

inline constexpr std::size_t block_size =
    128;  // elements; a block's arrays stay in the first-level cache

template <class Rule, class N>
using coefficients_of = std::array<N, Rule::coefficient_count>;

// Inputs of a block, one array of block_size floats a role, and what becomes of them, a row an
// output. N is bounded over packs; Evaluation is first or widest.
template <class Rule, class N, template <class> class Evaluation>
struct block_view {
  using number = N;
  using evaluation = Evaluation<N>;

  const typename Rule::switches& on;
  const coefficients_of<Rule, N>& coefficients;
  rules::roundoffs roundoff;
  std::size_t count;  // arrays are read and written up to the next multiple of pack::lanes
  std::array<const float*, Rule::role_count> before;
  double (*value)[block_size];
  double (*error)[block_size];
  double (*tail)[block_size];   // of a dd value; null for doubles
  double (*reach)[block_size];  // null where it is not wanted
};

using f64_pack = numbers::bounded<numbers::pack, formats::format_id::f32>;
using dd_pack = numbers::bounded<numbers::dd_pack, formats::format_id::f32>;
template <class Rule>
using quick_block = block_view<Rule, f64_pack, rules::first>;
template <class Rule>
using full_block = block_view<Rule, f64_pack, rules::widest>;
template <class Rule>
using dd_block = block_view<Rule, dd_pack, rules::first>;

inline void store(numbers::pack from, double* to) {
  std::memcpy(to, &from.v, sizeof from.v);
}
inline void store_value(numbers::pack from, double* to, double*) {
  store(from, to);
}
inline void store_value(numbers::dd_pack from, double* to, double* tail) {
  store(from.hi, to);
  store(from.lo, tail);
}

template <class Rule, class N, template <class> class Evaluation>
void enclose_block(const block_view<Rule, N, Evaluation>& block) {
  constexpr std::size_t lanes = numbers::pack::lanes;
  const Evaluation<N> by{block.roundoff};
  for (std::size_t i = 0; i < block.count; i += lanes) {
    std::array<N, Rule::role_count> x;
    for (std::size_t r = 0; r < Rule::role_count; ++r) {
      numbers::pack input;
      for (std::size_t l = 0; l < lanes; ++l) input.v[l] = block.before[r][i + l];
      x[r] = N(typename N::value_type(input));
    }
    const auto y = Rule::step(by, block.on, block.coefficients, x);
    for (std::size_t k = 0; k < Rule::outputs.size(); ++k) {
      const N& out = y[Rule::outputs[k]];
      store_value(out.value, block.value[k] + i, block.tail ? block.tail[k] + i : nullptr);
      store(out.error, block.error[k] + i);
      if (block.reach) store(out.reach, block.reach[k] + i);
    }
  }
}

// Instruction sets, as tags; each has its enclose() in a generated unit.
struct baseline {};
struct x86_64_v3 {};  // AVX2, FMA
struct x86_64_v4 {};  // AVX-512
template <class InstructionSet, class Block>
void enclose(const Block& block);

// The best that this machine runs.
template <class Block>
void enclose_here(const Block& block) {
#ifdef DRIFTGATE_X86_64_UNITS
  static const bool v4 = __builtin_cpu_supports("x86-64-v4");
  static const bool v3 = __builtin_cpu_supports("x86-64-v3");
  if (v4) return enclose<x86_64_v4>(block);
  if (v3) return enclose<x86_64_v3>(block);
#endif
  enclose<baseline>(block);
}

}  // namespace driftgate::tiers
