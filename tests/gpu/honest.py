"""Honest candidates, each as two samples 2k and 2k + 1, and the suite that they
are for: DIR/suite and DIR/submission.

    honest.py DIR [I/N]

With I/N, those of every N-th problem from the I-th on. Prints the problems as
kb-eval takes them.
"""

import os
import sys

PROBLEM = '''import torch
import torch.nn as nn


class Model(nn.Module):
{body}

def get_inputs():
    return [{inputs}]


def get_init_inputs():
    return []
'''

EAGER = '''import torch
import torch.nn as nn


class ModelNew(nn.Module):
{body}'''

COMPILED = '''import torch
import torch.nn as nn


class Plain(nn.Module):
{body}

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = torch.compile(Plain())

    def forward(self, *inputs):
        return self.plain(*inputs)
'''

GRAPH = '''import torch
import torch.nn as nn


class Plain(nn.Module):
{body}

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.plain = Plain()
        self.graph = None

    def capture(self, inputs):
        self.inputs = [x.clone() for x in inputs]
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(3):
                self.plain(*self.inputs)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.y = self.plain(*self.inputs)

    def forward(self, *inputs):
        if self.graph is None:
            self.capture(inputs)
        for kept, x in zip(self.inputs, inputs):
            kept.copy_(x)
        self.graph.replay()
        return self.y.clone()
'''

STREAMS = '''import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.side = torch.cuda.Stream()

    def forward(self, x, a, b):
        now = torch.cuda.current_stream()
        right = torch.empty_like(x)
        self.side.wait_stream(now)
        with torch.cuda.stream(self.side):
            torch.mm(x, b, out=right)
        left = torch.mm(x, a)
        now.wait_stream(self.side)
        return left.relu_() + right
'''

TRITON = '''import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def relu(y, x, n, B: tl.constexpr):
    at = tl.program_id(0) * B + tl.arange(0, B)
    v = tl.load(x + at, mask=at < n)
    tl.store(y + at, tl.maximum(v, 0.0), mask=at < n)


class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu[(triton.cdiv(x.numel(), 1024),)](y, x, x.numel(), B=1024)
        return y
'''

INLINE = '''import torch
import torch.nn as nn
from torch.utils.cpp_extension import load_inline

source = """
#include <torch/extension.h>
__global__ void relu(float *y, const float *x, long n)
{
    long i = blockIdx.x * (long)blockDim.x + threadIdx.x;
    if (i < n) y[i] = x[i] > 0 ? x[i] : 0;
}
torch::Tensor run(torch::Tensor x)
{
    auto y = torch::empty_like(x);
    relu<<<(x.numel() + 255) / 256, 256>>>(y.data_ptr<float>(),
        x.data_ptr<float>(), x.numel());
    return y;
}
"""
module = load_inline("honest_relu", "torch::Tensor run(torch::Tensor x);",
                     source, functions=["run"])


class ModelNew(nn.Module):
    def forward(self, x):
        return module.run(x)
'''

NATIVE = '''#include <cuda_runtime.h>
#include <kb_native.h>

{kernel}
extern "C" int kb_forward(const struct kb_native_call *call)
{{
	const struct kb_native_tensor *x = &call->inputs[0];
	size_t n = 1;

	for (uint32_t i = 0; i < x->ndim; i++)
		n *= x->dims[i];
	work<<<{grid}, 256, 0, (cudaStream_t)call->stream>>>(
		(float *)call->outputs[0].data, (const float *)x->data, n,
		(int)x->dims[0]);
	return cudaGetLastError() == cudaSuccess ? KB_NATIVE_OK
						 : KB_NATIVE_FAILED;
}}
'''

EACH = '''static __global__ void work(float *y, const float *x, size_t n, int)
{
	const size_t step = (size_t)gridDim.x * blockDim.x;

	for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
	     i += step) {
		float v = x[i];

		%s
		y[i] = v;
	}
}
'''

ROW_SUMS = '''static __global__ void work(float *y, const float *x, size_t n, int rows)
{
	const size_t columns = n / rows;
	__shared__ float parts[8];
	float sum = 0;

	x += blockIdx.x * columns;
	for (size_t i = threadIdx.x; i < columns; i += blockDim.x)
		sum += x[i];
	for (int d = 16; d; d /= 2)
		sum += __shfl_down_sync(~0u, sum, d);
	if (threadIdx.x % 32 == 0)
		parts[threadIdx.x / 32] = sum;
	__syncthreads();
	if (threadIdx.x)
		return;
	sum = 0;
	for (int i = 0; i < 8; i++)
		sum += parts[i];
	y[blockIdx.x] = sum;
}
'''

TRANSPOSED = '''static __global__ void work(float *y, const float *x, size_t n, int rows)
{
	const int columns = (int)(n / rows), tiles = columns / 32;
	const int i = blockIdx.x / tiles * 32, j = blockIdx.x % tiles * 32;
	const int c = threadIdx.x % 32, r = threadIdx.x / 32;
	__shared__ float tile[32][33];

	for (int k = r; k < 32; k += 8)
		tile[k][c] = x[(size_t)(i + k) * columns + j + c];
	__syncthreads();
	for (int k = r; k < 32; k += 8)
		y[(size_t)(j + k) * rows + i + c] = tile[c][k];
}
'''


def method(arguments, *lines):
    return "".join("    " + line + "\n" for line in (
        "def forward(self, %s):" % arguments,
        *("    " + line for line in lines)))


def native(kernel, grid="132 * 8"):
    return "cu", NATIVE.format(kernel=kernel, grid=grid)


def python(template, body=""):
    return "py", template.replace("{body}", body)


def problems():
    """(name, body, inputs, candidates)"""
    relu = method("x", "return torch.relu(x)")
    inplace = method("x", "y = x.clone()", "return y.relu_()")
    for bits in (14, 16, 18, 20, 22, 24, 26, 28):
        yield "ReLU_%d" % (1 << bits), relu, "torch.randn(%d)" % (1 << bits), [
            native(EACH % "v = v > 0 ? v : 0;"), python(EAGER, relu),
            python(TRITON)] + (
                [python(GRAPH, relu), python(COMPILED, relu),
                 python(EAGER, inplace)] if bits in (16, 20, 24) else []) + (
                [python(INLINE)] if bits == 20 else [])
    for count in (10, 100, 300):
        chain = method("x", "for _ in range(%d):" % count,
                       "    x = torch.tanh(x) * 1.1 + 0.1", "return x")
        loop = "for (int k = 0; k < %d; k++)\n\t\t\tv = tanhf(v) * 1.1f + 0.1f;"
        yield "Chain_%d" % count, chain, "torch.randn(256, 256)", [
            native(EACH % (loop % count)), python(EAGER, chain),
            python(GRAPH, chain)] + (
                [python(COMPILED, chain)] if count < 100 else [])
    for n in (512, 1024, 2048):
        branches = method("x, a, b", "return torch.relu(x @ a) + x @ b")
        yield "Branches_%d" % n, branches, ", ".join(
            ["torch.rand(%d, %d) - 0.5" % (n, n)] * 3), [
                python(EAGER, branches), python(STREAMS),
                python(GRAPH, branches)]
    for n in (256, 1024, 2048, 4096, 8192):
        matmul = method("a, b", "return a @ b")
        yield "Matmul_%d" % n, matmul, ", ".join(
            ["torch.rand(%d, %d) - 0.5" % (n, n)] * 2), [
                python(EAGER, matmul)]
    for rows, columns in ((256, 1024), (8192, 1024), (65536, 2048)):
        softmax = method("x", "return torch.softmax(x, 1)")
        yield "Softmax_%dx%d" % (rows, columns), softmax, (
            "torch.randn(%d, %d)" % (rows, columns)), [
                python(EAGER, softmax), python(COMPILED, softmax)]
    for rows in (512, 8192):
        sums = method("x", "return x.sum(1)")
        yield "Sums_%d" % rows, sums, "torch.rand(%d, 4096)" % rows, [
            native(ROW_SUMS, "x->dims[0]"), python(EAGER, sums)]
    for n in (1024, 8192):
        transposed = method("x", "return x.t().contiguous()")
        view = method("x", "return x.t()")
        yield "Transposed_%d" % n, transposed, "torch.rand(%d, %d)" % (n, n), [
            native(TRANSPOSED, "n / 1024"), python(EAGER, transposed),
            python(EAGER, view)]
    for n in (1024, 16384):
        several = method("x", "values, places = x.max(1)",
                         "return x.sum(0), values, places")
        yield "Several_%d" % n, several, "torch.rand(%d, 1024)" % n, [
            python(EAGER, several)]


def write(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)


def main(to, share="1/1"):
    first, step = map(int, share.split("/"))
    write(os.path.join(to, "suite", "suite.json"),
          '{"name":"gpu-honest","version":"1","upstream_commit":null}\n')
    keys, count = [], 0
    for number, (name, body, inputs, candidates) in enumerate(problems(), 1):
        write(os.path.join(to, "suite", "level1", "%d_%s.py" % (number, name)),
              PROBLEM.format(body=body, inputs=inputs))
        if (number - first) % step:
            continue
        keys.append("1/%d" % number)
        for i, (extension, text) in enumerate(candidates):
            count += 1
            for sample in (2 * i, 2 * i + 1):
                write(os.path.join(
                    to, "submission", "level_1_problem_%d_sample_%d_kernel.%s"
                    % (number, sample, extension)), text)
    sys.stderr.write("%d honest candidates for %d problems\n" % (count,
                                                                 len(keys)))
    print(",".join(keys))


if __name__ == "__main__":
    main(*sys.argv[1:])
