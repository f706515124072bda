#ifndef SHELFLIST_CZLIB_H
#define SHELFLIST_CZLIB_H

#include <zlib.h>

/// inflateInit2 is a macro, which Swift cannot call. 15 + 16 selects the largest window in a gzip
/// wrapper.
int shelflist_inflate_init_gzip(z_stream *stream);

#endif
