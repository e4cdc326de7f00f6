#!/bin/sh
# compile.sh FOLDER STAMPS [check]: makes machine code for sm_90 and PTX beside the sources in FOLDER, one program a source and element
# type, where nvcc is installed; code for two AMD architectures where hipcc is, as a check. STAMPS keeps what each program was
# made from, a checksum of compiler, options, source and headers: a program is compiled again when that changes, and only then.
# Programs are kept in BASALT_PROGRAMS, by default in the user's cache folder, too: a second checkout of the same sources takes them
# from there. BASALT_PROGRAMS=none keeps nothing.
# BASALT_JOBS compile at a time, by default as many as there are processors.
# With check nothing is made: nvcc shows that all sources compile, without what takes most of its time, to optimise them.
set -eu

# The target of a kind of code: products of 16-bit numbers run from compute capability 8.0 on, those by tensor cores from 9.0 on, and on
# Hopper the former by instructions that no other chip has. PTX of an old architecture runs on every later one.
target_of() {
    case $2/$1 in
        ptx/half.cu | ptx/warpgroup.cu) echo compute_80 ;;
        ptx/tensor*) echo compute_90 ;;
        ptx/*) echo compute_75 ;;
        */half.cu | */warpgroup.cu) echo sm_90a ;;
        *) echo sm_90 ;;
    esac
}

# What a program is called: source, type in lower case, and whether it is one for dimensions that the device alone knows.
stem_of() {
    echo "${1%.cu}_$(echo "$2" | tr SDCZ. sdcz_)"
}

# One program: --one SOURCE TYPE KIND SUM, run by xargs. 255 makes xargs stop.
if [ "$1" = --one ]; then
    source=$2 type=$3 kind=$4 sum=$5
    stem=$(stem_of "$source" "$type")
    defined=
    for letter in S D C Z; do
        case ${type%.capped} in *$letter*) defined="$defined -DBASALT_TYPE_$letter" ;; esac
    done
    case $type in *.capped) defined="$defined -DBASALT_CAPPED" ;; esac
    part=$STAMPS/part.$$
    kept=$BASALT_PROGRAMS/$sum.$stem.$kind
    case $kind in gfx* | *.check) kept=none/ ;; esac
    if [ -s "$kept" ] && cp "$kept" "$part"; then
        touch -c "$kept" 2> /dev/null || :
        mv "$part" "$stem.$kind"
        echo "$sum" > "$STAMPS/$stem.$kind"
        echo "$stem.$kind" >> "$STAMPS/taken"
        exit 0
    fi
    case $kind in
        ptx | ptx.check) nvcc -ptx "-arch=$(target_of "$source" ptx)" $NVCC_OPTIONS $defined -o "$part" "$source" || exit 255 ;;
        compute_90.check) nvcc -ptx -arch=compute_90 $NVCC_OPTIONS $defined -o "$part" "$source" || exit 255 ;;
        sm_90.cubin | sm_90.check) nvcc -cubin "-arch=$(target_of "$source" cubin)" $NVCC_OPTIONS $defined -o "$part" "$source" || exit 255 ;;
        *) HIP_PLATFORM=amd hipcc --genco "--offload-arch=$kind" $HIPCC_OPTIONS -o "$part" "$source" || exit 255 ;;
    esac
    # Whole or not at all, should somebody pull the plug.
    case $kind in
        gfx* | *.check) rm -f "$part" ;;
        *)
            # A cache that cannot be written is no error.
            if [ -d "$BASALT_PROGRAMS" ] && cp "$part" "$BASALT_PROGRAMS/part.$$" 2> /dev/null; then
                mv "$BASALT_PROGRAMS/part.$$" "$kept" || :
            fi
            mv "$part" "$stem.$kind"
            ;;
    esac
    echo "$sum" > "$STAMPS/$stem.$kind"
    echo >> "$STAMPS/done"
    echo "kernels: $(($(wc -l < "$STAMPS/done"))) of $TOTAL programs compiled ($(($(date +%s) - BEGUN)) s): $stem.$kind"
    exit 0
fi

script=$(cd "$(dirname "$0")" && pwd)/$(basename "$0")
checks=${3:-}
mkdir -p "$2"
STAMPS=$(cd "$2" && pwd)
cd "$1"
rm -f "$STAMPS"/part.* "$STAMPS/done" "$STAMPS/jobs" "$STAMPS/taken"
NVCC_OPTIONS="-std=c++17 -Werror all-warnings"
HIPCC_OPTIONS="-std=c++17 -O1 -x hip"
BEGUN=$(date +%s)
jobs=${BASALT_JOBS:-$(nproc 2> /dev/null || getconf _NPROCESSORS_ONLN 2> /dev/null || echo 2)}

# Names in a cache that many checkouts share need a sum that does not meet itself by chance.
if command -v sha256sum > /dev/null; then
    sum_of() { sha256sum | cut -c 1-40; }
    : "${BASALT_PROGRAMS:=${XDG_CACHE_HOME:-${HOME:-/nonexistent}/.cache}/basalt/programs}"
else
    sum_of() { cksum | tr ' ' -; }
    BASALT_PROGRAMS=none
fi
if [ "$BASALT_PROGRAMS" != none ] && mkdir -p "$BASALT_PROGRAMS" 2> /dev/null; then
    # What nobody has asked for in a month goes.
    find "$BASALT_PROGRAMS" -type f -mtime +30 -exec rm -f {} + 2> /dev/null || :
else
    BASALT_PROGRAMS=none
fi
export STAMPS NVCC_OPTIONS HIPCC_OPTIONS BEGUN BASALT_PROGRAMS

# A source and all that it includes, in any depth.
parts_of() {
    all=$1
    while :; do
        more=$(sed -n 's/^[[:space:]]*#[[:space:]]*include "\(.*\)".*/\1/p' $all | sort -u)
        next=$1
        for header in $more; do
            [ "$header" != "$1" ] && [ -e "$header" ] && next="$next $header"
        done
        [ "$next" = "$all" ] && break
        all=$next
    done
    echo "$all"
}

# Whether a source has parts for some architectures; those of basalt.h are the same in all sources.
of_architectures() {
    for part in $(parts_of "$1"); do
        [ "$part" != basalt.h ] && grep -qE '_CUDA_ARCH >= [89]|asm' "$part" && return
    done
    return 1
}

# The jobs whose program is missing or made from something else: want COMPILER SOURCE KINDS TYPES...
want() {
    sum=$({ echo "$1 $options"; cat $(parts_of "$2"); } | sum_of)
    source=$2 kinds=$3
    shift 3
    for type in "$@"; do
        stem=$(stem_of "$source" "$type")
        for kind in $kinds; do
            made=1
            case $kind in gfx* | *.check) ;; *) [ -e "$stem.$kind" ] || made=0 ;; esac
            [ "$made $(cat "$STAMPS/$stem.$kind" 2> /dev/null)" = "1 $sum" ] || echo "$source $type $kind $sum" >> "$STAMPS/jobs"
        done
    done
}

# compile COMPILER: what is wanted, on all processors.
compile() {
    if [ ! -e "$STAMPS/jobs" ]; then
        echo "kernels: all programs of $1 are up to date"
        return
    fi
    TOTAL=$(($(wc -l < "$STAMPS/jobs")))
    export TOTAL
    echo "kernels: $1 compiles $TOTAL programs, $jobs at a time, for some minutes (-Dbasalt.kernels.sourcesOnly=true leaves that out)"
    xargs -n 4 -P "$jobs" sh "$script" --one < "$STAMPS/jobs"
    if [ -e "$STAMPS/taken" ]; then
        echo "kernels: $(($(wc -l < "$STAMPS/taken"))) programs were taken from $BASALT_PROGRAMS"
    fi
    rm -f "$STAMPS/jobs" "$STAMPS/done" "$STAMPS/taken"
}

if command -v nvcc > /dev/null; then
    version=$(nvcc --version | tail -n 1)
    if [ "$checks" = check ] && nvcc --help | grep -q Ofast-compile; then
        NVCC_OPTIONS="$NVCC_OPTIONS --Ofast-compile=max"
    fi
    options=$NVCC_OPTIONS
    for source in *.cu; do
        if [ "$checks" = check ]; then
            # A real and a complex type are front ends enough: the tests compile every source for all four with the C++ compiler.
            if of_architectures "$source"; then
                want "$version" "$source" sm_90.check SZ
                # What is written for older architectures differs with the type in few places.
                want "$version" "$source" ptx.check C
            else
                # What is the same for all architectures is looked at once.
                want "$version" "$source" ptx.check SZ
            fi
            if grep -q BASALT_CAPPED_TOO "$source"; then
                want "$version" "$source" compute_90.check D.capped
            fi
            continue
        fi
        want "$version" "$source" "ptx sm_90.cubin" S D C Z
        if grep -q BASALT_CAPPED_TOO "$source"; then
            want "$version" "$source" "ptx sm_90.cubin" S.capped D.capped C.capped Z.capped
        fi
    done
    compile nvcc
else
    echo "kernels: no nvcc, so the jar holds sources alone, compiled on the user's machine at first use"
fi

# Two architectures: wavefronts of 64 lanes and of 32. HIP 5.2 (Debian 12) takes every source for both.
if command -v hipcc > /dev/null; then
    version=$(hipcc --version | tail -n 1)
    options=$HIPCC_OPTIONS
    for source in *.cu; do
        want "$version" "$source" "gfx90a gfx1030" any
    done
    compile hipcc
else
    echo "kernels: no hipcc, so nothing checks that the sources compile for AMD"
fi
