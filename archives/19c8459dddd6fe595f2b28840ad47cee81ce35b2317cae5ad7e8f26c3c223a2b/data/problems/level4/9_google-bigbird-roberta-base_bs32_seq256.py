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
    BigBird base, 128 million parameters: post-norm transformer encoder with block-sparse attention,
    learned positions, a GELU (tanh form) MLP, and a language-model head (dense layer, GELU, layer
    norm, then the token embedding's transpose and a bias).

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    The published configuration does not set is_decoder, so despite the name attention is not
    causal: every position sees positions after it.

    Block-sparse attention needs more than (5 + 2 num_random_blocks) block_size = 704 tokens; at
    this length the first forward pass switches the module to full attention, for good, with the
    same weights. No block is drawn at random.
    """

    def __init__(self, model_name: str, config: transformers.BigBirdConfig):
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


model_name = "google/bigbird-roberta-base"
batch_size = 32
sequence_length = 256
vocab_size = 50358
max_position_embeddings = 4096
hidden_size = 768
num_layers = 12
num_heads = 12
ffn_size = 3072
block_size = 64
num_random_blocks = 3


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.BigBirdConfig(
        vocab_size=vocab_size,
        hidden_size=hidden_size,
        num_hidden_layers=num_layers,
        num_attention_heads=num_heads,
        intermediate_size=ffn_size,
        hidden_act="gelu_new",
        hidden_dropout_prob=0.1,
        attention_probs_dropout_prob=0.1,
        max_position_embeddings=max_position_embeddings,
        type_vocab_size=2,
        initializer_range=0.02,
        layer_norm_eps=1e-12,
        pad_token_id=0,
        bos_token_id=1,
        eos_token_id=2,
        sep_token_id=66,
        attention_type="block_sparse",
        use_bias=True,
        rescale_embeddings=False,
        block_size=block_size,
        num_random_blocks=num_random_blocks,
    )
    return [model_name, config]
