"""GPT-2 for one sequence as one CUDA graph, without the Python of its layers.

No cache of keys and values is filled, which the reference drops.
"""
import glob
import os

import torch
import torch.nn as nn
import transformers


def weights_folder(model_name):
    """As the problem finds the published weights, or None for random ones."""
    root = os.environ.get("KB_WEIGHTS")
    if not root:
        return None
    cache = os.path.join(glob.escape(root),
                         "models--" + model_name.replace("/", "--"))
    folders = sorted(glob.glob(os.path.join(cache, "snapshots", "*")))
    folders.append(os.path.join(root, model_name))
    folders.append(os.path.join(root, os.path.basename(model_name)))
    return next(f for f in folders
                if os.path.isfile(os.path.join(f, "config.json")))


class ModelNew(nn.Module):
    def __init__(self, model_name, config):
        super().__init__()
        folder = weights_folder(model_name)
        if folder is None:
            self.model = transformers.AutoModelForCausalLM.from_config(config)
        else:
            self.model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, config=config, local_files_only=True)
            self.model.float()
        self.model.eval()
        self.graph = None

    def logits(self, x):
        return self.model(x, use_cache=False).logits

    def capture(self, x):
        self.x = x.clone()
        side = torch.cuda.Stream()
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            self.logits(self.x)
        torch.cuda.current_stream().wait_stream(side)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph):
            self.y = self.logits(self.x)

    def forward(self, x):
        if self.graph is None:
            self.capture(x)
        self.x.copy_(x)
        self.graph.replay()
        return self.y.clone()
