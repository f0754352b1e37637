#!/usr/bin/env python3
"""mcp_tool.py SOCKET: a tool for agents by the Model Context Protocol, over standard
input and output: `judge` a kernel by kb-serve. Its result is kb-serve's answer, also
where that says that the kernel is wrong or slow."""

import json
import sys

import kb_serve

TEXT = {"type": "string"}
TOOL = {
    "name": "judge",
    "description": "Build, check and time a kernel for a problem on the real device. "
                   "The answer has its status, the reason and the log if it is not "
                   "correct, and otherwise its speedup over the reference.",
    "inputSchema": {
        "type": "object",
        "properties": {
            "problem": {**TEXT, "description": 'a key such as "1/19", or a name'},
            "code": {**TEXT, "description": "the file's text"},
            "policy": {**TEXT, "enum": ["screen", "full"],
                       "description": "screen is faster, full is what counts"},
        },
        "required": ["problem", "code"], "additionalProperties": False,
    },
}


def judge(path, arguments):
    with kb_serve.Client(path) as kb:
        answer = kb.ask_all([{"policy": "screen", **arguments}])[0]
    return {"content": [{"type": "text", "text": json.dumps(answer)}],
            "structuredContent": answer, "isError": "error" in answer}


def result_of(path, method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"], "capabilities": {"tools": {}},
                "serverInfo": {"name": "kb", "version": "1"}}
    if method in ("tools/list", "ping"):
        return {"tools": [TOOL]} if method == "tools/list" else {}
    if method == "tools/call" and params["name"] == "judge":
        return judge(path, params["arguments"])
    raise NotImplementedError(f"there is no {method}")


def member_of(path, message):
    """The part of the reply that is not its id."""
    if not isinstance(message, dict):
        return {"error": {"code": -32600, "message": "not an object"}}
    try:
        return {"result": result_of(path, message.get("method"),
                                    message.get("params", {}))}
    except NotImplementedError as what:
        return {"error": {"code": -32601, "message": str(what)}}
    except (KeyError, TypeError) as why:
        return {"error": {"code": -32602, "message": f"parameters: {why!r}"}}
    except OSError as why:
        return {"error": {"code": -32000, "message": f"kb-serve: {why}"}}


def main(path):
    for line in sys.stdin:
        reply = {"jsonrpc": "2.0", "id": None}
        try:
            message = json.loads(line)
        except (ValueError, RecursionError) as why:
            reply["error"] = {"code": -32700, "message": str(why)}
        else:
            if isinstance(message, dict):
                if "id" not in message:
                    continue
                reply["id"] = message["id"]
            reply |= member_of(path, message)
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    main(sys.argv[1]) if len(sys.argv) == 2 else sys.exit(__doc__)
