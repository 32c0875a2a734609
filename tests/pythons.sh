#!/usr/bin/env bash
# A small study's report by the Python of .venv, held to what each other Python that the package is for makes of it: all
# tables, computed again, and its pages, published again, are the same bytes. A Python that is not on this computer comes from
# Debian's testing, unpacked into a temporary folder; one that can't be had is named. ONLY names versions, where not all are wanted.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

# apt-get with lists and a cache of its own, and this computer's mirror.
mkdir -p "$place"/{lists,archives}/partial
touch "$place/status"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | sed -n '\#/debian/$#{p;q}')
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $mirror testing main" >"$place/sources"
debian() {
  apt-get -qq -o Dir::Etc::SourceList="$place/sources" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$place/lists" \
    -o Dir::State::Status="$place/status" -o Dir::Cache="$place" -o APT::Sandbox::User="$(id -un)" "$@" >/dev/null 2>&1
}

# Say where a Python is. Debian's needs a newer C library than this computer may have, so it is started by its own loader;
# headers are for packages that have no wheel for it.
found() {
  mapfile -t known < <(type -aP "python$1")
  for python in "${known[@]}" "${PYENV_ROOT:-$HOME/.pyenv}"/versions/"$1".*/bin/python"$1"; do
    "$python" -c 'import sys; print(sys.executable)' 2>/dev/null && return
  done
  debian update && debian --no-install-recommends --download-only install "python$1" "libpython$1-dev" || return
  local root=$place/$1-root
  python=$root/usr/bin/python$1
  for package in "$place"/archives/*.deb; do dpkg-deb -x "$package" "$root"; done
  ln -s ../x86_64-linux-gnu "$root/usr/include/python$1/"
  mv "$python" "$python.elf"
  printf '#!/bin/sh\nexec %q --library-path %q --argv0 "$0" %q "$@"\n' \
    "$root/usr/lib64/ld-linux-x86-64.so.2" "$root/usr/lib/x86_64-linux-gnu" "$python.elf" >"$python"
  chmod +x "$python"
  echo "$python"
}

# Publish the report again and build it again, with the package in an environment of another Python.
compared() {
  "$2" -m venv --without-pip "$place/$1"
  local install=(env PYTHONPATH="$place/pip" "$place/$1/bin/python" -m pip install --quiet --no-compile)
  "${install[@]}" --require-hashes -r build.lock
  "${install[@]}" --require-hashes --no-build-isolation -r requirements.lock
  "${install[@]}" --no-deps --no-build-isolation --editable .
  "$place/$1/bin/costcurves" verify "$place/study/reports/small" --rebuild --sources "$place/study"
}

# Debian's pip can't be run by a Python that is newer than itself.
python3 -m pip --python .venv/bin/python install --quiet --target "$place/pip" --require-hashes -r tests/pythons.lock

.venv/bin/python -c "from pathlib import Path; from tests import small_study
small_study.write_study(Path('$place/study'), datasets=[{'name': 'one', 'predictions': ['one.csv', 'family.csv.gz']}])"
costcurves=$PWD/.venv/bin/costcurves
(cd "$place/study" && "$costcurves" report study.yaml >/dev/null 2>&1)

own=$(.venv/bin/python -c 'import sys; print("{}.{}".format(*sys.version_info))')
others=() absent=()
for version in ${ONLY:-$(sed -n 's/.*Python :: \(3\.[0-9]*\)",/\1/p' pyproject.toml)}; do
  [ "$version" != "$own" ] || continue
  if ! python=$(found "$version"); then
    absent+=("$version")
    continue
  fi
  others+=("$version")
  compared "$version" "$python" >"$place/said-$version" 2>&1 &
done
wait
for version in "${others[@]}"; do
  for words in 'the same pages and figures, byte for byte' 'all tables are equal to the byte' 'results differ: none'; do
    grep -q "$words" "$place/said-$version" || { cat "$place/said-$version"; exit 1; }
  done
done
echo "Python $own gives the same tables and pages as ${others[*]:-none}; not to be had: ${absent[*]:-none}"
