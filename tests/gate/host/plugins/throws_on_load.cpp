#include <stdexcept>

[[gnu::constructor]] static void on_load() {
  throw std::runtime_error("not in the mood");
}
