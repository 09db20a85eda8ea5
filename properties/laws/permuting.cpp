// The order of tensors in a list, of elements in a tensor, of roles and of scalars means nothing.
#include <algorithm>
#include <cstring>
#include <numeric>

#include "properties/laws/law.hpp"

namespace driftgate::properties {
namespace {

std::vector<std::size_t> permutation(std::size_t n, std::uint64_t seed) {
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[mix(seed, i, 9) % i]);
  return order;
}

// The flat array's elements in a new order: element i of the result is element order[i].
std::vector<std::size_t> inverse(const std::vector<std::size_t>& order) {
  std::vector<std::size_t> back(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) back[order[i]] = i;
  return back;
}

std::vector<std::byte> reorder(const std::vector<std::byte>& from,
                               const std::vector<std::size_t>& order) {
  std::vector<std::byte> to(from.size());
  if (order.empty()) return to;
  const std::size_t element = from.size() / order.size();
  for (std::size_t i = 0; i < order.size(); ++i) {
    std::memcpy(&to[i * element], &from[order[i] * element], element);
  }
  return to;
}

std::optional<violation> check(law_context& with, const case_spec& spec) {
  const expanded_case data = expand(spec, with.about());
  const job straight = make_job(spec, data);

  // Tensors in another order, then elements across all of them, roles and scalars turned around.
  const auto order = permutation(static_cast<std::size_t>(spec.elements()), spec.seed);
  job permuted = straight;
  for (role_data& r : permuted.roles) r.bytes = reorder(r.bytes, order);
  const auto lists = permutation(spec.sizes.size(), spec.seed + 1);
  for (std::size_t i = 0; i < lists.size(); ++i) permuted.sizes[i] = spec.sizes[lists[i]];
  std::reverse(permuted.roles.begin(), permuted.roles.end());
  auto& scalars = permuted.steps.front().scalars;
  const auto shuffled = permutation(scalars.size(), spec.seed + 2);
  for (std::size_t i = 0; i < scalars.size(); ++i) {
    scalars[i] = straight.steps.front().scalars[shuffled[i]];
  }

  outcome a, b;
  if (auto v = with.run(straight, a)) return v;
  if (auto v = with.run(permuted, b)) return v;
  for (role_data& r : b.roles) r.bytes = reorder(r.bytes, inverse(order));
  return with.same_result(spec, data, a, b, verdict::bits_differ,
                          "in order, and with tensors, elements, roles and scalars permuted");
}

}  // namespace

law permuting() {
  law l{"permuting", "the order of tensors, elements, roles and scalars changes no bit",
        {},          80,
        500,         check};
  l.profile.draws = {distribution::training, distribution::bits, distribution::division_visible};
  l.profile.lists_up_to = 20;
  l.profile.elements_up_to = 1500;
  l.covered = lacks_an_output;
  return l;
}

}  // namespace driftgate::properties
