// The image libraries as they are, plus what Swift cannot call itself: libpng reports errors by longjmp.
#ifndef SHELFLIST_CIMAGECODECS_H
#define SHELFLIST_CIMAGECODECS_H

#include <libheif/heif.h>
#include <turbojpeg.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>

#endif
