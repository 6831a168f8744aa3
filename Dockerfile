# Everything that the book needs, from the lock: to read and to change it, and for GPU runners.
#
#     docker build --tag understanding-attention .
#     docker run --rm --publish 8000:8000 understanding-attention
#
# then open http://127.0.0.1:8000. With `--interactive --tty` and `bash` at the end you get a shell
# in which `make` and all its commands work, offline as well. With `--gpus all` they find your GPU.
#
# The tag names a version, and could still be moved. `docker pull` prints the digest it has today.
FROM python:3.12.12-slim-trixie

# A browser for the tests; a C compiler, with which Triton starts kernels on a GPU.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends chromium-headless-shell gcc git jq libc6-dev make \
    && rm -rf /var/lib/apt/lists/*

# Whoever runs the container of a runner gives it their own number: what it leaves is then theirs.
ARG ID=1000
RUN useradd --create-home --uid "$ID" reader \
    && install --directory --owner=reader /book /opt/venv
USER reader
WORKDIR /book

COPY --chown=reader requirements.lock ./
RUN python -m venv /opt/venv \
    && /opt/venv/bin/python -m pip install --no-cache-dir --requirement requirements.lock

COPY --chown=reader . .
RUN ln -s /opt/venv .venv && make .venv/ready && make site

EXPOSE 8000
CMD ["python", "-m", "http.server", "--directory", "site", "8000"]
