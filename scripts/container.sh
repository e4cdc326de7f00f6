#!/usr/bin/env bash
# container.sh [IMAGE]: builds image/Containerfile with podman and tries what comes out: solves a matrix, and draws a plot, as the user that is in it.
# IMAGE is the folder that has the runtime image, image/target if it is not given. Needs podman and buildah (Debian has them), and mvn -pl image -am package.
# Where no registry is reached, the base is made by debootstrap, as root. Where no container can be started (cgroups, limits), it runs in a chroot.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
image=${1:-$root/image/target}
base=$(sed -n 's/^FROM //p' "$root/image/Containerfile")
command -v podman >/dev/null && command -v buildah >/dev/null || { echo "container: apt-get install podman buildah" >&2; exit 1; }
[[ -x $image/basalt/bin/basalt ]] || { echo "container: there is no $image/basalt: mvn -pl image -am package -DskipTests" >&2; exit 1; }
work=$(mktemp -d)
container=
finish() {
  [[ -z $container ]] || buildah rm "$container" >/dev/null
  rm -rf "$work"
}
trap finish EXIT
if ! podman image exists "docker.io/library/$base" && ! podman pull -q "docker.io/library/$base" 2>/dev/null; then
  echo "container: no registry has $base here; debootstrap makes it"
  debootstrap --variant=minbase stable "$work/base" http://deb.debian.org/debian >"$work/debootstrap.log" 2>&1 || { tail -5 "$work/debootstrap.log" >&2; exit 1; }
  tar -C "$work/base" -c . | podman import -q - "docker.io/library/$base" >/dev/null
fi
# Only the folder that the file copies.
mkdir "$work/context"
cp -a "$image/basalt" "$work/context/basalt"
build() {
  podman build -q --pull=never "$@" -t basalt-check -f "$root/image/Containerfile" "$work/context" >"$work/build.log" 2>&1
}
build || build --isolation=chroot --network=host || { tail -20 "$work/build.log" >&2; exit 1; }
echo "container: built from $base"
mkdir -m 777 "$work/files"
cp "$root/cli/src/test/resources/matrices/general4.mtx" "$work/files/matrix.mtx"
start=(podman run --rm -v "$work/files:/work" basalt-check)
if ! "${start[@]}" --version >/dev/null 2>&1; then
  echo "container: podman cannot start one here; it runs in a chroot"
  container=$(buildah from --pull-never localhost/basalt-check)
  start=(buildah run --isolation chroot --user basalt -v "$work/files:/work" "$container" -- /opt/basalt/bin/basalt)
fi
"${start[@]}" --version
"${start[@]}" solve matrix.mtx | sed -n '/^device/p;/^backward/p'
"${start[@]}" bench -f gemm -r d -n 64 --plot plot.png >/dev/null
[[ -s $work/files/plot.png ]] || { echo "container: there is no plot" >&2; exit 1; }
echo "container: solves and draws"
