"""Ask kb-serve(1) at its Unix socket, with Python's standard library alone.

    with kb_serve.Client("/tmp/kb.sock") as kb:
        answer = kb.ask(problem="1/19", code=text, policy="screen")
        answers = kb.ask_all([{"problem": "1/19", "code": t} for t in texts])

    kb = await kb_serve.AsyncClient.open("/tmp/kb.sock")
    answers = await asyncio.gather(*(kb.ask(**r) for r in requests))

A request has the members of kb-serve(1) without `id`. An answer is a dict, without a
verdict if it has `error`."""

import asyncio
import itertools
import json
import socket

IN_FLIGHT = 32

def line(i, request):
    return json.dumps({"id": i, **request}).encode() + b"\n"

class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.socket.close()

    def ask_all(self, requests, in_flight=IN_FLIGHT):
        """The answers, in the order of the requests."""
        todo, sent, answers = list(requests), 0, {}
        while len(answers) < len(todo):
            while sent < len(todo) and sent - len(answers) < in_flight:
                self.socket.sendall(line(sent, todo[sent]))
                sent += 1
            text = self.lines.readline()
            if not text:
                raise ConnectionError("kb-serve closed the connection")
            answer = json.loads(text)
            answers[answer["id"]] = answer
        return [answers[i] for i in range(len(todo))]

    def ask(self, **request):
        return self.ask_all([request])[0]

class AsyncClient:
    @classmethod
    async def open(cls, path, in_flight=IN_FLIGHT):
        self = cls()
        self.reader, self.writer = await asyncio.open_unix_connection(
            path, limit=1 << 24)
        self.ids, self.waiting = itertools.count(), {}
        self.room = asyncio.Semaphore(in_flight)
        self.task = asyncio.create_task(self._read())
        return self

    async def ask(self, **request):
        async with self.room:
            i, answer = next(self.ids), asyncio.get_running_loop().create_future()
            self.waiting[i] = answer
            self.writer.write(line(i, request))
            return await answer

    async def _read(self):
        async for text in self.reader:
            answer = json.loads(text)
            self.waiting.pop(answer["id"]).set_result(answer)
        for answer in self.waiting.values():
            answer.set_exception(ConnectionError("kb-serve closed the connection"))

    async def close(self):
        self.writer.close()
        await self.task
