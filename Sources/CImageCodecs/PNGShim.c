#include "PNGShim.h"

#include <png.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shelf_png_reader {
    png_structp png;
    png_infop info;
    const uint8_t *next;
    size_t remaining;
    uint8_t *row;  // one row as libpng delivers it, RGB or RGBA
    size_t channels;
    shelf_status status;
    shelf_error *error;
};

static void fail(png_structp png, png_const_charp message) {
    shelf_png_reader *reader = png_get_error_ptr(png);
    snprintf(reader->error->text, sizeof reader->error->text, "%s", message);
    if (reader->status == SHELF_OK) reader->status = SHELF_CORRUPT;
    png_longjmp(png, 1);
}

static void ignore_warning(png_structp png, png_const_charp message) {
    (void)png;
    (void)message;
}

static png_voidp allocate(png_structp png, png_alloc_size_t count) {
    shelf_png_reader *reader = png_get_mem_ptr(png);
    void *memory = malloc(count);
    if (!memory && reader->status == SHELF_OK) reader->status = SHELF_OUT_OF_MEMORY;
    return memory;
}

static void release(png_structp png, png_voidp memory) {
    (void)png;
    free(memory);
}

static void take(png_structp png, png_bytep into, size_t count) {
    shelf_png_reader *reader = png_get_io_ptr(png);
    if (count > reader->remaining) {
        reader->status = SHELF_TRUNCATED;
        png_error(png, "the data ends too early");
    }
    memcpy(into, reader->next, count);
    reader->next += count;
    reader->remaining -= count;
}

shelf_status shelf_png_open(const uint8_t *data, size_t count, shelf_png_reader **out, shelf_error *error) {
    shelf_png_reader *reader = calloc(1, sizeof *reader);
    *out = reader;
    if (!reader) return SHELF_OUT_OF_MEMORY;
    reader->next = data;
    reader->remaining = count;
    reader->error = error;
    reader->png = png_create_read_struct_2(
        PNG_LIBPNG_VER_STRING, reader, fail, ignore_warning, reader, allocate, release);
    if (!reader->png) return SHELF_OUT_OF_MEMORY;
    if (setjmp(png_jmpbuf(reader->png))) return reader->status;
    reader->info = png_create_info_struct(reader->png);
    if (!reader->info) return SHELF_OUT_OF_MEMORY;
    png_set_read_fn(reader->png, reader, take);
    // The caller has its own limits, which its error messages can name.
    png_set_user_limits(reader->png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(reader->png, 1 << 20);
    // Text, profiles and other ancillary chunks are not used, and parsing them would only add
    // attack surface.
    png_set_keep_unknown_chunks(reader->png, PNG_HANDLE_CHUNK_NEVER, NULL, -1);
    png_read_info(reader->png, reader->info);
    return SHELF_OK;
}

size_t shelf_png_width(const shelf_png_reader *reader) { return png_get_image_width(reader->png, reader->info); }
size_t shelf_png_height(const shelf_png_reader *reader) { return png_get_image_height(reader->png, reader->info); }
int shelf_png_is_interlaced(const shelf_png_reader *reader) {
    return png_get_interlace_type(reader->png, reader->info) != PNG_INTERLACE_NONE;
}

// Must be called once, inside the protection of setjmp.
static void start(shelf_png_reader *reader) {
    if (reader->row) return;
    png_set_expand(reader->png);    // palettes and fewer than 8 bits; a transparent colour to alpha
    png_set_scale_16(reader->png);  // 16 bits to 8
    png_set_gray_to_rgb(reader->png);
    png_read_update_info(reader->png, reader->info);
    reader->channels = png_get_channels(reader->png, reader->info);
    reader->row = malloc(png_get_rowbytes(reader->png, reader->info));
    if (reader->row) return;
    reader->status = SHELF_OUT_OF_MEMORY;
    png_error(reader->png, "no memory for a row");
}

// Writes the pixel at `x` of the last row, over white.
static inline void put(const shelf_png_reader *reader, size_t x, uint8_t *rgb) {
    const uint8_t *pixel = reader->row + x * reader->channels;
    unsigned alpha = reader->channels == 4 ? pixel[3] : 255;
    for (size_t c = 0; c < 3; c++) rgb[c] = (uint8_t)((pixel[c] * alpha + 255 * (255 - alpha) + 127) / 255);
}

shelf_status shelf_png_read(shelf_png_reader *reader, uint8_t *rows, int count, shelf_error *error) {
    reader->error = error;
    if (setjmp(png_jmpbuf(reader->png))) return reader->status;
    start(reader);
    size_t width = shelf_png_width(reader);
    for (int y = 0; y < count; y++) {
        uint8_t *target = rows + (size_t)y * width * 3;
        if (reader->channels == 3) {
            png_read_row(reader->png, target, NULL);
        } else {
            png_read_row(reader->png, reader->row, NULL);
            for (size_t x = 0; x < width; x++) put(reader, x, target + x * 3);
        }
    }
    return SHELF_OK;
}

shelf_status shelf_png_read_interlaced(shelf_png_reader *reader, uint8_t *canvas, shelf_error *error) {
    reader->error = error;
    if (setjmp(png_jmpbuf(reader->png))) return reader->status;
    start(reader);
    size_t width = shelf_png_width(reader), height = shelf_png_height(reader);
    for (int pass = 0; pass < PNG_INTERLACE_ADAM7_PASSES; pass++) {
        size_t columns = PNG_PASS_COLS(width, pass), rows = PNG_PASS_ROWS(height, pass);
        for (size_t y = 0; columns > 0 && y < rows; y++) {
            png_read_row(reader->png, reader->row, NULL);
            uint8_t *target = canvas + PNG_ROW_FROM_PASS_ROW(y, pass) * width * 3;
            for (size_t x = 0; x < columns; x++) {
                put(reader, x, target + PNG_COL_FROM_PASS_COL(x, pass) * 3);
            }
        }
    }
    return SHELF_OK;
}

void shelf_png_close(shelf_png_reader *reader) {
    if (!reader) return;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader->row);
    free(reader);
}

shelf_status shelf_png_encode(
    const uint8_t *rgb, int width, int height, uint8_t **data, size_t *count, shelf_error *error) {
    png_image image;
    memset(&image, 0, sizeof image);
    image.version = PNG_IMAGE_VERSION;
    image.width = (png_uint_32)width;
    image.height = (png_uint_32)height;
    image.format = PNG_FORMAT_RGB;
    png_alloc_size_t capacity = PNG_IMAGE_PNG_SIZE_MAX(image);
    uint8_t *buffer = malloc(capacity);
    if (!buffer) return SHELF_OUT_OF_MEMORY;
    if (!png_image_write_to_memory(&image, buffer, &capacity, 0, rgb, 0, NULL)) {
        snprintf(error->text, sizeof error->text, "%s", image.message);
        free(buffer);
        return SHELF_CORRUPT;
    }
    *data = buffer;
    *count = capacity;
    return SHELF_OK;
}
