#include "PackedCoefficients.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jerror.h>

// Replaces libjpeg's jvirt_barray_control, which is opaque to everything except its memory manager.
struct packed_array {
    packed_array *next;
    size_t blocks;         // in a strip
    size_t strip_rows;     // rows of blocks that are worked on together
    size_t strip_count;
    uint8_t **strips;      // packed; NULL while all zero
    JBLOCK *window;        // the strip being worked on
    JBLOCKARRAY rows;      // its rows
    size_t current;        // index of the strip in the window
    int changed;
};

size_t coefficient_bytes(const struct jpeg_decompress_struct *info) {
    size_t blocks = 0;
    for (int c = 0; c < info->num_components; c++) {
        blocks += (size_t)info->comp_info[c].width_in_blocks * info->comp_info[c].height_in_blocks;
    }
    return blocks * sizeof(JBLOCK);
}

static jvirt_barray_ptr request(
    j_common_ptr info, int pool, boolean zero, JDIMENSION width, JDIMENSION height, JDIMENSION strip_rows) {
    (void)pool;  // freed with the reader, not with libjpeg's pool
    (void)zero;  // always
    packed_array *array = calloc(1, sizeof *array);
    if (!array) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    packed_array **list = info->client_data;
    array->next = *list;
    *list = array;
    array->blocks = (size_t)width * strip_rows;
    array->strip_rows = strip_rows;
    array->strip_count = ((size_t)height + strip_rows - 1) / strip_rows;
    array->strips = calloc(array->strip_count, sizeof *array->strips);
    array->window = calloc(array->blocks, sizeof *array->window);
    array->rows = calloc(strip_rows, sizeof *array->rows);
    if (!array->strips || !array->window || !array->rows) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    for (size_t y = 0; y < strip_rows; y++) array->rows[y] = array->window + y * width;
    return (jvirt_barray_ptr)array;
}

static uint64_t nonzero_mask(const JCOEF *block) {
    uint64_t mask = 0;
    for (int i = 0; i < DCTSIZE2; i++) mask |= (uint64_t)(block[i] != 0) << i;
    return mask;
}

// Writes each block as a mask followed by its values.
static void pack(j_common_ptr info, packed_array *array) {
    size_t size = 0;
    for (size_t b = 0; b < array->blocks; b++) {
        size += sizeof(uint64_t) + sizeof(JCOEF) * (size_t)__builtin_popcountll(nonzero_mask(array->window[b]));
    }
    uint8_t *packed = malloc(size), *next = packed;
    if (!packed) ERREXIT1(info, JERR_OUT_OF_MEMORY, 0);
    for (size_t b = 0; b < array->blocks; b++) {
        uint64_t mask = nonzero_mask(array->window[b]);
        memcpy(next, &mask, sizeof mask);
        next += sizeof mask;
        for (; mask; mask &= mask - 1) {
            memcpy(next, &array->window[b][__builtin_ctzll(mask)], sizeof(JCOEF));
            next += sizeof(JCOEF);
        }
    }
    free(array->strips[array->current]);
    array->strips[array->current] = packed;
}

static void unpack(packed_array *array) {
    const uint8_t *next = array->strips[array->current];
    memset(array->window, 0, array->blocks * sizeof *array->window);
    for (size_t b = 0; next && b < array->blocks; b++) {
        uint64_t mask;
        memcpy(&mask, next, sizeof mask);
        next += sizeof mask;
        for (; mask; mask &= mask - 1) {
            memcpy(&array->window[b][__builtin_ctzll(mask)], next, sizeof(JCOEF));
            next += sizeof(JCOEF);
        }
    }
}

static JBLOCKARRAY access_rows(
    j_common_ptr info, jvirt_barray_ptr opaque, JDIMENSION first, JDIMENSION count, boolean writable) {
    packed_array *array = (packed_array *)opaque;
    size_t strip = first / array->strip_rows, offset = first % array->strip_rows;
    if (strip >= array->strip_count || offset + count > array->strip_rows) ERREXIT(info, JERR_BAD_VIRTUAL_ACCESS);
    if (strip != array->current) {
        if (array->changed) pack(info, array);
        array->changed = 0;
        array->current = strip;
        unpack(array);
    }
    array->changed |= writable;
    return array->rows + offset;
}

void pack_coefficients(struct jpeg_decompress_struct *info, packed_array **arrays) {
    info->client_data = arrays;
    info->mem->request_virt_barray = request;
    info->mem->access_virt_barray = access_rows;
}

void free_packed(packed_array *array) {
    while (array) {
        packed_array *next = array->next;
        for (size_t i = 0; array->strips && i < array->strip_count; i++) free(array->strips[i]);
        free(array->strips);
        free(array->window);
        free(array->rows);
        free(array);
        array = next;
    }
}
