#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "gate/device/cuda/call.hpp"
#include "gate/device/cuda/kernels.hpp"

namespace driftgate::gate::device {
namespace {

// An honest step is enqueued in microseconds, and one that waits cannot outwait this.
constexpr unsigned long long longest_hold = 250'000'000;  // ns
// What does not wait for the stream has this long to show.
constexpr std::chrono::milliseconds grace{10};

cudaStream_t make_stream() {
  cudaStream_t stream = nullptr;
  // It does not wait for the legacy default stream, nor that one for it.
  call(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  return stream;
}

void count_nodes(cudaGraph_t graph, observation& nodes) {
  std::size_t count = 0;
  call(cudaGraphGetNodes(graph, nullptr, &count), "cudaGraphGetNodes");
  std::vector<cudaGraphNode_t> all(count);
  call(cudaGraphGetNodes(graph, all.data(), &count), "cudaGraphGetNodes");
  for (const cudaGraphNode_t node : all) {
    cudaGraphNodeType type{};
    call(cudaGraphNodeGetType(node, &type), "cudaGraphNodeGetType");
    switch (type) {
      case cudaGraphNodeTypeKernel:
        ++nodes.kernels;
        break;
      case cudaGraphNodeTypeMemcpy:
        ++nodes.copies;
        break;
      case cudaGraphNodeTypeMemset:
        ++nodes.memsets;
        break;
      case cudaGraphNodeTypeEmpty:
        break;
      case cudaGraphNodeTypeGraph: {
        cudaGraph_t inner = nullptr;
        call(cudaGraphChildGraphNodeGetGraph(node, &inner), "cudaGraphChildGraphNodeGetGraph");
        count_nodes(inner, nodes);
        break;
      }
      default:
        ++nodes.others;
    }
  }
}

}  // namespace

struct guest::state {
  cudaStream_t stream = make_stream();
  cudaStream_t observer = make_stream();
  int* released = nullptr;  // in host memory that the device reads
  handle shared{};
  std::byte* arena = nullptr;
  std::size_t bytes = 0;
  std::vector<std::byte> before;  // the arena when the stream was held up

  std::vector<std::byte> contents() const {
    std::vector<std::byte> copy(bytes);
    call(cudaMemcpyAsync(copy.data(), arena, bytes, cudaMemcpyDeviceToHost, observer),
         "cudaMemcpyAsync");
    call(cudaStreamSynchronize(observer), "cudaStreamSynchronize");
    return copy;
  }

  bool is_held() const {
    const cudaError_t error = cudaStreamQuery(stream);
    if (error != cudaErrorNotReady) call(error, "cudaStreamQuery");
    return error == cudaErrorNotReady;
  }
};

guest::guest() : state_(std::make_unique<state>()) {
  void* flag = nullptr;
  call(cudaHostAlloc(&flag, sizeof(int), cudaHostAllocMapped), "cudaHostAlloc");
  state_->released = static_cast<int*>(flag);
}

// The process ends with it, and takes all along.
guest::~guest() = default;

std::byte* guest::open(const handle& shared, std::size_t bytes) {
  state_->bytes = bytes;
  if (state_->arena != nullptr && state_->shared == shared) return state_->arena;
  if (state_->arena != nullptr) {
    call(cudaIpcCloseMemHandle(state_->arena), "cudaIpcCloseMemHandle");
    state_->arena = nullptr;
  }
  cudaIpcMemHandle_t theirs;
  std::memcpy(&theirs, shared.data(), sizeof theirs);
  void* start = nullptr;
  call(cudaIpcOpenMemHandle(&start, theirs, cudaIpcMemLazyEnablePeerAccess),
       "cudaIpcOpenMemHandle");
  state_->shared = shared;
  state_->arena = static_cast<std::byte*>(start);
  return state_->arena;
}

void* guest::stream() const {
  return state_->stream;
}

void guest::finish() {
  call(cudaDeviceSynchronize(), "waiting for the device");
}

void guest::hold() {
  finish();
  state_->before = state_->contents();
  *static_cast<volatile int*>(state_->released) = 0;
  launch_hold(state_->released, longest_hold, state_->stream);
  call(cudaGetLastError(), "the kernel that holds the stream up");
}

observation guest::look() const {
  observation seen;
  seen.returned_early = state_->is_held();
  if (seen.returned_early == 0) return seen;
  std::this_thread::sleep_for(grace);
  const bool same = state_->contents() == state_->before;
  // A difference counts only if the stream was still held up when it was read.
  seen.kept_to_stream = same || !state_->is_held();
  return seen;
}

void guest::release() {
  *static_cast<volatile int*>(state_->released) = 1;
}

void guest::begin_capture() {
  call(cudaStreamBeginCapture(state_->stream, cudaStreamCaptureModeGlobal),
       "cudaStreamBeginCapture");
}

std::unique_ptr<guest::graph> guest::end_capture() {
  auto made = std::make_unique<graph>();
  cudaGraph_t recorded = nullptr;
  call(cudaStreamEndCapture(state_->stream, &recorded), "cudaStreamEndCapture");
  try {
    made->nodes.captured = 1;
    count_nodes(recorded, made->nodes);
    cudaGraphExec_t executable = nullptr;
    call(cudaGraphInstantiate(&executable, recorded, 0), "cudaGraphInstantiate");
    made->executable = {executable, [](void* made_by_cuda) {
                          cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(made_by_cuda));
                        }};
  } catch (...) {
    cudaGraphDestroy(recorded);
    throw;
  }
  call(cudaGraphDestroy(recorded), "cudaGraphDestroy");
  return made;
}

void guest::launch(const graph& captured) {
  call(cudaGraphLaunch(static_cast<cudaGraphExec_t>(captured.executable.get()), state_->stream),
       "cudaGraphLaunch");
}

}  // namespace driftgate::gate::device
