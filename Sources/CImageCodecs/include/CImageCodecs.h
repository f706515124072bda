// The image libraries, plus shims for what Swift cannot call: libjpeg and libpng report errors by
// longjmp, which must not cross a Swift frame.
#ifndef SHELFLIST_CIMAGECODECS_H
#define SHELFLIST_CIMAGECODECS_H

#include <libheif/heif.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

#include "JPEGShim.h"
#include "PNGShim.h"

#endif
