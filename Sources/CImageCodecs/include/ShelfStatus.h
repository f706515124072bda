// Errors of the shims: a status code and the library's message.
#ifndef SHELFLIST_STATUS_H
#define SHELFLIST_STATUS_H

typedef enum {
    SHELF_OK = 0,
    SHELF_TRUNCATED,    // the data ends before the image does
    SHELF_CORRUPT,      // the data is invalid, or uses an unsupported feature
    SHELF_OUT_OF_MEMORY
} shelf_status;

typedef struct {
    char text[200];
} shelf_error;

#endif
