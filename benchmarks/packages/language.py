"""transformers and x-transformers: blocks, and small models from their configurations."""

from __future__ import annotations

import torch
import transformers as T
import x_transformers as X
from transformers.models.bert.modeling_bert import BertLayer, BertSelfAttention
from transformers.models.gpt2.modeling_gpt2 import GPT2MLP
from transformers.models.llama.modeling_llama import LlamaMLP, LlamaRMSNorm
from transformers.models.vit.modeling_vit import ViTLayer

from benchmarks.packages.claims import family
from benchmarks.packages.layers import seeded

true, false = family("torch")
SMALL = {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}


def bert():
    return T.BertConfig(vocab_size=11, max_position_embeddings=16, attn_implementation="eager", **SMALL)


def llama():
    return T.LlamaConfig(
        vocab_size=11, num_key_value_heads=2, max_position_embeddings=16, attn_implementation="eager", **SMALL
    )


def gpt2():
    return T.GPT2Config(
        vocab_size=11, n_positions=16, n_embd=8, n_layer=2, n_head=2, attn_implementation="eager"
    )


def vit():
    return T.ViTConfig(image_size=8, patch_size=4, attn_implementation="eager", **SMALL)


def first(x):
    return x[0] if isinstance(x, tuple) else x


def block(make):
    def made():
        module = seeded(make)()
        return lambda x: first(module(x[None]))[0]

    return made


def of_ids(make, pick):
    def made():
        model = seeded(make)()
        return lambda i: pick(model(input_ids=i))

    return made


def of_pixels(make, pick):
    def made():
        model = seeded(make)()
        return lambda x: pick(model(pixel_values=x))

    return made


def encoder():
    model = seeded(lambda: T.BertModel(bert()))().encoder
    return lambda x: model(x[None]).last_hidden_state[0]


def x_encoder(**options):
    def made():
        torch.manual_seed(0)
        model = X.Encoder(dim=8, depth=1, heads=2, attn_dim_head=32, **options).eval()
        return lambda x: model(x[None])[0]

    return made


def x_cross():
    torch.manual_seed(0)
    model = X.CrossAttender(dim=8, depth=1, heads=2, attn_dim_head=4).eval()
    return lambda x, c: model(x[None], context=c[None])[0]


CLAIMS = [
    true("BERT layer", block(lambda: BertLayer(bert())), "x: n 8 -> n 8", "S(n)"),
    true("BERT self-attention", block(lambda: BertSelfAttention(bert())), "x: n 8 -> n 8", "S(n)"),
    true("BERT encoder", encoder, "x: n 8 -> n 8", "S(n)"),
    true("BERT model batch", of_ids(lambda: T.BertModel(bert()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    true("BERT model pooled", of_ids(lambda: T.BertModel(bert()), lambda o: o.pooler_output), "i[11]: b n -> b 8", "S(b)", sizes={"n": (2, 8)}),
    true("BERT classifier", of_ids(lambda: T.BertForSequenceClassification(bert()), lambda o: o.logits), "i[11]: b n -> b 2", "S(b)", sizes={"n": (2, 8)}),
    true("GPT-2 MLP", seeded(lambda: GPT2MLP(16, gpt2())), "x: n 8 -> n 8", "S(n)"),
    true("GPT-2 model batch", of_ids(lambda: T.GPT2Model(gpt2()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    true("GPT-2 language model", of_ids(lambda: T.GPT2LMHeadModel(gpt2()), lambda o: o.logits), "i[11]: b 5 -> b 5 11", "S(b)"),
    true("LLaMA RMSNorm", seeded(lambda: LlamaRMSNorm(8)), "x: n 8 -> n 8", "S(n)"),
    true("LLaMA MLP", seeded(lambda: LlamaMLP(llama())), "x: n 8 -> n 8", "S(n)"),
    true("LLaMA model batch", of_ids(lambda: T.LlamaModel(llama()), lambda o: o.last_hidden_state), "i[11]: b 5 -> b 5 8", "S(b)"),
    true("LLaMA language model", of_ids(lambda: T.LlamaForCausalLM(llama()), lambda o: o.logits), "i[11]: b n -> b n 11", "S(b)", sizes={"n": (2, 8)}),
    true("ViT layer", block(lambda: ViTLayer(vit())), "x: n 8 -> n 8", "S(n)", single=True),
    true("ViT model batch", of_pixels(lambda: T.ViTModel(vit()), lambda o: o.pooler_output), "x: b 3 8 8 -> b 8", "S(b)"),
    true("x-transformers Encoder", x_encoder(), "x: n 8 -> n 8", "S(n)", single=True),
    true("x-transformers RMSNorm Encoder", x_encoder(use_rmsnorm=True), "x: n 8 -> n 8", "S(n)", single=True),
    true("x-transformers GLU Encoder", x_encoder(ff_glu=True), "x: n 8 -> n 8", "S(n)", single=True),
    true("x-transformers CrossAttender", x_cross, "x: m 8, c: n 8 -> m 8", "S(n)", single=True),
    true("x-transformers FeedForward", seeded(lambda: X.x_transformers.FeedForward(8)), "x: n 8 -> n 8", "S(n)"),
    false("BERT model tokens", of_ids(lambda: T.BertModel(bert()), lambda o: o.last_hidden_state[0]), "i[11]: 1 n -> n 8", "S(n)", sizes={"n": (2, 8)}),
    false("GPT-2 model tokens", of_ids(lambda: T.GPT2Model(gpt2()), lambda o: o.last_hidden_state[0]), "i[11]: 1 5 -> 5 8", "S(5)"),
    false("LLaMA model tokens", of_ids(lambda: T.LlamaModel(llama()), lambda o: o.last_hidden_state[0]), "i[11]: 1 n -> n 8", "S(n)", sizes={"n": (2, 8)}),
    false("LLaMA RMSNorm rotations", seeded(lambda: (lambda m: (m.weight.data.copy_(torch.arange(1.0, 9.0)), m)[1])(LlamaRMSNorm(8))), "x: n 8 -> n 8", "O(8)"),
    false("x-transformers rotary Encoder", x_encoder(rotary_pos_emb=True), "x: n 8 -> n 8", "S(n)"),
    false("x-transformers ALiBi Encoder", x_encoder(alibi_pos_bias=True, alibi_num_heads=2), "x: n 8 -> n 8", "S(n)"),
    false("ViT layer width", block(lambda: ViTLayer(vit())), "x: n v -> n v", "S(v)", sizes={"v": 8}),
]  # fmt: skip
