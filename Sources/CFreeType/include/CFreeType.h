// FreeType in one include, because its own headers are included through macros.
#ifndef SHELFLIST_CFREETYPE_H
#define SHELFLIST_CFREETYPE_H

#include <ft2build.h>
#include FT_FREETYPE_H
#include FT_OUTLINE_H

#endif
