import glob
import os

import torch
import torch.nn as nn
import transformers


def weights_folder(model_name: str):
    """
    Folder of the published weights below KB_WEIGHTS, or None where that variable is not set.

    KB_WEIGHTS names a Hugging Face cache or a folder of snapshots called ORG/NAME or NAME.
    """
    root = os.environ.get("KB_WEIGHTS")
    if not root:
        return None
    cache = os.path.join(glob.escape(root), "models--" + model_name.replace("/", "--"))
    candidates = sorted(glob.glob(os.path.join(cache, "snapshots", "*")))
    candidates.append(os.path.join(root, model_name))
    candidates.append(os.path.join(root, os.path.basename(model_name)))
    for folder in candidates:
        if os.path.isfile(os.path.join(folder, "config.json")):
            return folder
    raise FileNotFoundError(f"KB_WEIGHTS={root} holds no weights of {model_name}")


class Model(nn.Module):
    """
    GPT-Neo, 2.7 billion parameters: causal language model of pre-norm transformer layers whose
    attention is by turns global and limited to the last window_size positions, with learned
    positions, a GELU (tanh form) MLP of four times the hidden size, and an output layer that shares
    the token embedding.

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    Attention scores are not divided by the root of the head size. The forward pass also fills a key
    and value cache for generation, which is dropped.
    """

    def __init__(self, model_name: str, config: transformers.GPTNeoConfig):
        super().__init__()
        folder = weights_folder(model_name)
        if folder is None:
            self.model = transformers.AutoModelForCausalLM.from_config(config)
        else:
            self.model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, config=config, local_files_only=True
            )
            self.model.float()  # some checkpoints are stored in half precision
        self.model.eval()

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.model(x).logits


model_name = "EleutherAI/gpt-neo-2.7B"
batch_size = 1
sequence_length = 2047
vocab_size = 50257
max_position_embeddings = 2048
hidden_size = 2560
num_layers = 32
num_heads = 20
window_size = 256


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.GPTNeoConfig(
        vocab_size=vocab_size,
        max_position_embeddings=max_position_embeddings,
        hidden_size=hidden_size,
        num_layers=num_layers,
        attention_types=[[["global", "local"], num_layers // 2]],
        num_heads=num_heads,
        window_size=window_size,
        activation_function="gelu_new",
        resid_dropout=0.0,
        embed_dropout=0.0,
        attention_dropout=0.0,
        layer_norm_epsilon=1e-5,
        initializer_range=0.02,
    )
    return [model_name, config]
