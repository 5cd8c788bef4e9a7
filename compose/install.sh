#!/usr/bin/env bash
# Installs the Debian packages that building, running and testing Belfry needs. Does nothing when all are there.
# Starts no system service, and makes no system-wide PostgreSQL cluster: Belfry brings up servers of its own.
set -euo pipefail

packages=(
  # Build: the C libraries under the drivers.
  librabbitmq-dev libpq-dev libcurl4-openssl-dev libssl-dev pkg-config
  # Run: the servers that `belfry dev` and the tests start as private processes.
  postgresql-15 rabbitmq-server
  # Test: an HTTP/2 server and load generator, and clients in Python.
  nghttp2-server nghttp2-client python3-venv
)

missing=()
for package in "${packages[@]}"; do
  dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if ! command -v apt-get >/dev/null; then
  echo "This is no Debian. Install what corresponds to: ${missing[*]}" >&2
  exit 1
fi

if [ "$(id -u)" -eq 0 ]; then
  as_root=(env)
elif sudo -n true 2>/dev/null; then
  as_root=(sudo env)
else
  echo "Some Debian packages are missing. Install them with this command, then try again:" >&2
  echo "  sudo apt-get install -y --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
# postgresql-common makes and starts a cluster on installation unless told otherwise beforehand.
if [ ! -e /etc/postgresql-common/createcluster.conf ]; then
  "${as_root[@]}" mkdir -p /etc/postgresql-common
  echo "create_main_cluster = false" | "${as_root[@]}" tee /etc/postgresql-common/createcluster.conf >/dev/null
fi
apt=("${as_root[@]}" DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 apt-get -qq -y -o Dpkg::Use-Pty=0)
# RUNLEVEL=1: invoke-rc.d starts nothing. Where systemd runs, a link to /dev/null keeps RabbitMQ from being started.
mask=/run/systemd/system
masked=()
if [ -d "$mask" ]; then
  for unit in rabbitmq-server epmd; do
    [ -e "$mask/$unit.service" ] && continue
    "${as_root[@]}" ln -s /dev/null "$mask/$unit.service"
    masked+=("$mask/$unit.service")
  done
fi
unmask() { [ ${#masked[@]} -eq 0 ] || "${as_root[@]}" rm -f "${masked[@]}"; }
trap unmask EXIT

"${apt[@]}" update
"${apt[@]}" install --no-install-recommends "${missing[@]}" </dev/null
