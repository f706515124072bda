// How the shims report failure: a code for programs and the library's own words.
#ifndef SHELFLIST_STATUS_H
#define SHELFLIST_STATUS_H

typedef enum {
    SHELF_OK = 0,
    SHELF_TRUNCATED,    // the data ends before the image does
    SHELF_CORRUPT,      // the data breaks the rules of its format, or asks for something not supported
    SHELF_OUT_OF_MEMORY
} shelf_status;

typedef struct {
    char text[200];
} shelf_error;

#endif
