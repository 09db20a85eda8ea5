// A program that was built without CUDA.
#include "gate/device/device.hpp"

namespace driftgate::gate::device {
namespace {

[[noreturn]] void no_device() {
  throw failure(missing());
}

}  // namespace

const std::string& missing() {
  static const std::string reason =
      "no CUDA device can be used: driftgate was built without CUDA (docs/running-on-a-gpu.md)";
  return reason;
}

const std::string& description() {
  static const std::string none;
  return none;
}

memory::~memory() = default;
void memory::grow(std::size_t /*bytes*/) {
  no_device();
}
void memory::free_old() {
  no_device();
}
void memory::write(std::size_t /*at*/, const std::byte* /*from*/, std::size_t /*bytes*/) {
  no_device();
}
void memory::read(std::size_t /*at*/, std::byte* /*to*/, std::size_t /*bytes*/) const {
  no_device();
}
void memory::repeat(std::size_t /*at*/, std::size_t /*period*/, std::size_t /*bytes*/) {
  no_device();
}
std::size_t memory::first_aperiodic(std::size_t /*at*/, std::size_t /*period*/,
                                    std::size_t /*bytes*/) const {
  no_device();
}
handle memory::share() const {
  no_device();
}
std::size_t memory::total() {
  no_device();
}
std::size_t memory::available() {
  no_device();
}

struct guest::state {};
guest::guest() {
  no_device();
}
guest::~guest() = default;
std::byte* guest::open(const handle& /*shared*/, std::size_t /*bytes*/) {
  no_device();
}
void* guest::stream() const {
  no_device();
}
void guest::finish() {
  no_device();
}
void guest::hold() {
  no_device();
}
observation guest::look() const {
  no_device();
}
void guest::release() {
  no_device();
}
void guest::begin_capture() {
  no_device();
}
std::unique_ptr<guest::graph> guest::end_capture() {
  no_device();
}
void guest::launch(const graph& /*captured*/) {
  no_device();
}

struct stopwatch::state {};
stopwatch::stopwatch() {
  no_device();
}
stopwatch::~stopwatch() = default;
void* stopwatch::stream() const {
  no_device();
}
void stopwatch::start() {
  no_device();
}
double stopwatch::stop() {
  no_device();
}
void stopwatch::copy(std::byte* /*to*/, const std::byte* /*from*/, std::size_t /*bytes*/) {
  no_device();
}

}  // namespace driftgate::gate::device
