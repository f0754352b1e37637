from torch.utils.cpp_extension import load

load("kb_no_such_source", ["no_such_source.cpp"])
