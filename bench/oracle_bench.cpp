// Elements and outputs a second that the AdamW oracle judges on one core, by each of its ways:
//   taskset -c 0 driftgate_bench
#include <benchmark/benchmark.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "tests/oracles/adamw_elements.hpp"

namespace {

using driftgate::rules::adamw;
using driftgate::tests::adamw_columns;
using driftgate::tests::adamw_element;
using driftgate::tests::adamw_floats;
using driftgate::tests::adamw_oracle;
using driftgate::tests::adamw_scalars;
using driftgate::tests::draw;
using driftgate::tests::seed_t;
namespace rules = driftgate::rules;

constexpr std::size_t cache_resident = 1 << 14;  // elements: 450 KiB, in the second-level cache

adamw_scalars scalars_with(bool amsgrad) {
  adamw_scalars s;
  s.step = 100;
  s.amsgrad = amsgrad;
  return s;
}

// As in training, with the outputs of a right kernel. Change makes some inputs special.
template <class Change>
adamw_columns right_outputs(const adamw_scalars& s, std::size_t count, Change change) {
  draw random(seed_t{1});
  const adamw_floats c(s);
  adamw_columns columns(count);
  for (std::size_t i = 0; i < count; ++i) {
    adamw_element e = driftgate::tests::training_element(random);
    change(e);
    columns.set_before(i, e);
    columns.set_after(i, plain_step(c, e));
  }
  return columns;
}
adamw_columns right_outputs(const adamw_scalars& s, std::size_t count) {
  return right_outputs(s, count, [](adamw_element&) {});
}

// Counts elements, and what of them was judged.
void count(benchmark::State& state, std::size_t elements, std::size_t outputs) {
  const auto passes = static_cast<double>(state.iterations());
  const auto rate = benchmark::Counter::kIsRate;
  state.counters["elements/s"] = {passes * static_cast<double>(elements), rate};
  state.counters["outputs/s"] = {passes * static_cast<double>(elements * outputs), rate};
}

void judge(benchmark::State& state, const adamw_scalars& s, const adamw_columns& columns) {
  const adamw_oracle oracle(s);
  for (auto _ : state) {
    rules::tally t;
    oracle.evaluator().judge(columns.view(s.amsgrad), 0, t);
    if (t[adamw::param].failed != 0) state.SkipWithError("a right output has been failed");
    benchmark::DoNotOptimize(t);
  }
  count(state, columns.size(), s.amsgrad ? 4 : 3);
}

// The double tier end to end. One tally over many blocks, as a campaign has it.
void judge_double(benchmark::State& state) {
  const adamw_scalars s = scalars_with(state.range(0) != 0);
  const adamw_columns columns = right_outputs(s, cache_resident);
  const adamw_oracle oracle(s);
  rules::tally t;
  for (auto _ : state) oracle.evaluator().judge(columns.view(s.amsgrad), 0, t);
  if (t[adamw::param].failed != 0) state.SkipWithError("a right output has been failed");
  count(state, columns.size(), s.amsgrad ? 4 : 3);
}
BENCHMARK(judge_double)->ArgName("amsgrad")->Arg(0)->Arg(1);

// The same with the parameter stored in bf16.
void judge_narrow(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  constexpr auto bf16 = driftgate::formats::format_id::bf16;
  adamw_columns columns = right_outputs(s, cache_resident, [](adamw_element& e) {
    e.p = static_cast<float>(driftgate::formats::round(bf16, e.p));
  });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    adamw_element e = columns.after(i);
    e.p = static_cast<float>(driftgate::formats::round(bf16, e.p));
    columns.set_after(i, e);
  }
  rules::arithmetic how;
  how.stored = {{"param", bf16}, {"grad", driftgate::formats::format_id::f32}};
  const adamw_oracle oracle(s, nullptr, how);
  rules::tally t;
  for (auto _ : state) oracle.evaluator().judge(columns.view(false), 0, t);
  if (t[adamw::param].failed != 0) state.SkipWithError("a right output has been failed");
  count(state, columns.size(), 3);
}
BENCHMARK(judge_narrow);

// Values and budgets of every form, for statistics.
void enclose(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  const adamw_columns columns = right_outputs(s, cache_resident);
  const adamw_oracle oracle(s);
  std::vector<double> value(columns.size()), error(columns.size());
  std::array<double*, rules::max_roles> values{}, errors{};
  values[adamw::param] = value.data();
  errors[adamw::param] = error.data();
  for (auto _ : state) oracle.evaluator().enclose(columns.view(false), values, errors);
  count(state, columns.size(), 3);
}
BENCHMARK(enclose);

// The double-double tier.
void exact(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  const adamw_columns columns = right_outputs(s, cache_resident);
  const adamw_oracle oracle(s);
  std::vector<double> head(columns.size()), tail(columns.size());
  std::array<double*, rules::max_roles> heads{}, tails{};
  heads[adamw::param] = head.data();
  tails[adamw::param] = tail.data();
  for (auto _ : state) oracle.evaluator().exact(columns.view(false), heads, tails);
  count(state, columns.size(), 3);
}
BENCHMARK(exact);

// The special-value rule: every parameter infinite.
void judge_special(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  const auto infinite = [](adamw_element& e) { e.p = std::numeric_limits<float>::infinity(); };
  judge(state, s, right_outputs(s, 1024, infinite));
}
BENCHMARK(judge_special);

// The special-value rule where nothing passes, so that every admissible way is tried.
void fail_special(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  const adamw_oracle oracle(s);
  const float infinity = std::numeric_limits<float>::infinity();
  for (auto _ : state) {
    benchmark::DoNotOptimize(oracle.judge({infinity, 1, 1, 1, 0}, adamw::param, -infinity));
  }
  count(state, 1, 1);
}
BENCHMARK(fail_special);

// The audit: 256 bits, by the raw formula.
void audit(benchmark::State& state) {
  const adamw_scalars s = scalars_with(false);
  const adamw_columns columns = right_outputs(s, cache_resident);
  rules::audit auditor{1, std::numeric_limits<std::uint64_t>::max()};
  const adamw_oracle audited(s, &auditor);
  const adamw_oracle plain(s);
  std::uint64_t outputs = 0;
  for (auto _ : state) {
    rules::tally t;
    audited.evaluator().judge(columns.view(false), 0, t);
    for (const std::size_t role : adamw::outputs) outputs += t[role].audited;
  }
  state.counters["audited/s"] = {static_cast<double>(outputs), benchmark::Counter::kIsRate};
}
BENCHMARK(audit);

}  // namespace
