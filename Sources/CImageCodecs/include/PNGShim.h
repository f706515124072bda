// libpng, row by row. Every function that can fail returns a shelf_status and fills shelf_error.
#ifndef SHELFLIST_PNGSHIM_H
#define SHELFLIST_PNGSHIM_H

#include <stddef.h>
#include <stdint.h>

#include "ShelfStatus.h"

typedef struct shelf_png_reader shelf_png_reader;

// Reads only the header. `data` is borrowed until shelf_png_close. `*reader` is always set (NULL
// only when out of memory) and must be closed.
shelf_status shelf_png_open(const uint8_t *data, size_t count, shelf_png_reader **reader, shelf_error *error);
size_t shelf_png_width(const shelf_png_reader *reader);
size_t shelf_png_height(const shelf_png_reader *reader);
int shelf_png_is_interlaced(const shelf_png_reader *reader);

// Reads the next `count` rows as 8-bit RGB without padding, over white. Not for interlaced files.
shelf_status shelf_png_read(shelf_png_reader *reader, uint8_t *rows, int count, shelf_error *error);

// Reads an entire interlaced file into `canvas` of width * height * 3 samples.
shelf_status shelf_png_read_interlaced(shelf_png_reader *reader, uint8_t *canvas, shelf_error *error);

void shelf_png_close(shelf_png_reader *reader);

// Encodes RGB rows without padding as 8-bit PNG. The caller frees the malloc'd `*data`.
shelf_status shelf_png_encode(
    const uint8_t *rgb, int width, int height, uint8_t **data, size_t *count, shelf_error *error);

#endif
