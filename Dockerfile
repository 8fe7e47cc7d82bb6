# pincite's server. Build: docker build -t pincite .   Run: docker run -p 8000:8000 -v pincite:/data pincite
FROM python:3.11-slim AS build
WORKDIR /build
RUN python -m venv /opt/pincite
COPY requirements/demo.txt requirements/demo.txt
# Everything is pinned with its hash; the index is the one that this machine's pip is set to.
RUN /opt/pincite/bin/pip install --no-cache-dir --require-hashes --requirement requirements/demo.txt
COPY pyproject.toml README.md LICENSE NOTICE ./
COPY src src
RUN /opt/pincite/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.11-slim
RUN useradd --system --uid 10001 --home-dir /data --create-home pincite
COPY --from=build /opt/pincite /opt/pincite
ENV PATH=/opt/pincite/bin:$PATH PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 PINCITE_HOME=/data
USER 10001
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/readyz', timeout=4)"]
ENTRYPOINT ["pincite"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8000"]
