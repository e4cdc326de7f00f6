#!/usr/bin/env bash
# The GPU table in two steps, since the machine with the GPU may have no JDK and this one no GPU:
#   benchmarks/gpu/table.sh trace FOLDER    after mvn package: FOLDER/trace.txt, and the kernels' machine code beside it
#   benchmarks/gpu/table.sh run FOLDER      where CUDA and a GPU are: builds replay.cu and prints the table
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$here/../..
case ${1:-} in
  trace)
    source "$root/scripts/jdk.sh"
    jdk=$(find_jdk)
    mkdir -p "$2/cubins"
    classes=$root/core/target/classes:$root/kernels/target/classes
    cp "$root"/kernels/target/classes/dev/basalt/kernels/*.sm_90.cubin "$2/cubins"
    cp "$here/replay.cu" "$2"
    "$jdk/bin/java" --enable-native-access=ALL-UNNAMED -cp "$classes" "$here/Trace.java" "$2/trace.txt"
    ;;
  run)
    nvcc -O1 -std=c++17 -arch=sm_90 -o "$2/replay" "$2/replay.cu" -lcublas -lcusolver -lcuda
    nvidia-smi --query-gpu=name,driver_version --format=csv,noheader
    "$2/replay" "$2/cubins" "$2/trace.txt"
    ;;
  *)
    sed -n '2,4s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
