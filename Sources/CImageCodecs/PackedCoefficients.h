// The coefficients of a progressive JPEG, packed.
//
// A progressive JPEG is refined scan by scan, so libjpeg keeps all of its coefficients in memory:
// 600 MB for 100 megapixels with full-resolution chroma, 800 MB for CMYK. Nearly all are zero,
// because the file is small. This stores each row of blocks as a bit mask and the nonzero values,
// except the current row: at most 2 bytes for every 2 bits of the file, and 8 for each block.
#ifndef SHELFLIST_PACKEDCOEFFICIENTS_H
#define SHELFLIST_PACKEDCOEFFICIENTS_H

#include <stdio.h>

#include <jpeglib.h>

typedef struct packed_array packed_array;

// The memory that libjpeg would need for this picture's coefficients; the header must have been
// read.
size_t coefficient_bytes(const struct jpeg_decompress_struct *info);

// Makes libjpeg store coefficients in packed arrays from now on; `*arrays` is their list. Block
// smoothing must be off, because it reads neighbouring rows.
void pack_coefficients(struct jpeg_decompress_struct *info, packed_array **arrays);

void free_packed(packed_array *arrays);

#endif
