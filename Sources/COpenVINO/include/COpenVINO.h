// OpenVINO's C API as it is, plus accessors for its property keys: those are mutable globals in the
// header, which Swift 6 rightly refuses to read from several threads.
#ifndef SHELFLIST_COPENVINO_H
#define SHELFLIST_COPENVINO_H

#include <openvino/c/openvino.h>

static inline const char *sl_ov_key_cpu_pinning(void) { return ov_property_key_hint_enable_cpu_pinning; }
static inline const char *sl_ov_key_num_streams(void) { return ov_property_key_num_streams; }
static inline const char *sl_ov_key_num_threads(void) { return ov_property_key_inference_num_threads; }

#ifdef __linux__
#include <malloc.h>
#endif

// A photo needs blocks of many megabytes for a moment. glibc learns from them to keep such blocks (mallopt(3),
// M_MMAP_THRESHOLD), and the peak grows by what earlier stages have left behind; a fixed threshold stops that.
static inline void sl_return_large_blocks(void) {
#ifdef __linux__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

#endif
