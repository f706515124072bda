"""Draws photos of 100 megapixels, which is the limit, in each format: usage: large_photos.py PHOTO FOLDER

The given photo is enlarged without smoothing and with fewer shades, so that a PNG stays below the 20 MB that a
file may have.
"""
import pathlib
import sys

from PIL import Image

SIZE = (11544, 8660)
BYTES_LIMIT = 20_000_000


def main():
    photo, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    small = Image.open(photo).convert("RGB").resize((SIZE[0] // 4, SIZE[1] // 4), Image.Resampling.LANCZOS)
    large = small.point(lambda value: value & 0xF0).resize(SIZE, Image.Resampling.NEAREST)
    large.save(folder / "baseline.jpg", quality=60)
    large.save(folder / "progressive.jpg", quality=60, progressive=True)
    large.save(folder / "plain.png", compress_level=6)
    large.save(folder / "lossy.webp", quality=50, method=0)
    try:
        import pillow_heif
        pillow_heif.register_heif_opener()
        large.save(folder / "photo.heic", quality=40)
    except ImportError:
        print("large_photos: no pillow-heif, so no HEIC", file=sys.stderr)
    for file in folder.iterdir():
        if file.stat().st_size > BYTES_LIMIT:
            sys.exit(f"large_photos: {file.name} has {file.stat().st_size / 1e6:.1f} MB, more than a photo may have")


main()
