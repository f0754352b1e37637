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
    ELECTRA small, 13.5 million parameters: post-norm transformer encoder with embeddings narrower
    than its layers, learned positions, a GELU (erf form) MLP, and a generator head (dense layer
    back to the embedding's width, GELU, layer norm, then the token embedding's transpose and a
    bias).

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    The published configuration does not set is_decoder, so despite the name attention is not
    causal: every position sees the whole sequence. The published weights are those of the
    discriminator, which has no generator head: the head's dense layer, layer norm and bias are
    random or constant even with KB_WEIGHTS.
    """

    def __init__(self, model_name: str, config: transformers.ElectraConfig):
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


model_name = "google/electra-small-discriminator"
batch_size = 32
sequence_length = 256
vocab_size = 30522
max_position_embeddings = 512
embedding_size = 128
hidden_size = 256
num_layers = 12
num_heads = 4
ffn_size = 1024


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.ElectraConfig(
        vocab_size=vocab_size,
        embedding_size=embedding_size,
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        num_attention_heads=num_heads,
        intermediate_size=ffn_size,
        hidden_act="gelu",
        hidden_dropout_prob=0.1,
        attention_probs_dropout_prob=0.1,
        max_position_embeddings=max_position_embeddings,
        type_vocab_size=2,
        initializer_range=0.02,
        layer_norm_eps=1e-12,
        pad_token_id=0,
    )
    return [model_name, config]
