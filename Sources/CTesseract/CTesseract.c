#include "CTesseract.h"

#include <CDynamicLibrary.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

// Declared here, because these functions of Tesseract 5's capi.h are all that is needed, and its headers bring leptonica's along.
typedef struct TessBaseAPI TessBaseAPI;

#define FUNCTIONS(F)                                                                                                   \
    F(const char *, TessVersion, (void))                                                                               \
    F(TessBaseAPI *, TessBaseAPICreate, (void))                                                                        \
    F(void, TessBaseAPIDelete, (TessBaseAPI *))                                                                        \
    F(int, TessBaseAPIInit2, (TessBaseAPI *, const char *, const char *, int))                                         \
    F(int, TessBaseAPISetVariable, (TessBaseAPI *, const char *, const char *))                                        \
    F(void, TessBaseAPISetPageSegMode, (TessBaseAPI *, int))                                                           \
    F(void, TessBaseAPISetImage, (TessBaseAPI *, const unsigned char *, int, int, int, int))                           \
    F(void, TessBaseAPISetSourceResolution, (TessBaseAPI *, int))                                                      \
    F(char *, TessBaseAPIGetUTF8Text, (TessBaseAPI *))                                                                 \
    F(int, TessBaseAPIMeanTextConf, (TessBaseAPI *))                                                                   \
    F(void, TessBaseAPIClear, (TessBaseAPI *))                                                                         \
    F(void, TessDeleteText, (const char *))

// In the order of capi.h: OEM_LSTM_ONLY and PSM_SINGLE_LINE.
enum { LSTM_ONLY = 1, SINGLE_LINE = 7 };
// Dots per inch that the library assumes of print; without it, it guesses and says so on stderr.
enum { RESOLUTION = 300 };

#define MEMBER(type, name, arguments) type(*name) arguments;
static struct {
    FUNCTIONS(MEMBER)
} tess;
// Of the OpenMP runtime that the library was built with; NULL without one.
static void (*set_parallel_levels)(int);
static char reason[256];
static pthread_once_t once = PTHREAD_ONCE_INIT;

#ifdef __APPLE__
static const char *const names[] = {
    "libtesseract.5.dylib", "/opt/homebrew/opt/tesseract/lib/libtesseract.5.dylib",
    "/usr/local/opt/tesseract/lib/libtesseract.5.dylib", NULL};
#else
static const char *const names[] = {"libtesseract.so.5", NULL};
#endif

static void load(void) {
    void *library = shelf_library_open(names, reason, sizeof reason);
    if (library == NULL) return;
#define FIND(type, name, arguments)                                                                                    \
    tess.name = (type(*) arguments)shelf_library_find(library, "libtesseract", #name, reason, sizeof reason);
    FUNCTIONS(FIND)
    // Not every library has it: nothing is said where it is missing.
    char unsaid[sizeof reason];
    set_parallel_levels =
        (void (*)(int))shelf_library_find(library, "libtesseract", "omp_set_max_active_levels", unsaid, sizeof unsaid);
}

const char *shelf_tess_load(void) {
    pthread_once(&once, load);
    return reason[0] == 0 ? NULL : reason;
}

const char *shelf_tess_version(void) { return tess.TessVersion(); }

static TessBaseAPI *api(shelf_tess_recognizer *recognizer) { return (TessBaseAPI *)recognizer; }

shelf_tess_recognizer *shelf_tess_create(const char *folder, const char *language) {
    TessBaseAPI *created = tess.TessBaseAPICreate();
    if (created == NULL) return NULL;
    // What it has to say goes to stderr otherwise.
    tess.TessBaseAPISetVariable(created, "debug_file", "/dev/null");
    if (tess.TessBaseAPIInit2(created, folder, language, LSTM_ONLY) != 0) {
        tess.TessBaseAPIDelete(created);
        return NULL;
    }
    tess.TessBaseAPISetPageSegMode(created, SINGLE_LINE);
    return (shelf_tess_recognizer *)created;
}

char *shelf_tess_read(shelf_tess_recognizer *recognizer, const uint8_t *pixels, int width, int height, int *confidence) {
    // Lines are read in parallel already: four threads for each took five times the time of one. The library asks for four
    // by number, which only this setting overrules; it is each thread's own.
    if (set_parallel_levels != NULL) set_parallel_levels(0);
    tess.TessBaseAPISetImage(api(recognizer), pixels, width, height, 1, width);
    tess.TessBaseAPISetSourceResolution(api(recognizer), RESOLUTION);
    char *text = tess.TessBaseAPIGetUTF8Text(api(recognizer));
    *confidence = text == NULL ? 0 : tess.TessBaseAPIMeanTextConf(api(recognizer));
    tess.TessBaseAPIClear(api(recognizer));
    return text;
}

void shelf_tess_free(char *text) { tess.TessDeleteText(text); }

void shelf_tess_delete(shelf_tess_recognizer *recognizer) { tess.TessBaseAPIDelete(api(recognizer)); }
