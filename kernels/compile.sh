#!/bin/sh
# compile.sh FOLDER: makes machine code for sm_90 and PTX beside the sources in FOLDER, one program a source and element
# type, where nvcc is installed; code for two AMD architectures where hipcc is, as a check. Skips what is up to date.
set -eu
cd "$1"

if command -v nvcc > /dev/null; then
    for source in *.cu; do
        for type in S D C Z; do
            letter=$(echo $type | tr SDCZ sdcz)
            stem=${source%.cu}_$letter
            if [ -e "$stem.ptx" ] && [ -z "$(find "$source" ./*.h -newer "$stem.ptx")" ]; then
                continue
            fi
            options="-std=c++17 -DBASALT_TYPE_$type -Werror all-warnings"
            # PTX of an old architecture runs on every later one, without what only Hopper has.
            echo "nvcc -cubin -arch=sm_90 $options -o $stem.sm_90.cubin $source && nvcc -ptx -arch=compute_75 $options -o $stem.ptx $source"
        done
    done | xargs -r -P "$(nproc)" -I{} sh -c '{}'
else
    echo "kernels: no nvcc, so the jar holds sources alone, compiled on the user's machine at first use"
fi

# Two architectures: wavefronts of 64 lanes and of 32. HIP 5.2 (Debian 12) takes every source for both.
if command -v hipcc > /dev/null; then
    for source in *.cu; do
        for arch in gfx90a gfx1030; do
            echo "HIP_PLATFORM=amd hipcc --genco --offload-arch=$arch -std=c++17 -O1 -x hip -o /dev/null $source"
        done
    done | xargs -r -P "$(nproc)" -I{} sh -c '{}'
else
    echo "kernels: no hipcc, so nothing checks that the sources compile for AMD"
fi
