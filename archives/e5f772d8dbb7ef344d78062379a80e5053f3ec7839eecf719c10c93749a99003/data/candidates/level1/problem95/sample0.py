"""Cross entropy: each row of logits is read once, and nothing of its size written."""
import torch
import triton
import triton.language as tl


@triton.jit
def row_losses(losses, logits, targets, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    base = row.to(tl.int64) * columns
    at = tl.arange(0, BLOCK)
    v = tl.load(logits + base + at, mask=at < columns, other=float("-inf"))
    top = tl.max(v, axis=0)
    target = tl.load(targets + row)
    kept = target != -100
    own = tl.load(logits + base + target, mask=kept, other=0.0)
    loss = tl.log(tl.sum(tl.exp(v - top), axis=0)) + top - own
    tl.store(losses + row, tl.where(kept, loss, 0.0))


@triton.jit
def mean_of(out, losses, targets, rows, BLOCK: tl.constexpr):
    total = tl.zeros((BLOCK,), tl.float32)
    count = tl.zeros((BLOCK,), tl.int32)
    for start in range(0, rows, BLOCK):
        at = start + tl.arange(0, BLOCK)
        mask = at < rows
        total += tl.load(losses + at, mask=mask, other=0.0)
        count += (tl.load(targets + at, mask=mask, other=-100) != -100).to(tl.int32)
    tl.store(out, tl.sum(total, axis=0) / tl.sum(count, axis=0))


class ModelNew(torch.nn.Module):
    def forward(self, predictions, targets):
        rows, columns = predictions.shape
        losses = predictions.new_empty(rows)
        out = predictions.new_empty(())
        row_losses[(rows,)](losses, predictions, targets, columns,
                            BLOCK=triton.next_power_of_2(columns), num_warps=8)
        mean_of[(1,)](out, losses, targets, rows, BLOCK=4096, num_warps=16)
        return out
