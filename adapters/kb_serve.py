"""Ask kb-serve(1) at its Unix socket, with Python's standard library alone.

    with kb_serve.Client("/tmp/kb.sock") as kb:
        answer = kb.ask(problem="1/19", code=text, policy="screen")
        answers = kb.ask_all([{"problem": "1/19", "code": t} for t in texts])

A request has the members of kb-serve(1) without `id`. An answer is a dict, without a
verdict if it has `error`, and reward_of(answer) is its reward. After an exception a
client can be asked again, if its connection is open. kb_serve_async.py is for asyncio."""

import itertools
import json
import select
import socket
import threading

IN_FLIGHT = 32
OF_ANSWER = ("no block of code", "longer than", "cannot parse")  # the model wrote it

def line(i, request):
    """The id comes first, where kb-serve finds it in a line that is too long, too."""
    return json.dumps({"id": i, **request, "id": i}).encode() + b"\n"

def reward_of(answer, without=0.0):
    """The reward: `without` for a text that has no code, or without a reference.
    Raises ConnectionError if there is no verdict, which is not a reward of 0."""
    error = answer.get("error")
    if error and not any(part in error for part in OF_ANSWER):
        raise ConnectionError(error)
    if not error and "reward" not in answer and answer["status"] != "reference_failed":
        raise ConnectionError("it runs without --reward")
    return answer.get("reward", without)

class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.ids, self.unsent, self.received = itertools.count(), bytearray(), b""
        self.lock = threading.Lock()

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    def _move(self):
        """Wait, send and receive. kb-serve reads nothing from who reads no answers."""
        poll, timeout = select.poll(), self.socket.gettimeout()
        poll.register(self.socket, select.POLLIN | bool(self.unsent) * select.POLLOUT)
        ready = poll.poll(None if timeout is None else timeout * 1000)
        if not ready:
            raise TimeoutError("kb-serve does not answer")
        if ready[0][1] & select.POLLOUT:
            del self.unsent[:self.socket.send(self.unsent, socket.MSG_DONTWAIT)]
        if not ready[0][1] & ~select.POLLOUT:
            return []
        text = self.socket.recv(1 << 16)
        if not text:
            raise ConnectionError("kb-serve closed the connection")
        *lines, self.received = (self.received + text).split(b"\n")
        return [json.loads(l) for l in lines]

    def ask_all(self, requests, in_flight=IN_FLIGHT):
        """The answers, in the order of the requests. One thread asks at a time."""
        with self.lock:
            lines = {i: line(i, r) for r, i in zip(requests, self.ids)}
            todo, sent, answers = iter(lines.values()), 0, {}
            while len(answers) < len(lines):
                for text in itertools.islice(todo, in_flight - sent + len(answers)):
                    self.unsent += text
                    sent += 1
                for answer in self._move():
                    # Others belong to a call that an exception ended.
                    if answer["id"] in lines:
                        answers[answer["id"]] = answer
            return [answers[i] for i in lines]

    def ask(self, **request):
        return self.ask_all([request])[0]
