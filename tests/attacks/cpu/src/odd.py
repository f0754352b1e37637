# Odd, and honest: what real kernels do while they are imported. WAYS is one of
# the lists below; what does not work is an exception, and so "load_failed".
import asyncio, atexit, ctypes, functools, gc, getpass, glob, importlib.util
import inspect, logging, mmap, multiprocessing, os, pathlib, pickle, platform
import resource, shutil, signal, socket, subprocess, sys, tempfile, threading
import uuid, warnings, weakref
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import shared_memory

import torch

def put(path, text="text"):
    with open(path, "w") as file:
        file.write(text)
    with open(path) as file:
        assert file.read() == text

def in_tmp():
    # Where that is not the worker's own it may be refused.
    if os.environ["TMPDIR"] != "/tmp":
        return
    os.makedirs("/tmp/cuda_extensions", exist_ok=True)
    put("/tmp/cuda_extensions/build.ninja")

def in_var_tmp():
    if os.path.islink("/var/tmp"):
        put("/var/tmp/kb-odd")

def temporary_directory():
    with tempfile.TemporaryDirectory() as d:
        put(os.path.join(d, "kernel.cu"))

def temporary_file():
    with tempfile.NamedTemporaryFile(suffix=".cpp", mode="w") as file:
        file.write("int x;")

def cache_at_home():
    path = pathlib.Path.home() / ".cache" / "kernels"
    path.mkdir(parents=True, exist_ok=True)
    put(path / "a.bin")

def expanded_user():
    put(os.path.expanduser("~/.kernelrc"))

def renamed_between_folders():
    os.makedirs("new", exist_ok=True)
    put("new.tmp")
    os.replace("new.tmp", "new/kernel")

def linked():
    # It may be imported twice, in one directory.
    for name in "link", "hard":
        pathlib.Path(name).unlink(missing_ok=True)
    put("real")
    os.symlink("real", "link")
    os.link("real", "hard")
    assert os.path.realpath("link").endswith("real")

def mapped_file():
    with open("mapped", "wb+") as file:
        file.truncate(4096)
        with mmap.mmap(file.fileno(), 0) as m:
            m[0] = 1

def pickled():
    with open("cache.pkl", "wb") as file:
        pickle.dump({"block": 128}, file)

def saved_tensor():
    torch.save(torch.ones(3), "ones.pt")
    assert torch.load("ones.pt").sum() == 3

def compiled_by_gcc():
    put("k.c", "int twice(int x) { return 2 * x; }")
    subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-o", "k.so", "k.c"],
                   check=True)
    assert ctypes.CDLL(os.path.abspath("k.so")).twice(4) == 8

def compiled_by_nvcc():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not os.path.exists(nvcc):
        return
    put("k.cu", "__global__ void zero(float *x) { x[0] = 0; }")
    subprocess.run([nvcc, "-ptx", "-o", "k.ptx", "k.cu"], check=True)
    assert "zero" in open("k.ptx").read()

def extension_in_a_folder():
    from torch.utils.cpp_extension import load
    put("three.cpp", 'extern "C" int three() { return 3; }')
    os.makedirs("extensions", exist_ok=True)
    load("three", ["three.cpp"], build_directory=os.path.abspath("extensions"),
         is_python_module=False)
    assert ctypes.CDLL(os.path.abspath("extensions/three.so")).three() == 3

def asked_the_shell():
    out = subprocess.check_output("echo $HOME | wc -l", shell=True)
    assert out.strip() == b"1"

def found_programs():
    assert shutil.which("gcc")
    subprocess.run([sys.executable, "-c", "print(1)"], check=True)

def changed_environment():
    os.environ["TORCH_CUDA_ARCH_LIST"] = "9.0"
    os.environ.setdefault("MAX_JOBS", "1")

def imported_what_it_wrote():
    put("made.py", "value = 3")
    spec = importlib.util.spec_from_file_location("made", "made.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.value == 3

def used_threads():
    done = []
    t = threading.Thread(target=done.append, args=(1,))
    t.start()
    t.join()
    with ThreadPoolExecutor(2) as pool:
        assert sum(pool.map(lambda x: x, range(4))) == 6

def used_multiprocessing():
    assert multiprocessing.cpu_count() > 0
    lock = multiprocessing.Lock()
    with lock:
        pass

def shared_memory_of_python():
    s = shared_memory.SharedMemory(create=True, size=4096)
    s.buf[0] = 1
    s.close()
    s.unlink()

def forked():
    pid = os.fork()
    if not pid:
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0

def ran_an_event_loop():
    asyncio.run(asyncio.sleep(0))

def talked_to_itself():
    a, b = socket.socketpair()
    a.send(b"x")
    assert b.recv(1) == b"x"

def registered_exit():
    atexit.register(lambda: None)
    signal.signal(signal.SIGALRM, signal.SIG_IGN)

def logged():
    logging.basicConfig(filename="kernel.log")
    logging.warning("compiled")
    warnings.warn("odd")

def asked_who_it_is():
    assert getpass.getuser() and platform.machine() and uuid.uuid4()

def asked_what_it_has():
    resource.getrlimit(resource.RLIMIT_AS)
    os.sched_setaffinity(0, os.sched_getaffinity(0))
    assert open("/proc/cpuinfo").read() and os.urandom(4)

def looked_at_the_system():
    glob.glob("/usr/lib/**/libcuda*", recursive=False)
    os.path.exists("/usr/local/cuda")

def looked_at_itself():
    assert "looked_at_itself" in inspect.getsource(looked_at_itself)

def collected():
    gc.collect()
    weakref.ref(torch.nn.ReLU())
    functools.lru_cache(len)

def changed_directory():
    os.makedirs("build", exist_ok=True)
    os.chdir("build")
    put("x")
    os.chdir("..")

FILES = [in_tmp, in_var_tmp, temporary_directory, temporary_file,
         cache_at_home, expanded_user, renamed_between_folders, linked,
         mapped_file, pickled, saved_tensor, changed_directory]
PROGRAMS = [compiled_by_gcc, compiled_by_nvcc, extension_in_a_folder,
            asked_the_shell, found_programs, changed_environment,
            imported_what_it_wrote]
TASKS = [used_threads, used_multiprocessing, shared_memory_of_python, forked,
         ran_an_event_loop, talked_to_itself, registered_exit]
QUESTIONS = [logged, asked_who_it_is, asked_what_it_has, looked_at_the_system,
             looked_at_itself, collected]

for way in globals()[WAYS]:
    way()

class ModelNew(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x)
