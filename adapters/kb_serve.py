"""Ask kb-serve(1) at its Unix socket, with Python's standard library alone.

    with kb_serve.Client("/tmp/kb.sock") as kb:
        answer = kb.ask(problem="1/19", code=text, policy="screen")
        answers = kb.ask_all([{"problem": "1/19", "code": t} for t in texts])

    kb = await kb_serve.AsyncClient.open("/tmp/kb.sock")
    answers = await asyncio.gather(*(kb.ask(**r) for r in requests))

A request has the members of kb-serve(1) without `id`, and an answer is a dict. Where
it has `error` there is no verdict."""

import asyncio
import itertools
import json
import socket

IN_FLIGHT = 32


class Client:
    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.connect(path)
        self.lines = self.socket.makefile("rb")

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.lines.close()
        self.socket.close()

    def ask_all(self, requests, in_flight=IN_FLIGHT):
        """The answers, in the order of the requests."""
        todo = enumerate(requests)
        answers, waiting = {}, 0
        for i, request in itertools.islice(todo, in_flight):
            self._send(i, request)
            waiting += 1
        while waiting:
            line = self.lines.readline()
            if not line:
                raise ConnectionError("kb-serve closed the connection")
            answer = json.loads(line)
            answers[answer["id"]] = answer
            waiting -= 1
            for i, request in itertools.islice(todo, 1):
                self._send(i, request)
                waiting += 1
        return [answers[i] for i in sorted(answers)]

    def ask(self, **request):
        return self.ask_all([request])[0]

    def _send(self, i, request):
        self.socket.sendall(json.dumps({"id": i, **request}).encode() + b"\n")


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
            self.writer.write(json.dumps({"id": i, **request}).encode() + b"\n")
            await self.writer.drain()
            return await answer

    async def _read(self):
        async for line in self.reader:
            answer = json.loads(line)
            self.waiting.pop(answer["id"]).set_result(answer)
        for answer in self.waiting.values():
            answer.set_exception(ConnectionError("kb-serve closed the connection"))

    async def close(self):
        self.writer.close()
        await self.task
