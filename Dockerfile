# Builds Shelflist and an image that runs it without root:
#   docker build -t shelflist .
#   docker run --read-only --tmpfs /tmp -v shelflist:/data -p 127.0.0.1:8080:8080 -e SHELFLIST_INSECURE_HTTP=true shelflist
# This publishes it to this machine only. For other machines use HTTPS: contrib/compose.yml has a proxy. The log shows a set-up code, with which the owner is created (docs/operations.md).
FROM swift:6.3-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends make python3-pip && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make install PREFIX=/opt/shelflist

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends \
        libjpeg62-turbo libheif1 libwebp7 libwebpdemux2 libpng16-16 libfreetype6 libqrencode4 libsqlite3-0 zlib1g \
        libstdc++6 ca-certificates \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --home-dir /data --shell /usr/sbin/nologin shelflist \
    && install -d -o shelflist -g shelflist -m 0700 /data
COPY --from=build /opt/shelflist /opt/shelflist
ENV PATH=/opt/shelflist/bin:$PATH SHELFLIST_DATA=/data SHELFLIST_HOST=0.0.0.0 SHELFLIST_LOG_FORMAT=json
USER shelflist
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET %s/health HTTP/1.0\\r\\n\\r\\n' \"${SHELFLIST_BASE_PATH%/}\" >&3 && grep -q '200 OK' <&3"]
ENTRYPOINT ["shelflist", "serve"]
