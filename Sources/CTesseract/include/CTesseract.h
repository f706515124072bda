#ifndef SHELFLIST_TESSERACT_H
#define SHELFLIST_TESSERACT_H

#include <stdbool.h>
#include <stdint.h>

// Tesseract's C interface, loaded when it is first used: a program whose shelves have no letters that the models lack needs
// neither the library nor its data.

// Loads libtesseract. Returns NULL, or why it cannot be loaded. Safe to call from several threads.
const char *shelf_tess_load(void);

// The version of the library, such as "5.3.0".
const char *shelf_tess_version(void);

// One recogniser. May be used from any thread, by one at a time.
typedef struct shelf_tess_recognizer shelf_tess_recognizer;

// Loads FOLDER/LANGUAGE.traineddata. Returns NULL where that fails.
shelf_tess_recognizer *shelf_tess_create(const char *folder, const char *language);

// Reads the one line of text in a picture of `width` × `height` grey pixels, 0 to 255, row by row without gaps, on the calling thread alone.
// Stores the mean confidence of its words, 0 to 100. Returns UTF-8 in logical order, which the caller frees with
// `shelf_tess_free`; NULL where the library fails.
char *shelf_tess_read(shelf_tess_recognizer *recognizer, const uint8_t *pixels, int width, int height, int *confidence);

void shelf_tess_free(char *text);
void shelf_tess_delete(shelf_tess_recognizer *recognizer);

#endif
