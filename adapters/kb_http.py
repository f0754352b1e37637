"""JSON over HTTP for adapters, on the loopback interface alone. kb-serve(1) speaks no
HTTP: a trainer that does runs an adapter on its own node."""

import argparse
import http.server
import json

BODY_BYTES_MAX = 8 << 20

# A body of another form raises one of these.
BAD_BODY = (AttributeError, LookupError, RecursionError, TypeError, ValueError)


def handler(answer):
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def reply(self, status, value):
            body = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def body(self):
            length = int(self.headers.get("Content-Length") or 0)
            if not 0 <= length <= BODY_BYTES_MAX:
                raise ValueError("the body is too long")
            return json.loads(self.rfile.read(length)) if length else None

        def do(self, method):
            try:
                self.reply(*answer(method, self.path.rstrip("/"), self.body()))
            except BAD_BODY as why:
                self.close_connection = True
                self.reply(400, {"error": f"{type(why).__name__}: {why}"})
            except OSError as why:
                self.reply(503, {"error": f"kb-serve: {why}"})

        def do_GET(self):
            self.do("GET")

        def do_POST(self):
            self.do("POST")

        def log_message(self, *words):
            pass

    return Handler


def options(about, port):
    parser = argparse.ArgumentParser(description=about)
    parser.add_argument("socket", help="kb-serve's")
    parser.add_argument("--port", type=int, default=port)
    return parser


class Server(http.server.ThreadingHTTPServer):
    # Trainers connect at once with all samples; the default of 5 resets the others.
    request_queue_size = 1024


def serve(port, answer):
    """answer(method, path, body) gives a status and a value."""
    server = Server(("127.0.0.1", port), handler(answer))
    print(f"listening at 127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
