#!/usr/bin/env python3
"""Times torch.optim.AdamW on a CUDA device, on the lists of tensors that `driftgate bench` uses.

    python3 bench/torch_adamw.py [FILE.json]

Prints, for fused and foreach steps, the median time of a step in microseconds between two CUDA
events, and the bandwidth as a share of a device-to-device copy in the same run. Shapes: one tensor of
2^28 elements, the 148 tensors of GPT-2 (124 M), 2000 tensors of 1024. Bytes an element are the
algorithm's: 28 in f32 (p, g, m, v read; p, m, v written), 14 in bf16.
"""

import json
import statistics
import sys

import torch

WARM_UP = 3
REPETITIONS = 20


def gpt2():
    """Elements of GPT-2's tensors: Radford et al., 12 layers of width 768."""
    width = 768
    layer = [width, width, 3 * width * width, 3 * width, width * width, width,
             width, width, 4 * width * width, 4 * width, 4 * width * width, width]
    return [50257 * width, 1024 * width] + 12 * layer + [width, width]


WORKLOADS = {
    "one tensor": [1 << 28],
    "GPT-2, 148 tensors": gpt2(),
    "2000 tensors of 1024": [1024] * 2000,
}


def seconds(work):
    """The median time of `work` on the device."""
    times = []
    for i in range(WARM_UP + REPETITIONS):
        begin = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        begin.record()
        work()
        end.record()
        end.synchronize()
        if i >= WARM_UP:
            times.append(begin.elapsed_time(end) / 1e3)
    return statistics.median(times)


def copy_bandwidth():
    """Bytes a second, read and written, of a copy of 2 GiB."""
    source = torch.randn(1 << 29, device="cuda")
    target = torch.empty_like(source)
    return 2 * source.nbytes / seconds(lambda: target.copy_(source))


def step_seconds(sizes, dtype, **how):
    parameters = [torch.randn(n, device="cuda").to(dtype).requires_grad_() for n in sizes]
    for p in parameters:
        p.grad = torch.randn(p.shape, device="cuda").to(dtype)
    optimizer = torch.optim.AdamW(parameters, lr=1e-3, weight_decay=1e-2, **how)
    return seconds(optimizer.step)


def main():
    bandwidth = copy_bandwidth()
    name = torch.cuda.get_device_name()
    print(f"{name}, torch {torch.__version__}: a copy moves {bandwidth / 1e9:.1f} GB/s\n")
    print(f"  {'optimizer':<22} {'tensors':<22} {'step, us':>10} {'GB/s':>8} {'of copy':>8}")
    rows = []
    for dtype, width in ((torch.float32, 28), (torch.bfloat16, 14)):
        for kind in ("fused", "foreach"):
            for tensors, sizes in WORKLOADS.items():
                time = step_seconds(sizes, dtype, **{kind: True})
                moved = width * sum(sizes) / time
                label = f"{kind} {str(dtype).removeprefix('torch.')}"
                print(f"  {label:<22} {tensors:<22} {1e6 * time:>10.1f} {moved / 1e9:>8.1f} "
                      f"{100 * moved / bandwidth:>6.1f} %")
                rows.append({"optimizer": label, "tensors": tensors, "step_seconds": time,
                             "bytes_an_element": width, "bytes_a_second": moved,
                             "copy_bytes_a_second": bandwidth})
    if len(sys.argv) > 1:
        with open(sys.argv[1], "w", encoding="utf-8") as out:
            json.dump({"machine": name, "torch": torch.__version__, "rows": rows}, out, indent=2)


if __name__ == "__main__":
    main()
