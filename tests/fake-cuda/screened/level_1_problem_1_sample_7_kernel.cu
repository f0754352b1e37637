/* Does not compile, and that may be for want of memory. */
#error "cc1: out of memory allocating 65536 bytes"
