// The CUDA device as the gate and its child see it. A program that was built without CUDA has the
// same functions (absent.cpp): missing() then says why no device can be used, and the rest is never
// reached.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace driftgate::gate::device {

// Why no kernel can run on a CUDA device here, as a clause; empty: one can.
const std::string& missing();

// "NVIDIA H200, 143771 MiB, driver 13.0, runtime 13.0"; empty where none can be used.
const std::string& description();

// A call of CUDA's that failed: its sentence.
struct failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A memory's name in another process.
using handle = std::array<std::uint64_t, 8>;

// The gate's own memory on the device. All functions throw failure.
class memory {
 public:
  memory() = default;
  ~memory();
  memory(const memory&) = delete;
  memory& operator=(const memory&) = delete;

  // Makes it at least so large; the contents are lost if it has to grow. Another process may still
  // have the old memory open, which is kept until free_old().
  void grow(std::size_t bytes);
  void free_old();
  void write(std::size_t at, const std::byte* from, std::size_t bytes);
  void read(std::size_t at, std::byte* to, std::size_t bytes) const;

  // Copies [at, at + period) over and over until `bytes` are full.
  void repeat(std::size_t at, std::size_t period, std::size_t bytes);
  // The first of these bytes that is not what lies a period before it; `bytes` if there is none.
  std::size_t first_aperiodic(std::size_t at, std::size_t period, std::size_t bytes) const;

  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }
  handle share() const;

  // All that the device has, and what is free.
  static std::size_t total();
  static std::size_t available();

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
  std::vector<std::byte*> old_;
};

// What was seen of one step.
struct observation {
  std::uint32_t returned_early = 1;  // the call came back while its stream was held up
  std::uint32_t kept_to_stream = 1;  // and nothing changed meanwhile
  std::uint32_t captured = 0;        // then the nodes of the graph are:
  std::uint32_t kernels = 0, copies = 0, memsets = 0, others = 0;
};

// The child's side: the gate's memory, and a stream of its own for the kernel.
class guest {
 public:
  guest();
  ~guest();
  guest(const guest&) = delete;
  guest& operator=(const guest&) = delete;

  // Maps the gate's memory; the address stays the same as long as the handle does.
  std::byte* open(const handle& shared, std::size_t bytes);

  void* stream() const;
  // Waits for all work on the device. Throws failure if some of it failed.
  void finish();

  // Holds the stream up until release(), or for a quarter of a second.
  void hold();
  // Whether what was put on the stream since still waits, and whether the mapped memory is as it
  // was when the stream was held up.
  observation look() const;
  void release();

  // Between these two, calls on the stream are recorded and not executed.
  void begin_capture();
  struct graph {
    observation nodes;
    std::shared_ptr<void> executable;
  };
  // Throws failure if something cannot be captured.
  std::unique_ptr<graph> end_capture();
  void launch(const graph& captured);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

// Times work on a stream of its own, for benchmarks. All functions throw failure.
class stopwatch {
 public:
  stopwatch();
  ~stopwatch();
  stopwatch(const stopwatch&) = delete;
  stopwatch& operator=(const stopwatch&) = delete;

  void* stream() const;
  void start();
  // Seconds on the device since start(), after waiting for the stream.
  double stop();
  // Puts a copy of memory to memory on the stream.
  void copy(std::byte* to, const std::byte* from, std::size_t bytes);

 private:
  struct state;
  std::unique_ptr<state> state_;
};

}  // namespace driftgate::gate::device
