#!/usr/bin/env bash
# hip-check.sh [FILE...]: whether HIP's compiler takes the kernels' sources, all of them or those named, as they stand. It needs hipcc and no GPU.
#   HIPCC  the compiler (hipcc)
#   ARCH   the GPU (gfx90a)
#   TYPES  letters of element types (D)
#   CODE   yes: machine code too, which takes seconds to minutes a source; else the sources are read and their templates made
set -euo pipefail
TYPES=${TYPES:-D}
hipcc=${HIPCC:-hipcc}
if ! command -v "$hipcc" >/dev/null; then
  echo "hip-check: there is no $hipcc here (Debian and Ubuntu: package hipcc)" >&2
  exit 2
fi
# With nvcc on the PATH hipcc would take that.
export HIP_PLATFORM=amd
cd "$(dirname "${BASH_SOURCE[0]}")/../gpu/src/main/resources/dev/basalt/gpu"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
how=(-fsyntax-only)
[[ ${CODE:-} == yes ]] && how=(-O1 -c -o "$work/code")
files=("$@")
((${#files[@]})) || files=(*.cu)
good=0 bad=0
for file in "${files[@]}"; do
  for ((i = 0; i < ${#TYPES}; i++)); do
    if "$hipcc" -x hip --cuda-device-only --offload-arch="${ARCH:-gfx90a}" -std=c++17 -D__HIP_PLATFORM_AMD__ -DBASALT_TYPE_"${TYPES:i:1}" "${how[@]}" "$file" >"$work/said" 2>&1; then
      good=$((good + 1))
    else
      bad=$((bad + 1))
      echo "hip-check: $file, type ${TYPES:i:1}:" >&2
      grep -m 3 'error' "$work/said" >&2 || tail -3 "$work/said" >&2
    fi
  done
done
version=$("$hipcc" --version 2>/dev/null || true)
[[ $version =~ ^[^$'\n']+ ]] && version=${BASH_REMATCH[0]}
echo "hip-check: $good of $((good + bad)) programs compile for ${ARCH:-gfx90a} (${version:-$hipcc})"
((bad == 0))
