FROM python:3.12-slim AS build
WORKDIR /src
RUN apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev
COPY . .
RUN python -m venv /opt/ists && \
    /opt/ists/bin/pip install --no-cache-dir --no-compile -c constraints.txt '.[serve]'

FROM python:3.12-slim
COPY --from=build /opt/ists /opt/ists
ENV PATH=/opt/ists/bin:$PATH PYTHONDONTWRITEBYTECODE=1
USER 65534:65534
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8000/healthz')"]
# Needs ISTS_TOKEN: docker run --read-only -p 127.0.0.1:8000:8000 -e ISTS_TOKEN ists
ENTRYPOINT ["ists", "serve", "--host", "0.0.0.0"]
