#include "CDynamicLibrary.h"

#include <dlfcn.h>
#include <stdio.h>

void *shelf_library_open(const char *const names[], char *reason, size_t size) {
    for (int i = 0; names[i] != NULL; i++) {
        void *library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (library != NULL) return library;
    }
    const char *message = dlerror();
    snprintf(reason, size, "%s", message == NULL ? "the library is missing" : message);
    return NULL;
}

void *shelf_library_find(void *library, const char *name, const char *function, char *reason, size_t size) {
    void *found = dlsym(library, function);
    if (found == NULL) snprintf(reason, size, "%s lacks %s", name, function);
    return found;
}
