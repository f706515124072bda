#include "COpenVINO.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <openvino/runtime/core.hpp>
#include <stdexcept>
#include <string>
#ifdef __linux__
#include <malloc.h>
#endif

struct sl_ov_core {
    ov::Core core{};
};

struct sl_ov_network {
    ov::CompiledModel network;
};

struct sl_ov_request {
    ov::InferRequest request;
};

namespace {

/// Returns what `body` returns. An exception becomes the message in `error` and the result of failure: null or false.
template <typename Body>
auto catching(char **error, Body body) -> decltype(body()) {
    try {
        return body();
    } catch (const std::exception &exception) {
        *error = strdup(exception.what());
    } catch (...) {
        *error = strdup("an unknown exception");
    }
    return {};
}

ov::Shape shapeOf(const int64_t *sizes, size_t rank) {
    return ov::Shape(sizes, sizes + rank);
}

} // namespace

sl_ov_core *sl_ov_core_create(char **error) {
    return catching(error, [] { return new sl_ov_core{}; });
}

void sl_ov_core_delete(sl_ov_core *core) {
    delete core;
}

char *sl_ov_release(void) {
    return strdup(ov::get_openvino_version().buildNumber);
}

char *sl_ov_processor(sl_ov_core *core, char **error) {
    return catching(error, [&] { return strdup(core->core.get_property("CPU", ov::device::full_name).c_str()); });
}

char *sl_ov_capabilities(sl_ov_core *core, char **error) {
    return catching(error, [&] {
        std::string all;
        for (const std::string &name : core->core.get_property("CPU", ov::device::capabilities)) {
            all += (all.empty() ? "" : " ") + name;
        }
        return strdup(all.c_str());
    });
}

sl_ov_network *sl_ov_network_compile(
    sl_ov_core *core, const char *file, const int64_t *shape, size_t rank, const char *cache, int streams,
    int threads, bool single_precision, char **error) {
    return catching(error, [&] {
        auto model = core->core.read_model(std::string(file));
        if (shape) {
            model->reshape(ov::PartialShape(shapeOf(shape, rank)));
        }
        ov::AnyMap settings{
            ov::num_streams(streams),
            ov::inference_num_threads(threads),
            // Otherwise each network pins its threads to the first cores, which other networks may be using.
            ov::hint::enable_cpu_pinning(false),
        };
        if (single_precision) {
            settings.insert(ov::hint::inference_precision(ov::element::f32));
        }
        if (cache) {
            settings.insert(ov::cache_dir(cache));
        }
        return new sl_ov_network{core->core.compile_model(model, "CPU", settings)};
    });
}

void sl_ov_network_delete(sl_ov_network *network) {
    delete network;
}

bool sl_ov_network_release_memory(sl_ov_network *network) {
    try {
        network->network.release_memory();
        return true;
    } catch (...) {
        // The CPU plugin refuses while a run uses the memory.
        return false;
    }
}

sl_ov_request *sl_ov_request_create(sl_ov_network *network, char **error) {
    return catching(error, [&] { return new sl_ov_request{network->network.create_infer_request()}; });
}

void sl_ov_request_delete(sl_ov_request *request) {
    delete request;
}

bool sl_ov_request_start(sl_ov_request *request, const float *values, const int64_t *shape, size_t rank, char **error) {
    return catching(error, [&] {
        // The runtime only reads an input, though a tensor takes a mutable pointer.
        request->request.set_input_tensor(
            ov::Tensor(ov::element::f32, shapeOf(shape, rank), const_cast<float *>(values)));
        request->request.start_async();
        return true;
    });
}

bool sl_ov_request_wait(sl_ov_request *request, char **error) {
    return catching(error, [&] {
        request->request.wait();
        return true;
    });
}

void sl_ov_request_cancel(sl_ov_request *request) {
    try {
        request->request.cancel();
    } catch (...) {
        // Only a request that was never created throws.
    }
}

const float *sl_ov_request_output(
    sl_ov_request *request, int64_t *shape, size_t capacity, size_t *rank, char **error) {
    return catching(error, [&]() -> const float * {
        const ov::Tensor output = request->request.get_output_tensor();
        const ov::Shape sizes = output.get_shape();
        if (sizes.size() > capacity) {
            throw std::length_error("the result has " + std::to_string(sizes.size()) + " dimensions");
        }
        std::copy(sizes.begin(), sizes.end(), shape);
        *rank = sizes.size();
        return output.data<const float>();
    });
}

void sl_ov_free(char *text) {
    free(text);
}

void sl_return_large_blocks(void) {
#ifdef __linux__
    mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
}
