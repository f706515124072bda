// What Shelflist uses of OpenVINO, over its C++ API: its C API cannot free the memory of layers.
//
// A function that can fail returns NULL or false then, and sets `error` to a message; free it with sl_ov_free.
#ifndef SHELFLIST_COPENVINO_H
#define SHELFLIST_COPENVINO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct sl_ov_core sl_ov_core;
/// A network compiled for the CPU. Safe to use from several threads.
typedef struct sl_ov_network sl_ov_network;
/// One run at a time of a network.
typedef struct sl_ov_request sl_ov_request;

/// Starts the runtime.
sl_ov_core *sl_ov_core_create(char **error);
void sl_ov_core_delete(sl_ov_core *core);

/// The runtime's release. Free it with sl_ov_free.
char *sl_ov_release(void);
/// The processor's name, and what it calculates natively, separated by spaces. Free them with sl_ov_free.
char *sl_ov_processor(sl_ov_core *core, char **error);
char *sl_ov_capabilities(sl_ov_core *core, char **error);

/// Reads a model with one input and compiles it.
///
/// - shape, rank: of the input; NULL keeps the model's own.
/// - cache: the folder from which the runtime reads the compiled network, or to which it writes it; NULL for none.
/// - streams: the number of runs at a time. threads: of all of them.
/// - single_precision: whether to calculate with 32-bit floats where the processor could with half of the bits.
sl_ov_network *sl_ov_network_compile(
    sl_ov_core *core, const char *file, const int64_t *shape, size_t rank, const char *cache, int streams,
    int threads, bool single_precision, char **error);
void sl_ov_network_delete(sl_ov_network *network);
/// Frees what the layers keep for their next run, which allocates it again; false, without an error, while a run uses it.
bool sl_ov_network_release_memory(sl_ov_network *network);

sl_ov_request *sl_ov_request_create(sl_ov_network *network, char **error);
void sl_ov_request_delete(sl_ov_request *request);
/// Starts a run, which reads `values` until it ends.
bool sl_ov_request_start(sl_ov_request *request, const float *values, const int64_t *shape, size_t rank, char **error);
/// Waits for the end of the run.
bool sl_ov_request_wait(sl_ov_request *request, char **error);
/// Ends the run soon. The only function that another thread may call while the request runs.
void sl_ov_request_cancel(sl_ov_request *request);
/// The result of the last run, valid until the next one. Writes at most `capacity` dimensions to `shape`, and their
/// number to `rank`.
const float *sl_ov_request_output(
    sl_ov_request *request, int64_t *shape, size_t capacity, size_t *rank, char **error);

void sl_ov_free(char *text);

/// Processing a photo needs blocks of many megabytes for a short time. glibc adapts its threshold and keeps such blocks
/// (mallopt(3), M_MMAP_THRESHOLD), so the peak would include blocks of earlier stages; a fixed threshold prevents that.
void sl_return_large_blocks(void);

#ifdef __cplusplus
}
#endif

#endif
