#include "gate/host/passed_arguments.hpp"

#include <cstring>

namespace driftgate::gate::host {
namespace {

// Where what `pointer` points to in `original` is in its copy.
template <class T, class Element>
T* in_copy(const T* pointer, const std::vector<Element>& original, std::vector<Element>& copy) {
  const auto* const at = reinterpret_cast<const std::byte*>(pointer);
  const auto offset = at - reinterpret_cast<const std::byte*>(original.data());
  return reinterpret_cast<T*>(reinterpret_cast<std::byte*>(copy.data()) + offset);
}

template <class Visit, class... Vectors>
void for_each_bytes(const Visit& visit, Vectors&... all) {
  (visit(reinterpret_cast<const std::byte*>(all.data()), all.size() * sizeof(*all.data())), ...);
}

}  // namespace

passed_arguments::passed_arguments(const dg_step& step, const std::vector<dg_tensors>& lists,
                                   const std::vector<DLTensor>& tensors,
                                   const std::vector<shape>& shapes,
                                   const std::vector<dg_scalar>& scalars)
    : step_{step}, lists_(lists), tensors_(tensors), shapes_(shapes), scalars_(scalars) {
  for (DLTensor& tensor : tensors_) tensor.shape = in_copy(tensor.shape, shapes, shapes_);
  for (dg_tensors& list : lists_) list.tensors = in_copy(list.tensors, tensors, tensors_);
  step_.front().lists = lists_.data();
  step_.front().scalars = scalars_.data();
  before_ = image();
}

passed_arguments::~passed_arguments() {
  const auto erase = [](const std::byte* data, std::size_t bytes) {
    if (bytes > 0) explicit_bzero(const_cast<std::byte*>(data), bytes);
  };
  for_each_bytes(erase, step_, lists_, tensors_, shapes_, scalars_);
}

std::vector<std::byte> passed_arguments::image() const {
  std::vector<std::byte> bytes;
  const auto append = [&](const std::byte* data, std::size_t count) {
    bytes.insert(bytes.end(), data, data + count);
  };
  for_each_bytes(append, step_, lists_, tensors_, shapes_, scalars_);
  return bytes;
}

}  // namespace driftgate::gate::host
