"""A server of chat completions for tests: HTTP/1.1, one connection a thread."""

import json
import socket
import threading


class Server:
    """`respond(server, request)` gives the bytes of a reply, in pieces. A
    request is a path and a body."""

    def __init__(self, respond, unix=None):
        self.respond, self.asked, self.lock = respond, [], threading.Lock()
        if unix:
            self.socket = socket.socket(socket.AF_UNIX)
            self.socket.bind(str(unix))
            self.address = "unix:%s" % unix
        else:
            self.socket = socket.create_server(("127.0.0.1", 0))
            self.address = "http://127.0.0.1:%d" % self.socket.getsockname()[1]
        self.socket.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                connection = self.socket.accept()[0]
            except OSError:
                return
            threading.Thread(target=self.serve, args=(connection,),
                             daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            try:
                path = stream.readline().split()[1].decode()
                length = 0
                while (line := stream.readline()) not in (b"\r\n", b""):
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                body = json.loads(stream.read(length)) if length else None
                with self.lock:
                    self.asked.append((path, body))
                for piece in self.respond(self, path, body):
                    connection.sendall(piece)
            except (OSError, IndexError):
                pass

    def close(self):
        self.socket.close()

    def prompts(self):
        return [body["messages"][-1]["content"] + str(body["seed"])
                for path, body in self.asked if body]


def reply(body, status="200 OK", headers=""):
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    yield ("HTTP/1.1 %s\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n" %
           (status, len(data), headers)).encode() + data


def completion(text="```c\nint x;\n```"):
    return {"model": "m-1", "system_fingerprint": "f", "choices": [
        {"index": 0, "finish_reason": "stop",
         "message": {"role": "assistant", "content": text}}],
        "usage": {"prompt_tokens": 5, "completion_tokens": 7}}
