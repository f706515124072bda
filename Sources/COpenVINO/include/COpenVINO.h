// OpenVINO's C API, plus accessors for its property keys: those are mutable globals in the header,
// which Swift 6 does not allow to be read from several threads.
#ifndef SHELFLIST_COPENVINO_H
#define SHELFLIST_COPENVINO_H

#include <openvino/c/openvino.h>

static inline const char *sl_ov_key_cache_dir(void) { return ov_property_key_cache_dir; }
static inline const char *sl_ov_key_capabilities(void) { return ov_property_key_device_capabilities; }
static inline const char *sl_ov_key_cpu_pinning(void) { return ov_property_key_hint_enable_cpu_pinning; }
static inline const char *sl_ov_key_device_name(void) { return ov_property_key_device_full_name; }
static inline const char *sl_ov_key_num_streams(void) { return ov_property_key_num_streams; }
static inline const char *sl_ov_key_num_threads(void) { return ov_property_key_inference_num_threads; }

#ifdef __linux__
#include <malloc.h>
#endif

// Processing a photo needs blocks of many megabytes for a short time. glibc adapts its threshold
// and keeps such blocks (mallopt(3), M_MMAP_THRESHOLD), so the peak would include blocks of earlier
// stages; a fixed threshold prevents that.
static inline void sl_return_large_blocks(void) {
#ifdef __linux__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}

#endif
