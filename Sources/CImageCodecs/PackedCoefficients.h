// The coefficients of a progressive JPEG, packed.
//
// A progressive JPEG is refined scan by scan, so libjpeg holds all of its coefficients: 600 MB for 100 megapixels
// with full colour, 800 MB for CMYK. Nearly all are zero, since the file is small. This keeps each row of blocks
// as a bit mask and the values that are not zero, except the row being worked on: at most 2 bytes for every
// 2 bits of the file, and 8 for each block.
#ifndef SHELFLIST_PACKEDCOEFFICIENTS_H
#define SHELFLIST_PACKEDCOEFFICIENTS_H

#include <stdio.h>

#include <jpeglib.h>

typedef struct packed_array packed_array;

// What libjpeg would hold for this picture, whose header has been read.
size_t coefficient_bytes(const struct jpeg_decompress_struct *info);

// Makes libjpeg keep coefficients in arrays of this kind from now on, and `*arrays` their list. Block smoothing
// must be off: it looks at neighbouring rows.
void pack_coefficients(struct jpeg_decompress_struct *info, packed_array **arrays);

void free_packed(packed_array *arrays);

#endif
