// OpenVINO's C API as it is, plus accessors for its property keys: those are mutable globals in the
// header, which Swift 6 rightly refuses to read from several threads.
#ifndef SHELFLIST_COPENVINO_H
#define SHELFLIST_COPENVINO_H

#include <openvino/c/openvino.h>

static inline const char *sl_ov_key_cache_dir(void) { return ov_property_key_cache_dir; }
static inline const char *sl_ov_key_num_streams(void) { return ov_property_key_num_streams; }
static inline const char *sl_ov_key_num_threads(void) { return ov_property_key_inference_num_threads; }
static inline const char *sl_ov_key_precision(void) { return ov_property_key_hint_inference_precision; }

#endif
