"""sb3-contrib's MaskablePPO with its two inner loops written for our tables.

The algorithm, the policy and the options are MaskablePPO's. What is quicker: masks and probabilities are worked out once
instead of four times and unchecked, tables are asked once instead of one by one, masks are kept as bits of truth rather than
numbers, and threads share the rows of every pass through the network.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np
import torch
from gymnasium import spaces
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.distributions import MaskableDistribution
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.utils import explained_variance

from arabian_envs.adapters.sb3 import ArabianVecEnv

_NEVER = -1e8  # the logit of an illegal action; finite, so that nothing becomes NaN
_LEAST = -80.0  # of a log-probability: it counts for nothing, and of numbers further down `exp` takes ten times as long
_MIN_ROWS = 128
"""Fewer rows than this are not worth a thread."""


class TablePolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy, which can also be asked for everything at once."""

    def logits(self, latent: torch.Tensor) -> torch.Tensor:
        """A score for each action from what the policy's layers made of the inputs."""
        return self.action_net(latent)

    def _get_action_dist_from_latent(self, latent_pi: torch.Tensor) -> MaskableDistribution:
        return self.action_dist.proba_distribution(action_logits=self.logits(latent_pi))

    def log_chances(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """The logarithm of every action's probability, of each row."""
        latent = self.mlp_extractor.forward_actor(observations)
        return torch.log_softmax(self.logits(latent).masked_fill(~masks, _NEVER), dim=1)

    def values(self, observations: torch.Tensor) -> torch.Tensor:
        """What each row is worth."""
        return self.value_net(self.mlp_extractor.forward_critic(observations))[:, 0]


def draw(log_chances: torch.Tensor) -> torch.Tensor:
    """An action of each row, with its probability."""
    below = log_chances.clamp(min=_LEAST).exp().cumsum(dim=1)
    # More than 0, which would fall to a leading illegal action, and at most the sum of all.
    point = (1 - torch.rand(len(below), 1)) * below[:, -1:]
    return (below < point).sum(dim=1)


class Rows(NamedTuple):
    """Decisions of the learner, one a row."""

    observations: torch.Tensor
    masks: torch.Tensor
    actions: torch.Tensor
    log_chances: torch.Tensor
    values: torch.Tensor
    advantages: torch.Tensor
    returns: torch.Tensor

    def take(self, rows: torch.Tensor) -> Rows:
        """Some of them."""
        return Rows(*(column.index_select(0, rows) for column in self))


class Rollout:
    """All decisions between two updates: steps × tables. It takes the place of SB3's rollout buffer."""

    def __init__(
        self,
        buffer_size: int,
        observation_space: spaces.Box,
        action_space: spaces.Discrete,
        device: torch.device,
        gamma: float,
        gae_lambda: float,
        n_envs: int,
    ):
        self.gamma, self.gae_lambda = gamma, gae_lambda
        shape = buffer_size, n_envs
        self.observations = torch.zeros(*shape, *observation_space.shape, device=device)
        self.masks = torch.zeros(*shape, int(action_space.n), dtype=torch.bool, device=device)
        self.actions = torch.zeros(shape, dtype=torch.int64, device=device)
        self.log_chances = torch.zeros(shape, device=device)
        self.rewards = torch.zeros(shape, device=device)
        self.over = torch.zeros(shape, device=device)

    def rows(self, values: torch.Tensor, last_values: torch.Tensor) -> Rows:
        """One row a decision, with advantages by generalised estimation.

        Args:
            values: what the learner thought of each step at each table.
            last_values: and of what comes after the last step.
        """
        advantages = torch.zeros_like(values)
        ahead, next_values = torch.zeros_like(last_values), last_values
        for step in reversed(range(len(values))):
            goes_on = 1 - self.over[step]
            surprise = self.rewards[step] + self.gamma * goes_on * next_values - values[step]
            ahead = surprise + self.gamma * self.gae_lambda * goes_on * ahead
            advantages[step], next_values = ahead, values[step]
        columns = self.observations, self.masks, self.actions, self.log_chances, values
        return Rows(*(column.flatten(0, 1) for column in (*columns, advantages, advantages + values)))


class Figures(NamedTuple):
    """How an update went: means over the rows of a minibatch."""

    policy_gradient_loss: float
    value_loss: float
    entropy_loss: float
    approx_kl: float
    clip_fraction: float


class Learner(MaskablePPO):
    """MaskablePPO on `ArabianVecEnv`, with threads that share its arithmetic.

    Args:
        policy: a `TablePolicy` class.
        env: the tables.
        threads: how many.
        options: as in MaskablePPO, but for clip_range_vf and normalize_advantage, which are always as there by default.
    """

    policy: TablePolicy
    rollout_buffer: Rollout  # type: ignore[assignment]  # it takes the place of SB3's

    def __init__(self, policy: type[TablePolicy], env: ArabianVecEnv, threads: int = 1, **options: Any):
        for name in ("clip_range_vf", "normalize_advantage"):
            if name in options:
                raise ValueError(f"option {name!r} is not the learner's; sb3-contrib's MaskablePPO has it")
        self._threads = threads
        self._helpers = ThreadPoolExecutor(max(1, threads - 1), "learner")
        rollout_class: Any = Rollout
        super().__init__(policy, env, rollout_buffer_class=rollout_class, **options)

    def _share(self, work: Callable[[torch.Tensor], Any], rows: torch.Tensor) -> list[Any]:
        """What `work` makes of the pieces of these rows, one a thread."""
        first, *others = rows.chunk(max(1, min(self._threads, len(rows) // _MIN_ROWS)))
        waiting = [self._helpers.submit(work, piece) for piece in others]
        return [work(first), *(result.result() for result in waiting)]

    def _ask(self, question: Callable[..., torch.Tensor], *inputs: torch.Tensor) -> torch.Tensor:
        """The policy's answer to all rows of some inputs."""

        @torch.no_grad()
        def work(rows: torch.Tensor) -> torch.Tensor:
            some = slice(int(rows[0]), int(rows[-1]) + 1)
            return question(*(column[some] for column in inputs))

        return torch.cat(self._share(work, torch.arange(len(inputs[0]))))

    def collect_rollouts(  # type: ignore[override]  # the rollout is of our own kind
        self, env: Any, callback: BaseCallback, rollout_buffer: Rollout, n_rollout_steps: int, use_masking: bool = True
    ) -> bool:
        """Play so many decisions at every table; false if the callback said stop."""
        self.policy.set_training_mode(False)
        callback.on_rollout_start()
        rollout, rows = rollout_buffer, np.arange(env.num_envs)
        for step in range(n_rollout_steps):
            seen, masks = torch.as_tensor(self._last_obs), torch.as_tensor(env.action_masks()).bool()
            log_chances = self._ask(self.policy.log_chances, seen, masks)
            actions = draw(log_chances)
            self._last_obs, rewards, dones, infos = env.step(actions.numpy())
            self.num_timesteps += env.num_envs
            callback.update_locals(locals())
            if not callback.on_step():
                return False
            self._update_info_buffer([infos[table] for table in rows[dones]])
            rollout.observations[step], rollout.masks[step], rollout.actions[step] = seen, masks, actions
            rollout.log_chances[step] = log_chances.gather(1, actions[:, None])[:, 0]
            rollout.rewards[step], rollout.over[step] = torch.as_tensor(rewards), torch.as_tensor(dones)
        callback.on_rollout_end()
        return True

    def train(self) -> None:
        """Learn from the rollout, as MaskablePPO does."""
        self.policy.set_training_mode(True)
        self._update_learning_rate(self.policy.optimizer)
        rollout = self.rollout_buffer
        # The values of the decisions are asked for now, all at once: nothing needed them before.
        values = self._ask(self.policy.values, rollout.observations.flatten(0, 1)).view_as(rollout.rewards)
        rows = rollout.rows(values, self._ask(self.policy.values, torch.as_tensor(self._last_obs)))
        figures = self._passes(rows)
        for name, numbers in zip(Figures._fields, zip(*figures, strict=True), strict=True):
            self.logger.record(f"train/{name}", float(np.mean(numbers)))
        explained = explained_variance(rows.values.numpy(), rows.returns.numpy())
        self.logger.record("train/explained_variance", explained)
        self.logger.record("train/n_updates", self._n_updates, exclude="tensorboard")

    def _passes(self, rows: Rows) -> list[Figures]:
        """Go through the rows in minibatches, so many times or until the policy has moved too far."""
        parameters = list(self.policy.parameters())
        figures = []
        for _ in range(self.n_epochs):
            self._n_updates += 1
            for some in torch.randperm(len(rows.actions)).split(self.batch_size):
                gradients, seen = self._gradients(rows, some, parameters)
                figures.append(seen)
                if self.target_kl is not None and seen.approx_kl > 1.5 * self.target_kl:
                    return figures
                for parameter, gradient in zip(parameters, gradients, strict=True):
                    parameter.grad = gradient
                torch.nn.utils.clip_grad_norm_(parameters, self.max_grad_norm)
                self.policy.optimizer.step()
        return figures

    def _gradients(self, rows: Rows, some: torch.Tensor, parameters: list) -> tuple[list[torch.Tensor], Figures]:
        """The gradient of PPO's loss over a minibatch; each thread works out that of its own rows."""
        policy, advantages = self.policy, rows.advantages[some]
        mean, spread = advantages.mean(), advantages.std(correction=int(len(some) > 1)) + 1e-8
        clip: float = self.clip_range(self._current_progress_remaining)  # type: ignore[operator]

        def work(piece: torch.Tensor) -> tuple[tuple[torch.Tensor, ...], torch.Tensor]:
            mine = rows.take(piece)
            log_chances, values = policy.log_chances(mine.observations, mine.masks), policy.values(mine.observations)
            shift = log_chances.gather(1, mine.actions[:, None])[:, 0] - mine.log_chances
            ratio = shift.exp()
            gain = (mine.advantages - mean) / spread
            policy_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - clip, 1 + clip)).sum()
            value_loss = (values - mine.returns).square().sum()
            log_chances = log_chances.clamp(min=_LEAST)
            entropy_loss = (log_chances.exp() * log_chances).sum()
            loss = policy_loss + self.vf_coef * value_loss + self.ent_coef * entropy_loss
            gradients = torch.autograd.grad(loss / len(some), parameters)
            with torch.no_grad():
                kl, clipped = (ratio - 1 - shift).sum(), ((ratio - 1).abs() > clip).sum()
                return gradients, torch.stack([policy_loss, value_loss, entropy_loss, kl, clipped])

        gradients, sums = zip(*self._share(work, some), strict=True)
        return [sum(parts) for parts in zip(*gradients, strict=True)], Figures(*(sum(sums) / len(some)).tolist())
