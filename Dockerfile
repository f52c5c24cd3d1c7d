# The site's image: web, worker and beat are the same with other commands (docker-compose.yml).

FROM python:3.11-slim-bookworm AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /venv
COPY requirements/run.txt /requirements.txt
RUN /venv/bin/pip install --require-hashes --only-binary :all: -r /requirements.txt
COPY . /site
WORKDIR /site
# Names with a fingerprint are made here. The values only let the settings load; nothing is reached.
RUN SECRET_KEY=only-to-collect-the-static-files-at-build-time SITE_URL=http://localhost REDIS_URL=redis://localhost:6379/0 \
    DATABASE_URL=postgres://localhost/none /venv/bin/python manage.py collectstatic --noinput

FROM python:3.11-slim-bookworm
# The names in pictures of deals are set with these.
RUN apt-get update && apt-get install --yes --no-install-recommends fonts-noto-core && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /site courtpiece
COPY --from=build /venv /venv
COPY --from=build /site /site
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 DJANGO_SETTINGS_MODULE=courtpiece.project.settings
WORKDIR /site
USER courtpiece
EXPOSE 8000
CMD ["uvicorn", "courtpiece.project.asgi:application", "--host", "0.0.0.0", "--port", "8000"]
