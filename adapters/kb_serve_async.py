"""kb_serve.py for asyncio.

    kb = await kb_serve_async.Client.open("/tmp/kb.sock")
    answers = await asyncio.gather(*(kb.ask(**r) for r in requests))

More requests than `in_flight` wait here for room. `await kb_serve_async.ask(path, **r)`
opens a connection where there is none."""

import asyncio
import itertools
import json

from kb_serve import IN_FLIGHT, line

class Client:
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
            text = line(i, request)
            if self.is_closed():
                raise ConnectionError("kb-serve closed the connection")
            self.waiting[i] = answer
            self.writer.write(text)
            return await answer

    def is_closed(self):
        return self.task.done()

    async def _read(self):
        try:
            async for text in self.reader:
                answer = json.loads(text)
                self._answer(answer["id"], asyncio.Future.set_result, answer)
        except OSError:
            pass
        finally:
            for i in list(self.waiting):
                self._answer(i, asyncio.Future.set_exception,
                             ConnectionError("kb-serve closed the connection"))

    def _answer(self, i, how, value):
        """Nobody waits any more if `ask` was cancelled."""
        answer = self.waiting.pop(i, None)
        if answer and not answer.done():
            how(answer, value)

    async def close(self):
        self.writer.close()
        await self.task

_shared = {}

def shared(path):
    """The client of all in this event loop, opened again after its server's end."""
    loop = asyncio.get_running_loop()
    owner, ours = _shared.get(path, (None, None))
    if owner is not loop or (ours.done() and (
            ours.cancelled() or ours.exception() or ours.result().is_closed())):
        ours = loop.create_task(Client.open(path))
        _shared[path] = loop, ours
    return asyncio.shield(ours)

async def ask(path, **request):
    """Once more where a server has ended in the meantime."""
    try:
        return await (await shared(path)).ask(**request)
    except ConnectionError:
        return await (await shared(path)).ask(**request)
