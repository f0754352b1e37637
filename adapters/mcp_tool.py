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
        "required": ["problem", "code"],
        "additionalProperties": False,
    },
}


def judge(path, arguments):
    with kb_serve.Client(path) as kb:
        answer = kb.ask(**{"policy": "screen", **arguments})
    return {"content": [{"type": "text", "text": json.dumps(answer)}],
            "structuredContent": answer, "isError": "error" in answer}


def result_of(path, method, params):
    if method == "initialize":
        return {"protocolVersion": params["protocolVersion"],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "kb", "version": "1"}}
    if method == "tools/list":
        return {"tools": [TOOL]}
    if method == "tools/call" and params["name"] == "judge":
        return judge(path, params["arguments"])
    if method == "ping":
        return {}
    raise KeyError(method)


def main(path):
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        reply = {"jsonrpc": "2.0", "id": message["id"]}
        try:
            reply["result"] = result_of(path, message["method"],
                                        message.get("params", {}))
        except KeyError as what:
            reply["error"] = {"code": -32601, "message": f"there is no {what}"}
        except OSError as why:
            reply["error"] = {"code": -32000, "message": f"kb-serve: {why}"}
        print(json.dumps(reply), flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
