#!/usr/bin/env bash
# gpu-table.sh FOLDER [GROUPS]: times the packed, banded and rank-update routines and their like beside cuBLAS on a GPU, verifies both
# against each other, and writes all lines to FOLDER/table.csv and what went wrong to FOLDER/table.txt.
# It needs no JDK but the image that the module image makes: it lies in the image as bin/gpu-table, else BASALT names image/.../bin/basalt.
#
# GROUPS is a regular expression of whole names, such as 'packed|band-.*'; without it all groups run.
# From the environment: BASALT (the command), DEVICE (cuda:0), PEER (cublas), CUDA (the folder of its libraries; default: searched),
# SIZES (1024,4096), BANDS (16,64,256), COMPLEX (2048), LENGTH (10000000), LIMIT (seconds a group may take, 240).
set -uo pipefail

if (($# < 1 || $# > 2)); then
  sed -n 's/^# \{0,1\}//; 2,9p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
mkdir -p "$1" || exit 2
folder=$(cd "$1" && pwd)
groups=${2-.*}
basalt=${BASALT-$here/basalt}
peer=${PEER-cublas}
sizes=${SIZES-1024,4096}
bands=${BANDS-16,64,256}
complex=${COMPLEX-2048}
bad=0

if [[ ! -x $basalt ]]; then
  echo "gpu-table: there is no command $basalt; set BASALT to the image's bin/basalt" >&2
  exit 2
fi
rm -f "$folder/table.csv"
: >"$folder/table.txt"

# group NAME FAMILIES OPTIONS…: a process of its own, so that one that ends badly takes no other with it.
group() {
  local name=$1 families=$2 code
  shift 2
  [[ $name =~ ^($groups)$ ]] || return 0
  timeout --kill-after=10 "${LIMIT-240}" "$basalt" bench table "$families" "$@" --device "${DEVICE-cuda:0}" --peer "$peer" \
    ${CUDA:+--peer-library "$CUDA"} --limits --out "$folder/table.csv" 2> >(tee -a "$folder/table.txt" >&2) </dev/null
  code=$?
  if ((code != 0)); then
    bad=$((bad + 1))
    echo "gpu-table: group $name ended with $code" | tee -a "$folder/table.txt" >&2
  fi
}

group packed spmv,tpmv,spr,spr2,tpsv -r d -n "$sizes"
group packed-trans tpmv,tpsv -r d -n "$sizes" --trans T
group packed-lower spmv,tpmv,spr,spr2,tpsv -r d -n "$sizes" --uplo L
group band-general gbmv -r d -n "$sizes" -k "$bands" --trans N,T
group band sbmv,tbmv,tbsv -r d -n "$sizes" -k "$bands"
group band-lower sbmv,tbmv,tbsv -r d -n "$sizes" -k "$bands" --uplo L
group updates syr,syr2 -r d -n "$sizes"
group updates-complex her,her2 -r z -n "$sizes"
group rank syr2k,syrkx -r d -n "$sizes"
group rank-64 syr2k,syrkx -r d -n "$sizes" -k 64
group rank-complex her2k,herkx -r z -n "$complex"
group elementwise geam,dgmm -r d -n "$sizes" --trans N,T
group rotations rotm,rot -r d -n "${LENGTH-10000000}"
echo "gpu-table: $bad groups with something wrong; lines in $folder/table.csv" | tee -a "$folder/table.txt" >&2
((bad == 0))
