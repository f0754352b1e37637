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
    BART large's decoder, 254 million parameters: causal language model of post-norm transformer
    layers with learned positions (a table with two spare rows in front), a layer norm on the
    embeddings, a GELU (erf form) MLP, and an output layer that shares the token embedding.

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    As a causal language model BART has no encoder: the layers' cross-attention weights exist and
    are never used, since no encoder states are given. The forward pass also fills a key and value
    cache for generation, which is dropped.
    """

    def __init__(self, model_name: str, config: transformers.BartConfig):
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


model_name = "facebook/bart-large"
batch_size = 1
sequence_length = 1023
vocab_size = 50265
max_position_embeddings = 1024
hidden_size = 1024
num_layers = 12
num_heads = 16
ffn_size = 4096


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.BartConfig(
        vocab_size=vocab_size,
        max_position_embeddings=max_position_embeddings,
        encoder_layers=num_layers,
        encoder_ffn_dim=ffn_size,
        encoder_attention_heads=num_heads,
        decoder_layers=num_layers,
        decoder_ffn_dim=ffn_size,
        decoder_attention_heads=num_heads,
        activation_function="gelu",
        d_model=hidden_size,
        dropout=0.1,
        attention_dropout=0.1,
        activation_dropout=0.1,
        init_std=0.02,
        scale_embedding=False,
        pad_token_id=1,
        bos_token_id=0,
        eos_token_id=2,
    )
    return [model_name, config]
