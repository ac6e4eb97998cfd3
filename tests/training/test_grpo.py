"""A GRPO training of TRL on a tiny random model, whose answers are tokens: some are documents, some cannot be read."""

from __future__ import annotations

import json
from typing import Any

import pytest

from docie.adapters import training

torch = pytest.importorskip("torch", reason="training needs torch")
transformers = pytest.importorskip("transformers", reason="training needs transformers")
pytestmark = pytest.mark.exhaustive

ANSWERS = ['{"total": "9.00"}', '{"total": "8.00"}', '{"total": "9.00", "tax": "1.00"}', "Sorry.", '{"total":']
GOLD = '{"total": "9.00", "tax": "1.00"}'
CHAT = "{% for message in messages %}{{ message['role'] }}|{{ message['content'] }}|{% endfor %}"


def tokenizer() -> Any:
    """A tokenizer that knows whole answers, between bars."""
    import tokenizers

    words = ["<pad>", "</s>", "<unk>", "receipt", "user", "assistant", *ANSWERS]
    backend = tokenizers.Tokenizer(
        tokenizers.models.WordLevel({word: number for number, word in enumerate(words)}, "<unk>")
    )
    backend.pre_tokenizer = tokenizers.pre_tokenizers.Split("|", "removed")
    backend.decoder = tokenizers.decoders.Fuse()
    made = transformers.PreTrainedTokenizerFast(
        tokenizer_object=backend, pad_token="<pad>", eos_token="</s>", unk_token="<unk>"
    )
    made.chat_template = CHAT + "{% if add_generation_prompt %}assistant|{% endif %}"
    return made


def model(words: int) -> Any:
    config = transformers.LlamaConfig(
        vocab_size=words, hidden_size=16, intermediate_size=32, num_hidden_layers=1, num_attention_heads=2,
        num_key_value_heads=2, max_position_embeddings=32, pad_token_id=0, eos_token_id=1, bos_token_id=None,
    )  # fmt: skip
    return transformers.LlamaForCausalLM(config)


class Recorded:
    """A reward function that remembers what TRL asked and got."""

    def __init__(self, reward: training.reward) -> None:
        self.reward = reward
        self.__name__ = reward.__name__
        self.calls: list[tuple[dict[str, Any], list[float | None]]] = []

    def __call__(self, **arguments: Any) -> list[float | None]:
        rewards = self.reward(**arguments)
        self.calls.append((arguments, rewards))
        return rewards


@pytest.mark.parametrize("is_chat", [False, True])
def test_a_training_with_rewards(tmp_path: Any, is_chat: bool) -> None:
    trl = pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    transformers.set_seed(0)
    prompt = [{"role": "user", "content": "receipt"}] if is_chat else "receipt"
    gold = [GOLD if number % 4 else None for number in range(16)]
    rows = datasets.Dataset.from_list([{"prompt": prompt, "gold": each} for each in gold])
    of_f1, of_corrections = (
        Recorded(training.reward("kieval", "entity_f1", "gold", unreadable=-1.0)),
        Recorded(training.reward("kieval", {"corrections": -0.5}, "gold")),
    )
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path), max_steps=40, per_device_train_batch_size=16, num_generations=8, max_completion_length=1,
        learning_rate=3e-2, reward_weights=[1.0, 0.1], use_cpu=True, bf16=False, logging_steps=1, save_strategy="no",
        report_to=[], disable_tqdm=True, seed=0,
    )  # fmt: skip
    words = tokenizer()
    trainer = trl.GRPOTrainer(
        model(len(words)), [of_f1, of_corrections], args=arguments, train_dataset=rows, processing_class=words
    )
    trainer.train()

    assert len(of_f1.calls) == len(of_corrections.calls) == 40
    seen = set()
    for call, rewards in of_f1.calls:
        texts = [each[-1]["content"] if is_chat else each for each in call["completions"]]
        expected = [
            None if each is None else of_f1.reward.of(text, each)
            for text, each in zip(texts, call["gold"], strict=True)
        ]
        assert rewards == expected
        seen.update(rewards)
    assert seen == {None, -1.0, 0.0, 2 / 3, 1.0}
    logged = [entry for entry in trainer.state.log_history if "reward" in entry]
    for entry, (_, rewards) in zip(logged, of_f1.calls, strict=True):
        given = [each for each in rewards if each is not None]
        if not given:  # both prompts of the step are without a reference
            assert "kieval_entity_f1_unreadable" not in entry
            continue
        assert entry["rewards/kieval_entity_f1/mean"] == pytest.approx(sum(given) / len(given))
        assert entry["kieval_entity_f1_unreadable"] == pytest.approx(given.count(-1.0) / len(given))
    means = [mean for entry in logged if (mean := entry["rewards/kieval_entity_f1/mean"]) is not None]
    assert sum(means[-5:]) > sum(means[:5]) + 2.5  # it learns which answers can be read and are right
    assert {*trainer._logs["extra"]} == {"kieval_entity_f1_issues", "kieval_corrections_issues"}


def test_a_wrong_column_ends_the_first_step(tmp_path: Any) -> None:
    trl = pytest.importorskip("trl")
    datasets = pytest.importorskip("datasets")
    rows = datasets.Dataset.from_list([{"prompt": "receipt", "gold": json.dumps({})}] * 4)
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path), max_steps=1, per_device_train_batch_size=4, num_generations=4, max_completion_length=1,
        use_cpu=True, bf16=False, report_to=[], disable_tqdm=True,
    )  # fmt: skip
    words = tokenizer()
    trainer = trl.GRPOTrainer(
        model(len(words)), training.reward(), args=arguments, train_dataset=rows, processing_class=words
    )
    with pytest.raises(ValueError, match="the data set has no column 'reference' for the references; got: gold"):
        trainer.train()
