// libjpeg-turbo, row by row. Every function that can fail returns a shelf_status and fills shelf_error.
#ifndef SHELFLIST_JPEGSHIM_H
#define SHELFLIST_JPEGSHIM_H

#include <stddef.h>
#include <stdint.h>

#include "ShelfStatus.h"

typedef struct shelf_jpeg_reader shelf_jpeg_reader;

// Reads the header only. `data` is borrowed until shelf_jpeg_close. `*reader` is set whatever the outcome
// (NULL only when out of memory), and must be closed.
shelf_status shelf_jpeg_open(const uint8_t *data, size_t count, shelf_jpeg_reader **reader, shelf_error *error);
int shelf_jpeg_width(const shelf_jpeg_reader *reader);
int shelf_jpeg_height(const shelf_jpeg_reader *reader);

// Starts decoding at `eighths`/8 of the full size (1...8) and tells the size the rows will have.
shelf_status shelf_jpeg_start(shelf_jpeg_reader *reader, int eighths, int *width, int *height, shelf_error *error);

// The next `count` rows as RGB without padding; gray and CMYK are converted.
shelf_status shelf_jpeg_read(shelf_jpeg_reader *reader, uint8_t *rows, int count, shelf_error *error);

void shelf_jpeg_close(shelf_jpeg_reader *reader);

// Baseline JPEG of RGB rows without padding. `*data` is malloc'd and the caller's to free.
shelf_status shelf_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality, uint8_t **data, size_t *count, shelf_error *error);

#endif
