#!/usr/bin/env python3
"""reward_loop.py SOCKET FOLDER PROBLEM...: a training loop that asks kb-serve --reward
FORMULA 100 times, in 10 rounds. In place of a model it has a table: how likely it is to
write each candidate of FOLDER for a problem. After a round it makes candidates more
likely whose reward was above the mean. With a model the loop is the same, with another
`write` and `learn`."""

import math
import pathlib
import random
import re
import sys

import kb_serve

NAME = re.compile(r"level_(\d+)_problem_(\d+)_sample_\d+_kernel\.c")
ROUNDS, ASKED, RATE = 10, 10, 1.0


class Table:
    def __init__(self, folder, problems):
        self.texts, self.weights = {}, {}
        for path in sorted(pathlib.Path(folder).iterdir()):
            if found := NAME.fullmatch(path.name):
                problem = f"{found[1]}/{found[2]}"
                if problem not in problems:
                    continue
                self.texts.setdefault(problem, []).append(path.read_text())
                self.weights.setdefault(problem, []).append(0.0)

    def write(self, problem):
        """The number of a candidate."""
        weights = [math.exp(w) for w in self.weights[problem]]
        return random.choices(range(len(weights)), weights)[0]

    def learn(self, problem, number, reward, mean):
        self.weights[problem][number] += RATE * (reward - mean)


def main(socket, folder, *problems):
    random.seed(1)
    table = Table(folder, problems)
    with kb_serve.Client(socket) as kb:
        for turn in range(1, ROUNDS + 1):
            asked = [(p, table.write(p))
                     for p in random.choices(sorted(table.texts), k=ASKED)]
            answers = kb.ask_all([
                {"problem": p, "code": table.texts[p][i], "policy": "screen"}
                for p, i in asked])
            judged = [(*who, a["reward"]) for who, a in zip(asked, answers)
                      if "reward" in a]
            mean = sum(reward for *_, reward in judged) / max(len(judged), 1)
            for problem, number, reward in judged:
                table.learn(problem, number, reward, mean)
            correct = sum(a.get("status") == "correct" for a in answers)
            print(f"round {turn}: mean reward {mean:.2f}, {correct} of {ASKED} correct",
                  flush=True)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
