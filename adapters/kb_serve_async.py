"""kb_serve.py for asyncio.

    kb = await kb_serve_async.Client.open("/tmp/kb.sock")
    answers = await asyncio.gather(*(kb.ask(**r) for r in requests))

More requests than `in_flight` wait here for room."""

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
