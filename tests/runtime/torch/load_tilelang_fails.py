# A stand-in for TileLang's lowering, whose nvcc refuses a kernel while a module is
# loaded.
space = {}
exec(compile("""
def lower():
    raise RuntimeError("nvcc: error: no such kernel")
""", "/site-packages/tilelang/engine/lower.py", "exec"), space)
space["lower"]()
