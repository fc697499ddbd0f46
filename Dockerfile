# omnipilot with a desktop that is heard, a phone and a Chromium: the demo, the tests and the suite `workshop` run in it.
# What is installed is what the Makefile installs on a Debian machine.
FROM python:3.11-bookworm

WORKDIR /omnipilot
COPY Makefile ./
RUN make system system-desktop
COPY . .
RUN make dev-ready

# Private desktops put their programs into a sandbox, which needs namespaces: `docker run --privileged` for those.
ENV OMNIPILOT_ENVIRONMENTS=none
CMD ["make", "demo"]
