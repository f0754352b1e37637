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
    Reformer for bytes (enwik8), 149 million parameters: causal language model of reversible layers
    on two residual streams, three local attention layers to one of locality-sensitive hashing,
    axial position embeddings, a ReLU feed-forward, and an untied output layer on both streams side
    by side.

    x: [batch_size, sequence_length] token ids; output: logits [batch_size, sequence_length,
    vocab_size].

    Weights are random, drawn for the published configuration, unless KB_WEIGHTS leads to the
    published ones; either way the model is in eval mode, so no dropout is live.

    A hashing layer draws random rotations on every forward pass (hash_seed is not set), but only
    for sequences longer than lsh_chunk_length; at this length it attends to the whole past, and
    only the local layers work in chunks (their own and the one before it). The output is
    reproducible.

    The forward pass also keeps every layer's hidden states for generation, which are dropped.
    """

    def __init__(self, model_name: str, config: transformers.ReformerConfig):
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


model_name = "google/reformer-enwik8"
batch_size = 32
sequence_length = 256
vocab_size = 258
max_position_embeddings = 65536
axial_pos_shape = (128, 512)
axial_pos_embds_dim = (256, 768)
hidden_size = 1024
num_heads = 8
head_size = 128
ffn_size = 4096
attn_layers = ["local", "local", "lsh", "local"] * 3
local_chunk_length = 128
lsh_chunk_length = 256
num_buckets = 512
num_hashes = 4


def get_inputs():
    return [torch.randint(0, vocab_size, (batch_size, sequence_length))]


def get_init_inputs():
    config = transformers.ReformerConfig(
        attention_head_size=head_size,
        attn_layers=list(attn_layers),
        axial_norm_std=1.0,
        axial_pos_embds=True,
        axial_pos_shape=axial_pos_shape,
        axial_pos_embds_dim=axial_pos_embds_dim,
        chunk_size_lm_head=0,
        feed_forward_size=ffn_size,
        hash_seed=None,
        hidden_act="relu",
        hidden_dropout_prob=0.2,
        hidden_size=hidden_size,
        initializer_range=0.02,
        is_decoder=True,
        layer_norm_eps=1e-12,
        local_num_chunks_before=1,
        local_num_chunks_after=0,
        local_attention_probs_dropout_prob=0.2,
        local_attn_chunk_length=local_chunk_length,
        lsh_attn_chunk_length=lsh_chunk_length,
        lsh_attention_probs_dropout_prob=0.1,
        lsh_num_chunks_before=1,
        lsh_num_chunks_after=0,
        max_position_embeddings=max_position_embeddings,
        num_attention_heads=num_heads,
        num_buckets=num_buckets,
        num_hashes=num_hashes,
        pad_token_id=0,
        eos_token_id=2,
        vocab_size=vocab_size,
    )
    return [model_name, config]
