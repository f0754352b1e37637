"""roofline.py SVG: known problems stand in the figure where theory says.

The figure tells each dot's arithmetic and intensity in its title, and the
device's roof. What a problem's intensity is follows from its shapes; how much of
the roof torch's own kernels reach is what every such device shows, within wide
bounds: a matrix product is bound by arithmetic, an activation by memory.
"""

import re
import sys

# fp32 without tensor cores, by the same data sheets as src/judge/verify/peaks.c.
FP32_GFLOPS = {4800000: 67000,          # MB/s of the H200
               3350000: 67000,          # H100 SXM
               2039000: 19500}          # A100 80GB

# Of square matrices of 4096 in fp32: 2 n^3 operations, 3 n^2 words of 4 bytes.
MATMUL_INTENSITY = 2 * 4096 / 12
# One operation, one word read and one written.
RELU_INTENSITY = 1 / 8

with open(sys.argv[1]) as f:
    svg = f.read()

memory, top = map(int, re.search(r"<title>(\d+) MB/s, (\d+) GOP/s</title>",
                                 svg).groups())
dots = {}
for key, gflops, at in re.findall(
        r"<title>(\d+/\d+): ([\d.]+) GFLOP/s at ([\d.]+k?) FLOP/B</title>", svg):
    scale = 1000 if at.endswith("k") else 1
    dots.setdefault(key, []).append(
        (float(gflops), float(at.rstrip("k")) * scale))

failed = False


def near(a, b):
    return abs(a - b) <= 0.01 * b


def check(what, is_so):
    global failed
    print(("" if is_so else "NOT SO: ") + what)
    failed |= not is_so


for key in dots:
    for gflops, at in dots[key]:
        roof = min(top, at * memory / 1000)
        if gflops > roof * 1.01:
            check(f"{key}: {gflops:.0f} GFLOP/s are above the roof {roof:.0f}",
                  False)

for gflops, at in dots.get("1/1", [(0, 0)]):
    fp32 = FP32_GFLOPS[memory]
    check(f"1/1: {gflops / 1000:.1f} TFLOP/s at {at:.0f} FLOP/B, "
          f"{100 * gflops / fp32:.0f} % of fp32", near(at, MATMUL_INTENSITY) and
          0.5 * fp32 < gflops <= fp32)
for gflops, at in dots.get("1/19", [(0, 1)]):
    mb_per_s = gflops / at * 1000
    check(f"1/19: {mb_per_s / 1e6:.2f} TB/s at {at} FLOP/B, "
          f"{100 * mb_per_s / memory:.0f} % of the memory",
          near(at, RELU_INTENSITY) and 0.6 * memory < mb_per_s <= memory)
print(f"{sum(map(len, dots.values()))} dots below a roof of {memory} MB/s and "
      f"{top} GOP/s")
sys.exit(failed)
