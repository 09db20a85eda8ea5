// Lists of tensors as one launch sees them: a row per tensor, and a chunk per block that says in
// which tensor and from which element on the block works. Empty tensors have a row and no chunk.
//
// The table is built once, in prepare, and lies in the step's workspace: a step is one launch with
// a few pointers for arguments, however many tensors there are.
//
// Index counts a tensor's elements. A table refuses what its Index cannot count, so 40 000 elements
// and a 16-bit Index test what would take a 32-bit one 2^31.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <new>
#include <vector>

#include "kernels/backend/scalar_roles.cuh"

namespace driftgate::kernels::DG_BACKEND {

// What a kernel takes by value.
template <int Roles, class Index = std::int64_t>
struct tensor_table {
  static constexpr bool has_scalar_roles = false;
  using index = Index;
  static constexpr int roles = Roles;
  static constexpr int no_packs = std::numeric_limits<int>::max();

  // One tensor.
  struct row {
    void* data[Roles];
    // Elements before the first one at which a pack can start in every role, or no_packs.
    int head;
  };

  // What one block updates: this many elements of a row, from `first` on.
  struct chunk {
    Index first;
    std::int32_t row;
    std::int32_t elements;
  };

  const row* rows = nullptr;
  const chunk* chunks = nullptr;
  unsigned num_chunks = 0;
};

// A table whose kernel has the four roles of one element: it reads them on the device, so that a
// captured step sees what they hold at every replay.
template <int Roles, class Index = std::int64_t>
struct counted_table : tensor_table<Roles, Index> {
  static constexpr bool has_scalar_roles = true;

  scalar_roles scalars;
  unsigned* arrivals = nullptr;  // blocks that have read the counter; 0 between two launches

  // Counts the step up once all blocks have read its number: for one thread of each block, after
  // the block has.
  __device__ void count(bool skipped) const {
    if (count_one(arrivals) + 1 != gridDim.x) return;
    *arrivals = 0;
    if (!skipped) ++*scalars.step;
  }
};

// The role's elements from `first` on.
template <class T, class Row, class Index>
__device__ T* at(const Row& row, int role, Index first) {
  return static_cast<T*>(row.data[role]) + first;
}

// Starts kernel(table, arguments...) with a block of `threads` for each chunk; no chunks, no
// launch.
template <class Table, class... Arguments>
int launch_chunks(void (*kernel)(Table, Arguments...), const Table& table, unsigned threads,
                  const dg_step& step, const as_is<Arguments>&... arguments) {
  if (table.num_chunks == 0) return ok;
  return from_launch(launch(kernel, table.num_chunks, threads, step.stream, table, arguments...));
}

// The same in phases (launch_in_phases). There is a block even for no chunks: the step counts.
template <class Block, class Table, class... Arguments>
int launch_counted(const Table& table, unsigned threads, const dg_step& step,
                   const Arguments&... arguments) {
  return from_launch(launch_in_phases<Block>(std::max(table.num_chunks, 1u), threads, step.stream,
                                             table, arguments...));
}

// Makes a table with chunk_elements elements to a chunk, a multiple of a pack's four.
template <class Table>
class table_builder {
 public:
  // Checks the step's lists against the contract's dtypes and counts the chunks.
  int measure(const dg_step& step, const char* dtypes, int chunk_elements) {
    if (const int error = check_abi(step)) return error;
    if (const int error = lists_.find(step, dtypes)) return error;
    if constexpr (Table::has_scalar_roles) {
      if (const int error = scalars_.find(step)) return error;
    }
    chunk_elements_ = chunk_elements;
    for (std::int32_t i = 0; i < lists_.count(); ++i) {
      const std::int64_t elements = elements_of(lists_.tensor(0, i));
      if (elements > std::numeric_limits<index>::max()) return too_many_elements;
      num_chunks_ += (elements + chunk_elements - 1) / chunk_elements;
    }
    // CUDA's limit on gridDim.x.
    return num_chunks_ > std::numeric_limits<std::int32_t>::max() ? too_many_chunks : ok;
  }

  std::uint64_t bytes() const {
    return table_bytes() + (Table::has_scalar_roles ? sizeof(unsigned) : 0);
  }

  // Puts the measured table into the step's workspace, with one copy in the order of its stream.
  int write(const dg_step& step, Table& table) const {
    if (step.workspace_bytes < bytes()) return workspace_too_small;
    std::vector<char> image(bytes());
    row* const rows = reinterpret_cast<row*>(image.data());
    chunk* next = reinterpret_cast<chunk*>(rows + lists_.count());
    for (std::int32_t i = 0; i < lists_.count(); ++i) {
      rows[i] = row_of(i);
      const std::int64_t elements = elements_of(lists_.tensor(0, i));
      for (std::int64_t first = 0; first < elements; first += chunk_elements_) {
        const std::int64_t left = elements - first;
        *next++ = {static_cast<index>(first), i,
                   static_cast<std::int32_t>(std::min<std::int64_t>(left, chunk_elements_))};
      }
    }
    table.rows = static_cast<const row*>(step.workspace);
    table.chunks = reinterpret_cast<const chunk*>(table.rows + lists_.count());
    table.num_chunks = static_cast<unsigned>(num_chunks_);
    if constexpr (Table::has_scalar_roles) {
      table.scalars = scalars_;
      table.arrivals =
          reinterpret_cast<unsigned*>(static_cast<char*>(step.workspace) + table_bytes());
    }
    if (image.empty()) return ok;
    return from_launch(upload(step.workspace, image.data(), image.size(), step.stream));
  }

 private:
  using index = typename Table::index;
  using row = typename Table::row;
  using chunk = typename Table::chunk;
  static_assert(alignof(row) >= alignof(chunk), "the chunks follow the rows");

  std::uint64_t table_bytes() const {
    return static_cast<std::uint64_t>(lists_.count()) * sizeof(row) +
           static_cast<std::uint64_t>(num_chunks_) * sizeof(chunk);
  }

  row row_of(std::int32_t i) const {
    row result{};
    for (int role = 0; role < Table::roles; ++role) {
      const DLTensor& tensor = lists_.tensor(role, i);
      const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
      const int head = static_cast<int>(-(address / (tensor.dtype.bits / 8)) % 4);
      if (role == 0) result.head = head;
      if (head != result.head) result.head = Table::no_packs;
      result.data[role] = tensor.data;
    }
    return result;
  }

  tensor_lists<Table::roles> lists_;
  scalar_roles scalars_;
  std::int64_t num_chunks_ = 0;
  int chunk_elements_ = 0;
};

// A dg_kernel that updates every element in one launch over a table. Update has
//   using table                            the tensor_table that its kernel takes
//   dtypes                                 the contract's, in the order of the table's roles
//   chunk_elements                         elements to a block
//   int run(const table&, const dg_step&)  one step
template <class Update>
struct table_kernel {
  using table = typename Update::table;

  static constexpr dg_kernel describe(const char* name, const char* rule, const char* options,
                                      const char* numerics, const char* budget) {
    return {DG_ABI_VERSION, sizeof(dg_kernel), name,   rule, DG_DEVICE, Update::dtypes,
            options,        numerics,          budget, size, prepare,   step,
            release,        sentence};
  }

  static std::uint64_t size(const dg_step* step) {
    table_builder<table> builder;
    // What is wrong with the step is prepare's to say.
    return builder.measure(*step, Update::dtypes, Update::chunk_elements) == ok ? builder.bytes()
                                                                                : 0;
  }

  static int prepare(const dg_step* step, void** plan) {
    try {
      table_builder<table> builder;
      auto made = std::make_unique<table>();
      int error = builder.measure(*step, Update::dtypes, Update::chunk_elements);
      if (error == ok) error = builder.write(*step, *made);
      if (error == ok) *plan = made.release();
      return error;
    } catch (const std::bad_alloc&) {
      return out_of_memory;
    }
  }

  static int step(const dg_step* step, void* plan) {
    if (const int error = check_abi(*step)) return error;
    return Update::run(*static_cast<const table*>(plan), *step);
  }

  static void release(void* plan) { delete static_cast<table*>(plan); }
};

}  // namespace driftgate::kernels::DG_BACKEND
