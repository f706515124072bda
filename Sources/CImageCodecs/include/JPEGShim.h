// libjpeg-turbo, row by row. Every function that can fail returns a shelf_status and fills shelf_error.
#ifndef SHELFLIST_JPEGSHIM_H
#define SHELFLIST_JPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

#include "ShelfStatus.h"

typedef struct shelf_jpeg_reader shelf_jpeg_reader;

// Reads only the header. `data` is borrowed until shelf_jpeg_close. `*reader` is always set (NULL
// only when out of memory) and must be closed.
shelf_status shelf_jpeg_open(const uint8_t *data, size_t count, shelf_jpeg_reader **reader, shelf_error *error);
int shelf_jpeg_width(const shelf_jpeg_reader *reader);
int shelf_jpeg_height(const shelf_jpeg_reader *reader);

// Starts decoding at `eighths`/8 of the full size (1...8) and returns the size of the rows.
shelf_status shelf_jpeg_start(shelf_jpeg_reader *reader, int eighths, int *width, int *height, shelf_error *error);

// Reads the next `count` rows as RGB without padding; grey and CMYK are converted.
shelf_status shelf_jpeg_read(shelf_jpeg_reader *reader, uint8_t *rows, int count, shelf_error *error);

void shelf_jpeg_close(shelf_jpeg_reader *reader);

// Encodes RGB rows without padding as baseline JPEG. The caller frees the malloc'd `*data`.
shelf_status shelf_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality, uint8_t **data, size_t *count, shelf_error *error);

#endif
