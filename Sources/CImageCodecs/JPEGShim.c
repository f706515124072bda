#include "JPEGShim.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

#include <jerror.h>

#include "PackedCoefficients.h"

// Cameras write about ten scans. A file may contain thousands, and each costs a pass over the whole
// image.
enum { MAX_SCANS = 100 };

// Above this size coefficients are packed, which is slower. 100 megapixels with half-resolution
// chroma, as cameras write them, stay below.
static const size_t MAX_COEFFICIENT_BYTES = 320u << 20;

// libjpeg's error manager comes first, so that a pointer to it is a pointer to ours.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf escape;
    shelf_status status;
    shelf_error *error;
} error_manager;

struct shelf_jpeg_reader {
    struct jpeg_decompress_struct info;
    error_manager errors;
    struct jpeg_source_mgr source;
    struct jpeg_progress_mgr progress;
    uint8_t *cmyk;         // one row, for CMYK files only
    packed_array *packed;  // for very large progressive files only
};

static void fail(j_common_ptr info) {
    error_manager *errors = (error_manager *)info->err;
    errors->base.format_message(info, errors->error->text);
    if (errors->status == SHELF_OK) {
        errors->status = errors->base.msg_code == JERR_OUT_OF_MEMORY ? SHELF_OUT_OF_MEMORY : SHELF_CORRUPT;
    }
    longjmp(errors->escape, 1);
}

// Warnings are about damage that still leaves a picture; the end of the data is handled where it
// occurs.
static void ignore_message(j_common_ptr info, int level) {
    (void)info;
    (void)level;
}

static void ignore_output(j_common_ptr info) { (void)info; }

static struct jpeg_error_mgr *set_up_errors(error_manager *errors, shelf_error *error) {
    _Static_assert(sizeof(error->text) >= JMSG_LENGTH_MAX, "libjpeg's messages must fit");
    jpeg_std_error(&errors->base);
    errors->base.error_exit = fail;
    errors->base.emit_message = ignore_message;
    errors->base.output_message = ignore_output;
    errors->status = SHELF_OK;
    errors->error = error;
    return &errors->base;
}

// The whole file is in the buffer from the start, so a request for more means that it ends too
// early.
static boolean meet_end(j_decompress_ptr info) {
    ((error_manager *)info->err)->status = SHELF_TRUNCATED;
    ERREXIT(info, JERR_INPUT_EOF);
    return FALSE;
}

static void skip(j_decompress_ptr info, long count) {
    if (count <= 0) return;
    if ((size_t)count > info->src->bytes_in_buffer) {
        meet_end(info);
        return;
    }
    info->src->next_input_byte += count;
    info->src->bytes_in_buffer -= (size_t)count;
}

static void do_nothing(j_decompress_ptr info) { (void)info; }

static void count_scans(j_common_ptr info) {
    j_decompress_ptr decompress = (j_decompress_ptr)info;
    if (info->is_decompressor && decompress->input_scan_number > MAX_SCANS) {
        error_manager *errors = (error_manager *)info->err;
        snprintf(errors->error->text, sizeof errors->error->text, "more than %d scans", MAX_SCANS);
        errors->status = SHELF_CORRUPT;
        longjmp(errors->escape, 1);
    }
}

shelf_status shelf_jpeg_open(const uint8_t *data, size_t count, shelf_jpeg_reader **out, shelf_error *error) {
    shelf_jpeg_reader *reader = calloc(1, sizeof *reader);
    *out = reader;
    if (!reader) return SHELF_OUT_OF_MEMORY;
    reader->info.err = set_up_errors(&reader->errors, error);
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    jpeg_create_decompress(&reader->info);

    reader->source.next_input_byte = data;
    reader->source.bytes_in_buffer = count;
    reader->source.init_source = do_nothing;
    reader->source.fill_input_buffer = meet_end;
    reader->source.skip_input_data = skip;
    reader->source.resync_to_restart = jpeg_resync_to_restart;
    reader->source.term_source = do_nothing;
    reader->info.src = &reader->source;
    reader->progress.progress_monitor = count_scans;
    reader->info.progress = &reader->progress;

    jpeg_read_header(&reader->info, TRUE);
    return SHELF_OK;
}

int shelf_jpeg_width(const shelf_jpeg_reader *reader) { return (int)reader->info.image_width; }
int shelf_jpeg_height(const shelf_jpeg_reader *reader) { return (int)reader->info.image_height; }

shelf_status shelf_jpeg_start(shelf_jpeg_reader *reader, int eighths, int *width, int *height, shelf_error *error) {
    struct jpeg_decompress_struct *info = &reader->info;
    reader->errors.error = error;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    info->scale_num = (unsigned)eighths;
    info->scale_denom = 8;
    info->dct_method = JDCT_ISLOW;  // exact, and with SIMD as fast as the others
    // Half-resolution chroma without interpolation is a quarter faster and does not affect text,
    // which is legible in the luma.
    info->do_fancy_upsampling = FALSE;
    info->do_block_smoothing = FALSE;
    int cmyk = info->jpeg_color_space == JCS_CMYK || info->jpeg_color_space == JCS_YCCK;
    info->out_color_space = cmyk ? JCS_CMYK : JCS_RGB;
    if (jpeg_has_multiple_scans(info) && coefficient_bytes(info) > MAX_COEFFICIENT_BYTES) {
        pack_coefficients(info, &reader->packed);
    }
    jpeg_start_decompress(info);
    if (cmyk) {
        reader->cmyk = malloc((size_t)info->output_width * 4);
        if (!reader->cmyk) return SHELF_OUT_OF_MEMORY;
    }
    *width = (int)info->output_width;
    *height = (int)info->output_height;
    return SHELF_OK;
}

// Converts ink to light. Adobe stores inverted ink values, other programs do not.
static void convert_cmyk(const uint8_t *cmyk, uint8_t *rgb, size_t width, int missing_ink) {
    unsigned flip = missing_ink ? 0 : 255;
    for (size_t x = 0; x < width; x++) {
        unsigned black = cmyk[4 * x + 3] ^ flip;
        for (size_t c = 0; c < 3; c++) {
            rgb[3 * x + c] = (uint8_t)(((cmyk[4 * x + c] ^ flip) * black + 127) / 255);
        }
    }
}

shelf_status shelf_jpeg_read(shelf_jpeg_reader *reader, uint8_t *rows, int count, shelf_error *error) {
    struct jpeg_decompress_struct *info = &reader->info;
    reader->errors.error = error;
    if (setjmp(reader->errors.escape)) return reader->errors.status;
    size_t width = info->output_width;
    for (int y = 0; y < count; y++) {
        uint8_t *row = rows + (size_t)y * width * 3;
        JSAMPROW target = reader->cmyk ? reader->cmyk : row;
        if (jpeg_read_scanlines(info, &target, 1) != 1) return SHELF_TRUNCATED;
        if (reader->cmyk) convert_cmyk(reader->cmyk, row, width, info->saw_Adobe_marker);
    }
    return SHELF_OK;
}

void shelf_jpeg_close(shelf_jpeg_reader *reader) {
    if (!reader) return;
    jpeg_destroy_decompress(&reader->info);
    free_packed(reader->packed);
    free(reader->cmyk);
    free(reader);
}

// A growing destination buffer. libjpeg's own leaks its buffer when encoding fails.
typedef struct {
    struct jpeg_compress_struct info;
    error_manager errors;
    struct jpeg_destination_mgr destination;
    uint8_t *data;
    size_t capacity;
} jpeg_writer;

static boolean grow(j_compress_ptr info) {
    jpeg_writer *writer = info->client_data;
    uint8_t *larger = realloc(writer->data, writer->capacity * 2);
    if (!larger) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    writer->data = larger;
    info->dest->next_output_byte = larger + writer->capacity;
    info->dest->free_in_buffer = writer->capacity;
    writer->capacity *= 2;
    return TRUE;
}

static void do_nothing_out(j_compress_ptr info) { (void)info; }

static void write_jpeg(jpeg_writer *writer, const uint8_t *rgb, int width, int height, int quality) {
    struct jpeg_compress_struct *info = &writer->info;
    jpeg_create_compress(info);
    info->client_data = writer;
    info->dest = &writer->destination;
    writer->destination.init_destination = do_nothing_out;
    writer->destination.empty_output_buffer = grow;
    writer->destination.term_destination = do_nothing_out;
    writer->destination.next_output_byte = writer->data;
    writer->destination.free_in_buffer = writer->capacity;

    info->image_width = (unsigned)width;
    info->image_height = (unsigned)height;
    info->input_components = 3;
    info->in_color_space = JCS_RGB;
    jpeg_set_defaults(info);
    jpeg_set_quality(info, quality, TRUE);
    jpeg_start_compress(info, TRUE);
    while (info->next_scanline < info->image_height) {
        JSAMPROW row = (JSAMPROW)(rgb + (size_t)info->next_scanline * (size_t)width * 3);
        jpeg_write_scanlines(info, &row, 1);
    }
    jpeg_finish_compress(info);
}

shelf_status shelf_jpeg_encode(
    const uint8_t *rgb, int width, int height, int quality, uint8_t **data, size_t *count, shelf_error *error) {
    jpeg_writer *writer = calloc(1, sizeof *writer);
    if (!writer) return SHELF_OUT_OF_MEMORY;
    writer->capacity = 1 << 16;
    writer->data = malloc(writer->capacity);
    writer->info.err = set_up_errors(&writer->errors, error);
    writer->errors.status = writer->data ? SHELF_OK : SHELF_OUT_OF_MEMORY;
    if (writer->data && !setjmp(writer->errors.escape)) {
        write_jpeg(writer, rgb, width, height, quality);
        *data = writer->data;
        *count = writer->capacity - writer->destination.free_in_buffer;
        writer->data = NULL;
    }
    shelf_status status = writer->errors.status;
    jpeg_destroy_compress(&writer->info);
    free(writer->data);
    free(writer);
    return status;
}
