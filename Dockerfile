# kb's images: `make image`, or
#
#	docker build --build-arg BASE=nvidia/cuda:13.0.2-devel-ubuntu24.04 \
#		--build-arg COMMIT=$(git rev-parse HEAD) .
#
# BASE is a Debian 12 or Ubuntu 24.04. With CUDA's toolkit in it there are CUDA
# kernels in kb, and candidates can be compiled. The targets are `verify`, which
# scores and verifies, and `eval`, everything. Folder `wheels`, if there is one,
# is where eval's torch comes from; see doc/air-gapped.md.
ARG BASE=debian:bookworm-slim

FROM ${BASE} AS build
ARG COMMIT= SOURCE_DATE_EPOCH=
COPY . /src
RUN mkdir -p /src/wheels && \
	export KB_GIT_COMMIT="$COMMIT" && \
	/src/tools/image-steps build /src /opt/kb && \
	/src/tools/image-steps small /opt/kb /small

FROM scratch AS verify
ARG COMMIT=unknown VERSION=unknown
LABEL org.opencontainers.image.title="kb-score and kb-verify" \
	org.opencontainers.image.licenses=MIT \
	org.opencontainers.image.version=$VERSION \
	org.opencontainers.image.revision=$COMMIT
COPY --from=build /small /
ENV PATH=/bin
USER 10001:10001
WORKDIR /data
CMD ["kb-verify", "--help"]

FROM ${BASE} AS eval
ARG COMMIT=unknown VERSION=unknown
LABEL org.opencontainers.image.title=kb \
	org.opencontainers.image.licenses=MIT \
	org.opencontainers.image.version=$VERSION \
	org.opencontainers.image.revision=$COMMIT
COPY tools/setup tools/image-steps /opt/kb/image/
RUN --mount=type=bind,from=build,source=/src/wheels,target=/wheels \
	/opt/kb/image/image-steps runtime /wheels && \
	/opt/kb/image/image-steps user && rm -r /opt/kb/image
COPY --from=build /opt/kb /opt/kb
ENV PATH=/opt/kb/bin:/usr/local/cuda/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
USER 10001:10001
WORKDIR /data
CMD ["kb-eval", "--help"]
