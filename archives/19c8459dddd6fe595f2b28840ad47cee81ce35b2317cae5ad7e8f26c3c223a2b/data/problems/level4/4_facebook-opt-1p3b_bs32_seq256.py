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
    OPT, 1.3 billion parameters: causal language model of pre-norm transformer layers with learned
    positions (a table with two spare rows in front), a ReLU MLP, and an output layer that shares
    the token embedding.

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    The forward pass also fills a key and value cache for generation, which is dropped.
    """

    def __init__(self, model_name: str, config: transformers.OPTConfig):
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


model_name = "facebook/opt-1.3b"
batch_size = 32
sequence_length = 256
vocab_size = 50272
max_position_embeddings = 2048
hidden_size = 2048
num_layers = 24
num_heads = 32
ffn_size = 8192


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.OPTConfig(
        vocab_size=vocab_size,
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        ffn_dim=ffn_size,
        max_position_embeddings=max_position_embeddings,
        do_layer_norm_before=True,
        word_embed_proj_dim=hidden_size,
        dropout=0.1,
        attention_dropout=0.0,
        num_attention_heads=num_heads,
        activation_function="relu",
        layerdrop=0.0,
        init_std=0.02,
        pad_token_id=1,
        bos_token_id=2,
        eos_token_id=2,
    )
    return [model_name, config]
