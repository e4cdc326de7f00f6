#!/usr/bin/env bash
# gpu-table.sh FOLDER [GROUPS]: times the packed, banded and rank-update routines and their like beside cuBLAS on a GPU, verifies both
# against each other, and writes all lines to FOLDER/table.csv and what went wrong to FOLDER/table.txt.
# It needs no JDK but the image that the module image makes: it lies in the image as bin/gpu-table, else BASALT names image/.../bin/basalt.
#
# GROUPS is a regular expression of whole names, such as 'packed|band-.*'; without it all groups run.
# From the environment: BASALT (the command), DEVICE (cuda:0), PEER (cublas), CUDA (the folder of its libraries; default: searched),
# SIZES (1024,4096), BANDS (16,64,256), COMPLEX (2048), LENGTH (10000000), LIMIT (seconds a group may take, 240).
set -uo pipefail

table=table
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/gpu-groups.sh"
begin "$@"
sizes=${SIZES-1024,4096}
bands=${BANDS-16,64,256}
complex=${COMPLEX-2048}

group packed spmv,tpmv,spr,spr2,tpsv -r d -n "$sizes" --limits
group packed-trans tpmv,tpsv -r d -n "$sizes" --trans T --limits
group packed-lower spmv,tpmv,spr,spr2,tpsv -r d -n "$sizes" --uplo L --limits
group band-general gbmv -r d -n "$sizes" -k "$bands" --trans N,T --limits
group band sbmv,tbmv,tbsv -r d -n "$sizes" -k "$bands" --limits
group band-lower sbmv,tbmv,tbsv -r d -n "$sizes" -k "$bands" --uplo L --limits
group updates syr,syr2 -r d -n "$sizes" --limits
group updates-complex her,her2 -r z -n "$sizes" --limits
group rank syr2k,syrkx -r d -n "$sizes" --limits
group rank-64 syr2k,syrkx -r d -n "$sizes" -k 64 --limits
group rank-complex her2k,herkx -r z -n "$complex" --limits
group elementwise geam,dgmm -r d -n "$sizes" --trans N,T --limits
group rotations rotm,rot -r d -n "${LENGTH-10000000}" --limits
finish
