// The configuration of zxing-cpp, which its CMake file would write: linear barcodes, reading only.
#pragma once
#define ZXING_READERS
#define ZXING_ENABLE_1D 1
#define ZXING_ENABLE_AZTEC 0
#define ZXING_ENABLE_DATAMATRIX 0
#define ZXING_ENABLE_MAXICODE 0
#define ZXING_ENABLE_PDF417 0
#define ZXING_ENABLE_QRCODE 0
#define ZXING_VERSION_STR "3.1.1"
