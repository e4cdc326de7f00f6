#!/usr/bin/env bash
# gpu-lapack.sh FOLDER [GROUPS]: times routines of LAPACK beside the best call that cuSOLVER, cuBLAS and cuSPARSE have for them on a GPU,
# verifies both against each other, and writes all lines to FOLDER/lapack.csv and what went wrong to FOLDER/lapack.txt.
# It needs no JDK but the image that the module image makes: it lies in the image as bin/gpu-lapack, else BASALT names image/.../bin/basalt.
#
# GROUPS is a regular expression of whole names, such as 'qr-.*|batch-.*'; without it all groups run, in about a quarter of an hour.
# From the environment: BASALT (the command), DEVICE (cuda:0), PEER (cublas), CUDA (the folder of its libraries; default: searched),
# ITERS (timed samples, 5), LIMIT (seconds a group may take, 240).
set -uo pipefail

table=lapack
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/gpu-groups.sh"
begin "$@"
# Java is not warm before: LU of order 256 took 540 µs after 20 ms and 210 after 200.
few=(-i "${ITERS-5}" --warmup 200)

# What matters most comes first; a process takes seconds to start, so groups are few.
group qr geqrf -r d -n 1024,4096,8192 "${few[@]}"
group qr-tall geqrf -r d -m 100000 -n 50,128 "${few[@]}"
group qr-taller geqrf -r d -m 1000000 -n 32 "${few[@]}"
batches=geqrf,getri,matinv,getrf,getrfNpvt,getrs,potrf,potrs
group batch-small "$batches" -r d -n 8,16,32 -k 1 --batch 20000 "${few[@]}"
group batch-middle "$batches" -r d -n 64,128 -k 1 --batch 2000 "${few[@]}"
group batch-tall geqrf -r d -m 256 -n 32 --batch 2000 "${few[@]}"
for shape in 16:8:20000 64:16:5000 64:32:2000 256:32:1000; do
  IFS=: read -r m n count <<<"$shape"
  group "batch-least-squares-$m-$n" gels -r dsz -m "$m" -n "$n" -k 1 --batch "$count" "${few[@]}"
done
for shape in 64:20000 512:2000 2048:500; do
  group "tridiagonal-${shape%:*}" gtsv,gtsvInterleaved -r d -n "${shape%:*}" -k 1 --batch "${shape#*:}" "${few[@]}"
done
group indefinite sytrf -r d -n 1024,4096,8192 "${few[@]}"
group lu getrfNpvt,getrf -r d -n 1024,4096,8192 "${few[@]}"
group orthogonal orgqr,ormqr -r d -n 1024,4096,8192 "${few[@]}"
group inverse trtri,potri,getri -r d -n 1024,4096,8192 "${few[@]}"
group solve getrs,potrs -r d -n 1024,4096,8192 -k 64 "${few[@]}"
group low-precision gesvMixed -r d -n 8192 -k 1 "${few[@]}"
group large geqrf,getrfNpvt -r d -n 16384 "${few[@]}"
group low-precision-large gesvMixed -r d -n 16384 -k 1 "${few[@]}"

group eigen syevd -r d -n 64,128,256,512,1024,2048,4096 --vectors V,N "${few[@]}"
for n in 100 256 512 1024 2048; do
  group "singular-$n" gesdd -r d -m "$n" -n "$n" --vectors V,N "${few[@]}"
done
group reduced sytrd -r sd -n 256,1024,2048,4096 --uplo L "${few[@]}"
group reduced-complex hetrd -r cz -n 256,1024,2048 --uplo L "${few[@]}"
for n in 256 512 1024 2048 4096; do
  group "bidiagonal-$n" gebrd -r sdcz -m "$n" -n "$n" "${few[@]}"
done
for shape in 8:10000 16:10000 32:1000 64:500 128:200; do
  group "batch-spectral-${shape%:*}" syevd,syevj,gesvdj,gesdd -r d -n "${shape%:*}" --batch "${shape#*:}" "${few[@]}"
done
group eigen-large syevd -r d -n 8192 --vectors V,N -i 3 --warmup 1
group eigen-complex heevd -r cz -n 256,1024,2048 "${few[@]}"
group singular-large gesdd -r d -n 4096 -i 3 --warmup 1
group singular-tall gesdd -r d -m 100000 -n 50 "${few[@]}"
group general geev,gehrd -r d -n 512,1024,2048 "${few[@]}"
group orthogonal-spectral orgtr,ormtr,orgbr -r d -n 1024,4096 --uplo L "${few[@]}"

group types geqrf,getrfNpvt,getrf,potrf -r scz -n 1024,4096 "${few[@]}"
group types-inverse potri,trtri -r scz -n 1024,4096 "${few[@]}"
group types-indefinite sytrf -r scz -n 1024,4096 "${few[@]}"
group types-orthogonal orgqr,ormqr,ungqr,unmqr -r scz -n 1024,4096 "${few[@]}"
group types-solve getrs,potrs -r scz -n 1024,4096 -k 64 "${few[@]}"
group batch-small-types geqrf,getri,matinv,getrf,potrf,potrs -r scz -n 8,16,32 -k 1 --batch 20000 "${few[@]}"
group batch-middle-types geqrf,getri,matinv,getrf,potrf,potrs -r scz -n 64,128 -k 1 --batch 2000 "${few[@]}"
group lower potrf,sytrf,potri,trtri -r d -n 1024,4096 --uplo L "${few[@]}"
group least-squares gels -r d -m 100000 -n 50 -k 1 "${few[@]}"
group indefinite-others sytri,sytrs -r d -n 1024 -k 64 "${few[@]}"
finish
