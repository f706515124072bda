// The part of zxing-cpp that the web app uses: reads an EAN-13 in a grey picture. Compiled to WebAssembly.
#include "ReadBarcode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

static std::vector<uint8_t> grey;
static char digits[16];

extern "C" {

/// Returns the place of `count` grey values, row by row from the top.
__attribute__((export_name("pixels"))) uint8_t* pixels(int count) {
    grey.resize(count);
    return grey.data();
}

/// Returns the digits of a barcode in the picture, ended by a zero byte; empty without one.
__attribute__((export_name("read"))) const char* readDigits(int width, int height) {
    using namespace ZXing;
    const auto options = ReaderOptions().formats(BarcodeFormat::EAN13).tryInvert(false).maxNumberOfSymbols(1);
    std::fill(std::begin(digits), std::end(digits), 0);
    for (const auto& code : ReadBarcodes(ImageView(grey.data(), width, height, ImageFormat::Lum), options)) {
        const auto& bytes = code.bytes();
        std::copy_n(bytes.begin(), std::min(bytes.size(), sizeof digits - 1), digits);
    }
    return digits;
}

// There are no exceptions: what would throw one ends the call, and the app starts a new reader.
void* __cxa_allocate_exception(size_t) { __builtin_trap(); }
void __cxa_throw(void*, void*, void (*)(void*)) { __builtin_trap(); }
// There is one thread, which does not end.
int __cxa_thread_atexit(void (*)(void*), void*, void*) { return 0; }
// Character sets beyond ASCII, which an EAN-13 does not have; 5 is the library's first error.
int zueci_dest_len_utf8(int, const unsigned char*, int, unsigned, unsigned, int*) { return 5; }
int zueci_eci_to_utf8(int, const unsigned char*, int, unsigned, unsigned, unsigned char*, int*) { return 5; }
}
