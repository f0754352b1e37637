#define FAKE_NVML_IS_OLD
#include "fake-nvml/nvidia-ml.c"
