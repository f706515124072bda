# Builds the Debian package, and an image of Debian with it that runs without root:
#   docker build -t shelflist .
# compose.yaml and contrib/compose.yml run it. `make image` builds the same image without Docker (buildah), from a
# package that is already built.
ARG BASE=debian:bookworm-slim

FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make deb && mkdir /package && mv dist/shelflist_*.deb /package/shelflist.deb

FROM ${BASE} AS image
# The data of letters that the models lack; "tesseract-ocr-script-cyrl tesseract-ocr-ell" adds Greek.
ARG LETTERS=tesseract-ocr-script-cyrl
# The user has a number of its own, so that a volume keeps its owner when the image is built again.
RUN --mount=type=bind,from=build,source=/package,target=/package \
    --mount=type=bind,source=Scripts/package,target=/scripts \
    apt-get update \
    && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends /package/shelflist.deb \
        libtesseract5 ${LETTERS} \
    && usermod --uid 10001 --home /data shelflist && groupmod --gid 10001 shelflist \
    && install -d -o shelflist -g shelflist -m 0700 /data \
    && /scripts/image_bom.sh >/usr/share/shelflist/image.spdx \
    && rm -rf /var/lib/apt/lists/* /var/cache/* /var/log/* /var/lib/shelflist /usr/share/man /usr/share/lintian
# A crash ends the server at once, so that it is restarted within seconds. docs/operations.md says how to get backtraces.
ENV SHELFLIST_DATA=/data SHELFLIST_HOST=0.0.0.0 SHELFLIST_LOG_FORMAT=json SWIFT_BACKTRACE=enable=no \
    SHELFLIST_REQUIRE_CONFINEMENT=true
USER 10001:10001
VOLUME /data
EXPOSE 8080
# At the server's own address: over HTTP or HTTPS, with its base path.
HEALTHCHECK --interval=30s --timeout=15s --start-period=30s CMD ["shelflist", "health"]
ENTRYPOINT ["shelflist", "serve"]
