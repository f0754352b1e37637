"""A headless Chromium, spoken to over a pipe by its DevTools protocol: messages
are JSON, each ended by a NUL, on descriptors 3 and 4 of the browser. Nothing but
the browser is needed, and no port is opened."""

import base64
import itertools
import json
import os
import select
import shutil
import subprocess
import tempfile
import time

NAMES = ["chromium", "chromium-browser", "google-chrome"]
FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update",
         "--disable-extensions", "--hide-scrollbars",
         "--remote-debugging-pipe"]
PATIENCE_S = 60


def find():
    """The program, or None."""
    return os.environ.get("KB_CHROMIUM") or \
        next(filter(None, map(shutil.which, NAMES)), None)


class Browser:
    """One page, shown again and again. `said` is what it printed, `asked` what
    it wanted to load, both since the last show()."""

    def __init__(self, program):
        self.dir = tempfile.mkdtemp()
        to_read, self.to = os.pipe()
        self.of, to_write = os.pipe()
        self.process = subprocess.Popen(
            ["sh", "-c", 'exec "$@" 3<&%d 4>&%d' % (to_read, to_write), "sh",
             program, f"--user-data-dir={self.dir}", *FLAGS],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.ids, self.rest, self.session = itertools.count(1), b"", None
        self.said, self.asked, self.loaded = [], [], False
        target = self.ask("Target.createTarget", url="about:blank")
        self.session = self.ask("Target.attachToTarget", flatten=True,
                                targetId=target["targetId"])["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.ask(domain + ".enable")
        self.ask("Network.emulateNetworkConditions", offline=True, latency=0,
                 downloadThroughput=0, uploadThroughput=0)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.to)
        os.close(self.of)
        shutil.rmtree(self.dir, ignore_errors=True)

    # --- the protocol

    def message(self):
        while b"\0" not in self.rest:
            if not select.select([self.of], [], [], PATIENCE_S)[0]:
                raise TimeoutError("the browser says nothing")
            piece = os.read(self.of, 1 << 20)
            if not piece:
                raise EOFError("the browser is gone")
            self.rest += piece
        one, self.rest = self.rest.split(b"\0", 1)
        return json.loads(one)

    def take(self, event):
        method, p = event.get("method"), event.get("params")
        if method == "Network.requestWillBeSent":
            self.asked.append(p["request"]["url"])
        elif method == "Runtime.consoleAPICalled":
            self.said.append(str([a.get("value") for a in p["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.said.append(p["exceptionDetails"]["text"])
        elif method == "Log.entryAdded":
            self.said.append(p["entry"]["text"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def ask(self, method, **params):
        id = next(self.ids)
        m = {"id": id, "method": method, "params": params}
        if self.session:
            m["sessionId"] = self.session
        os.write(self.to, json.dumps(m).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == id:
                break
            self.take(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    # --- what tests want

    def show(self, path):
        self.said, self.asked, self.loaded = [], [], False
        self.ask("Page.navigate", url=path.resolve().as_uri())
        end = time.monotonic() + PATIENCE_S
        while not self.loaded:
            if time.monotonic() > end:
                raise TimeoutError("the page does not load")
            self.take(self.message())

    def run(self, script):
        """The value of an expression, which may be a promise."""
        r = self.ask("Runtime.evaluate", expression=script, awaitPromise=True,
                     returnByValue=True, userGesture=True)
        if "exceptionDetails" in r:
            raise RuntimeError(r["exceptionDetails"]["exception"].get(
                "description", "an exception"))
        return r["result"].get("value")

    def look(self, width, scheme="light", media="screen"):
        self.ask("Emulation.setDeviceMetricsOverride", width=width, height=900,
                 deviceScaleFactor=1, mobile=False)
        self.ask("Emulation.setEmulatedMedia", media=media, features=[
            {"name": "prefers-color-scheme", "value": scheme}])

    def scripts(self, on):
        self.ask("Emulation.setScriptExecutionDisabled", value=not on)

    def key(self, key, code):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key,
                     windowsVirtualKeyCode=code,
                     text="\r" if kind == "keyDown" and code == 13 else "")

    def type(self, text):
        self.ask("Input.insertText", text=text)

    def click(self, selector):
        """With the mouse, in the middle of it."""
        x, y = self.run("""(() => {
            const e = document.querySelector(%s);
            e.scrollIntoView({block: "center", inline: "center"});
            const r = e.getBoundingClientRect();
            return [r.x + r.width / 2, r.y + r.height / 2];
        })()""" % json.dumps(selector))
        for kind in ("mousePressed", "mouseReleased"):
            self.ask("Input.dispatchMouseEvent", type=kind, x=x, y=y,
                     button="left", clickCount=1)

    def picture(self, path):
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        data = self.ask("Page.captureScreenshot", captureBeyondViewport=True,
                        clip={"x": 0, "y": 0, "width": size["width"],
                              "height": min(size["height"], 6000),
                              "scale": 1})["data"]
        path.write_bytes(base64.b64decode(data))
