#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Installs what syncjob needs from the system, and only what is missing.
#
#   scripts/setup.sh [build|test|torture|bench|deb]     default: build
#
# build    the C libraries that syncjob stands on, and what the Swift package manager calls
# test     build, and the programs that the tests run: a web server, an audio encoder, … Programs from the Python package
#          index go to .build/peers, and so does cron, which would start jobs if it were installed. Where one cannot be
#          had, the tests that need it are skipped by name.
# deb      build, and what makes a Debian package
# torture  test, Python, and what makes file systems and cuts their power
# bench    test, and the downloaders that `make bench` compares with, Python and tools for network namespaces
#
# Nothing is downloaded when everything is there, so it may be run as often as you like.
set -euo pipefail

readonly SWIFT_MINIMUM=6.2
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*"; }
stop() {
  printf 'setup: %s\n' "$*" >&2
  exit 1
}

# One line a need: how to see that it is there, then the Debian packages that bring it, the first that exists.
needs() {
  cat <<'NEEDS'
library libcurl             libcurl4-openssl-dev
library yaml-0.1            libyaml-dev
library libxml-2.0          libxml2-dev
library sqlite3             libsqlite3-dev
library zlib                zlib1g-dev
library taglib              libtag1-dev libtag-dev
program pkg-config          pkg-config pkgconf
program git                 git
program strip               binutils
file    /etc/ssl/certs/ca-certificates.crt  ca-certificates
NEEDS
  [ "$1" = build ] && return
  cat <<'NEEDS'
program dpkg-shlibdeps      dpkg-dev
NEEDS
  [ "$1" = deb ] && return
  cat <<'NEEDS'
program lintian             lintian
program nginx               nginx-light nginx
program ffmpeg              ffmpeg
program openssl             openssl
program curl                curl
program mpv                 mpv
program mpd                 mpd
program strace              strace
program bindfs              bindfs
program fusermount3         fuse3
file    /usr/lib/python3/dist-packages/fusepy.py  python3-fusepy
program jq                  jq
program chromium            chromium
program chromedriver        chromium-driver
program zsh                 zsh
program fish                fish
program groff               groff
program man                 man-db
module  jsonschema          python3-jsonschema
module  yaml                python3-yaml
program promtool            prometheus
program prometheus-node-exporter  prometheus-node-exporter
program supysonic-server    supysonic
file    /usr/lib/python3/dist-packages/waitress  python3-waitress
module  ensurepip           python3-venv
NEEDS
  [ "$1" = test ] && return
  cat <<'NEEDS'
program python3             python3
NEEDS
  if [ "$1" = torture ]; then
    cat <<'NEEDS'
program mkfs.ext4           e2fsprogs
program mkfs.xfs            xfsprogs
program xfs_io              xfsprogs
program unshare             util-linux
NEEDS
    return
  fi
  cat <<'NEEDS'
program aria2c              aria2
program wget2               wget2
program rclone              rclone
program age                 age
program ip                  iproute2
program ethtool             ethtool
NEEDS
}

is_there() {
  case $1 in
    library) command -v pkg-config >/dev/null && pkg-config --exists "$2" ;;
    program) PATH="$PATH:/usr/local/sbin:/usr/sbin:/sbin" command -v "$2" >/dev/null ;;
    file) [ -e "$2" ] ;;
    # Of the system's own Python.
    module) [ -x /usr/bin/python3 ] && /usr/bin/python3 -c "import $2" 2>/dev/null ;;
  esac
}

check_swift() {
  command -v swift >/dev/null ||
    stop "no swift in PATH. Install a Swift toolchain, $SWIFT_MINIMUM or newer, from https://www.swift.org/install/linux/ and run this again."
  local version
  version=$(swift --version 2>/dev/null | awk 'match($0, /Swift version [0-9.]+/) { print substr($0, RSTART + 14, RLENGTH - 14) }')
  [ -n "$version" ] || stop "'swift --version' does not tell its version. Is $(command -v swift) a Swift toolchain?"
  [ "$(printf '%s\n%s\n' "$SWIFT_MINIMUM" "$version" | sort -V | head -n 1)" = "$SWIFT_MINIMUM" ] ||
    stop "Swift $version is too old: syncjob needs $SWIFT_MINIMUM or newer, see https://www.swift.org/install/linux/."
}

# Runs a command as root.
as_root() {
  if [ "$(id -u)" -eq 0 ]; then env "$@"; else sudo env "$@"; fi
}

# The first of some packages that can be installed here.
installable() {
  local package
  for package in "$@"; do
    if [[ $(LC_ALL=C apt-cache policy "$package" 2>/dev/null) =~ "  Candidate: "[^\(] ]]; then
      printf '%s\n' "$package"
      return
    fi
  done
  stop "none of these packages can be installed here: $*. Are the sources in /etc/apt complete?"
}

# Servers that are installed must not start: Debian asks this file. One that is there already is the administrator's.
readonly POLICY=/usr/sbin/policy-rc.d
forbid_service_starts() {
  [ -e "$POLICY" ] && return
  trap 'as_root rm -f "$POLICY"' EXIT
  printf '#!/bin/sh\nexit 101\n' | as_root tee "$POLICY" >/dev/null
  as_root chmod 755 "$POLICY"
}

install() {
  forbid_service_starts
  as_root DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends "$@" \
    </dev/null
  local server
  for server in nginx prometheus prometheus-node-exporter; do
    # The tests start their own, unprivileged; none shall come up at the next boot either.
    case " $* " in
      *" $server"*) command -v systemctl >/dev/null && as_root systemctl --quiet disable "$server" 2>/dev/null || : ;;
    esac
  done
}

# Programs of the Python package index: name, version, the oldest Python that it runs with, further packages. The program
# of a package that is only a library is a Python that has it.
peers() {
  cat <<'PEERS'
yt-dlp 2026.10.26 3.10
maneki 0.29.0     3.13
tink   1.16.1     3.10 cryptography
gpodder-fastapi-router 0.1.3 3.12 uvicorn aiosqlite
malojaserver 3.2.3 3.11
PEERS
}

# The first Python of at least a version, of the system or of pyenv, whose bare names may be stubs.
python_since() {
  local python
  for python in python3 /usr/bin/python3 python3.1{3,4,5,6} "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
    if "$python" -c "import sys, ensurepip; sys.exit(sys.version_info < tuple(map(int, '$1'.split('.'))))" 2>/dev/null; then
      printf '%s\n' "$python"
      return
    fi
  done
  return 1
}

# None of them is needed to build or to run syncjob, so that one that cannot be had stops nothing.
install_peers() {
  local name version oldest more python folder
  while read -r name version oldest more; do
    folder=.build/peers/$name
    [ -x "$folder/bin/$name" ] && continue
    rm -rf "$folder"
    if ! python=$(python_since "$oldest"); then
      say "$name is not installed, because no Python $oldest or newer is here. Its tests will be skipped."
    # shellcheck disable=SC2086 # the packages are words
    elif ! { "$python" -m venv "$folder" &&
      "$folder/bin/pip" install -q --retries 1 --timeout 20 "$name==$version" $more; } </dev/null; then
      rm -rf "$folder"
      say "$name $version cannot be installed from the Python package index. Its tests will be skipped."
    else
      [ -x "$folder/bin/$name" ] || ln -s python3 "$folder/bin/$name"
      say "installed $name $version in $folder."
    fi
  done < <(peers)
}

# The program alone, out of its Debian package.
unpack_cron() {
  local folder=.build/peers/cron/bin
  if is_there program cron || [ -x "$folder/cron" ]; then return; fi
  local unpacked
  unpacked=$(mktemp -d)
  if (cd "$unpacked" && apt-get download -q cron && dpkg-deb -x cron_*.deb .) >"$unpacked/log" 2>&1; then
    mkdir -p "$folder"
    cp "$unpacked/usr/sbin/cron" "$folder/cron"
    say "unpacked cron in $folder."
  else
    say "cron cannot be downloaded. Its tests will be skipped."
  fi
  rm -r "$unpacked"
}

main() {
  local tier=${1:-build}
  case $tier in
    build | test | torture | bench | deb) ;;
    *) stop "'$tier' is not one of build, test, torture, bench, deb." ;;
  esac
  check_swift

  local kind name packages missing=() wanted=()
  while read -r kind name packages; do
    is_there "$kind" "$name" || missing+=("$kind $name $packages")
  done < <(needs "$tier")
  if [ ${#missing[@]} -eq 0 ]; then
    say "everything for '$tier' is there."
    return
  fi

  say "missing for '$tier': $(printf '%s\n' "${missing[@]}" | awk '{ printf "%s%s", sep, $2; sep = ", " }')"
  command -v apt-get >/dev/null ||
    stop "this system has no apt-get. Install what is missing with its own package manager and run this again."
  [ "$(id -u)" -eq 0 ] || command -v sudo >/dev/null ||
    stop "installing needs root, and there is no sudo. Run as root: $0 $tier"

  say "reading the package lists (apt-get update)"
  as_root apt-get -o DPkg::Lock::Timeout=300 update -q
  local entry package
  for entry in "${missing[@]}"; do
    read -r kind name packages <<<"$entry"
    # shellcheck disable=SC2086 # the packages are words
    package=$(installable $packages)
    wanted+=("$package")
  done
  say "installing: ${wanted[*]}"
  install "${wanted[@]}"

  for entry in "${missing[@]}"; do
    read -r kind name packages <<<"$entry"
    is_there "$kind" "$name" || stop "$name is still missing after its package was installed."
  done
  say "everything for '$tier' is there now."
}

main "$@"
case ${1:-build} in
  build | deb) ;;
  *)
    install_peers
    unpack_cron
    ;;
esac
