#!/usr/bin/env bash
# Runs the benchmarks. Build them first: mvn -pl benchmarks -am -DskipTests package (with -Pmkl for MKL, too)
#   benchmarks/run.sh tables [--quick yes]        every table and picture; --quick yes needs half an hour, without it hours
#   benchmarks/run.sh paired [--option value]...  Basalt and another library in turns in one JVM: the table of what is promised
#     --only dtrsm,dgemm*  some rows   --quick yes  shorter   --types s  another type   --peer mkl|vectorblas|ejml|ojalgo
#   benchmarks/run.sh first [forks]               the first dgemm in a fresh JVM
#   benchmarks/run.sh arrays [cases]              arrays of Java beside VectorBLAS and own memory: 'ddot .*', 'dgem.* (8|50) .*'
#   benchmarks/run.sh read [numbers [file]...]    files of text and binary ones: MB/s of processor time, into results/read-speed.csv
#   benchmarks/run.sh storm [seconds]             how long a collector waits for calls on arrays
#   benchmarks/run.sh sweep SEED                  random cases beside OpenBLAS: the table in README.md
#   benchmarks/run.sh families SEED [COUNT]       packed, banded and rank updates by family and type, into results/families-cpu.csv
#   benchmarks/run.sh packed                      the same by size, and syr2k beside syrk: beside the better of OpenBLAS and MKL, into results/packed-cpu.csv
#   benchmarks/run.sh maps [type:n]...            geam and dgmm beside copies of as many bytes, into results/maps-cpu.csv
#   benchmarks/run.sh linear                      inverses and products with Q beside OpenBLAS, into results/cpu-lapack-linear.csv
#   benchmarks/run.sh sweep-gpu SEED CSV TEXT     the table of what basalt bench --sweep measured on a GPU
#   benchmarks/run.sh plots                       the pictures
#   benchmarks/run.sh readme                      puts the tables of results/ between their marks in the pages; tables and sweep do so too
#   benchmarks/run.sh mixed [gemm|vectors|gemv]...  mixed types beside single precision, Basalt's and OpenBLAS's
#   benchmarks/run.sh qr [workloads]              QR, its products and least squares beside OpenBLAS and MKL, into results/qr.csv
#   benchmarks/run.sh solve [workloads]           tridiagonal and packed systems, dsgesv: into results/solve.csv
#   benchmarks/run.sh values [workloads]          eigenvalues alone in two stages, in one, and OpenBLAS's: d:2048 z:1024
#   benchmarks/run.sh gpu table.csv               the table of what basalt bench measured by gpu/table.yaml
#   benchmarks/run.sh jmh [JMH arguments]         JMH, such as: jmh -prof gc Lease
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/jdk.sh"
jdk=$(find_jdk)
target=$root/benchmarks/target
results=$root/benchmarks/results
if [[ ! -e $target/classpath.txt ]]; then
  echo "The benchmarks are not built: mvn -pl benchmarks -am -DskipTests package" >&2
  exit 1
fi

# The JVMs that measure are started by this one, which sets their heap and their options (class Jvm).
run() {
  "$jdk/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED \
    -cp "$target/classes:$(cat "$target/classpath.txt")" "$@"
}
paired() {
  run dev.basalt.benchmarks.Paired --folder "$results" "$@"
}
plot() {
  run dev.basalt.cli.Main bench -i 15 --threads 1 --peer openblas --peer-core SkylakeX \
    --plot "$results/$1.png" "${@:2}" >"$results/$1.csv"
}
plots() {
  plot dgemm -f gemm -r d -n '8:64:8,96:256:32,384,512,768,1024,1536,2048'
  plot dtrsm -f trsm -r d --uplo L -n '16:256:16,384,512,768,1024'
  plot dgetrf -f getrf -r d -n '16:256:16,384,512,768,1024'
  plot dpotrf -f potrf -r d --uplo L -n '16:256:16,384,512,768,1024'
  plot ddot -f dot -r d -n '10:10000000:*2'
  plot dgemv -f gemv -r d -n '16:128:16,192,256,384,512,768,1024,1536,2048,4096'
}
# A mark is a comment with the table's file; the table ends at the comment "end".
readme() {
  for page in "$root"/benchmarks/*.md; do
    awk -v folder="$root/benchmarks/" '
      /^<!-- results\// { print; print ""; file = folder $2; while ((getline line < file) > 0) print line; print ""; skip = 1 }
      /^<!-- end -->/ { skip = 0 }
      !skip && !/^<!-- results\// { print }
    ' "$page" >"$target/page.md"
    cp "$target/page.md" "$page"
  done
}
# A report's table for the page.
sweep_page() {
  local name=$1 seed=$2
  awk -v seed="$seed" -v day="$(date -I)" '
    NR == 1 { where = $0 }
    /^class/ { print "| class | type | cases | geometric mean | <0.95 | <0.7 |"; print "|---|---|--:|--:|--:|--:|"; rows = 1; next }
    /cases have no peer|^the worst/ { rows = 0 }
    rows && NF >= 6 { n = NF; name = $1; for (i = 2; i <= n - 5; i++) name = name " " $i
      printf "| %s | %s | %s | %s | %s | %s |\n", name, $(n - 4), $(n - 3), $(n - 2), $(n - 1), $n }
    END { print ""; print "Seed " seed ", " day ", " where "." }
  ' "$results/$name.txt" >"$results/$name.md"
  readme
}
# A random sweep of a seed: figures and report, by the kind of processor.
sweep() {
  local name=sweep-cpu
  ! grep -qw avx512f /proc/cpuinfo || name=sweep-cpu-avx512
  run -Xbatch -Xss16m dev.basalt.cli.Main bench --sweep "$1" --count 500 --peer openblas --threads 1 --processor_time \
    -o "$results/$name.csv" "${@:2}" | tee "$results/$name.txt"
  sweep_page $name "$1"
}
# Of the linear half of LAPACK what is promised by size.
linear() {
  local out=$results/cpu-lapack-linear.csv
  rm -f "$out"
  run -Xss16m dev.basalt.cli.Main bench table getri,potri,ormqr,orgqr -r d -n 32,128,512,1024,2048 \
    --peer openblas --threads 1 --warmup 1500 -o "$out"
}
# Packed and banded matrices and rank updates: a random sweep, and the mean of each family and type from order 50 on.
families() {
  run -Xbatch -Xss16m dev.basalt.cli.Main bench --sweep "$1" --count "${2:-650}" --peer openblas --threads 1 --processor_time \
    -f gbmv,sbmv,hbmv,spmv,hpmv,tbmv,tpmv,tbsv,tpsv,syr,syr2,spr,spr2,her,her2,hpr,hpr2 \
    -o "$results/families-cpu.csv" >"$target/families.txt"
  awk -F, -v seed="$1" -v where="$(head -1 "$target/families.txt")" -v day="$(date -I)" '
    $6 == "yes" && match($7, / -n [0-9]+/) && substr($7, RSTART + 4, RLENGTH - 4) + 0 >= 50 {
      split($7, option, " "); name = option[2]; k = name SUBSEP $2; sum[k] += log($5); cases[k]++
      if (!(k in least) || $5 < least[k]) least[k] = $5
      if (!(name in seen)) { seen[name] = 1; order[++families] = name }
    }
    END {
      print "| | s | d | c | z |"; print "|---|--:|--:|--:|--:|"
      for (f = 1; f <= families; f++) {
        line = "| " order[f]
        for (t = 1; t <= 4; t++) {
          k = order[f] SUBSEP substr("sdcz", t, 1)
          line = line " | " (k in cases ? sprintf("%.2f (%d, least %.2f)", exp(sum[k] / cases[k]), cases[k], least[k]) : "")
        }
        print line " |" | "sort"
      }
      close("sort"); print ""; print "Seed " seed ", " day ", " where "."
    }' "$results/families-cpu.csv" >"$results/families-cpu.md"
  readme
}
# The same by size. A case counts by the better peer; each has a process of its own.
packed() {
  local out=$results/packed-cpu.csv peer at
  local stored=spmv,hpmv,tpmv,tpsv,spr,hpr,spr2,hpr2,syr,her,syr2,her2 bands=gbmv,sbmv,hbmv,tbmv,tbsv
  rm -f "$out"
  for peer in openblas ${mkl:+mkl}; do
    at=(--uplo "U,L" --peer "$peer" --threads 1 --processor_time -o "$out")
    [[ $peer != mkl ]] || at+=(--peer-library "$mkl")
    table "$stored" -r sd -n 50,100,300,1000,4000 --trans "N,T" "${at[@]}"
    table "$stored" -r cz -n 50,100,300,1000,4000 --trans "N,T,C" "${at[@]}"
    table "$bands" -r sd -n 50,100,300,1000,4000 -k 3,20,100 --trans "N,T" "${at[@]}"
    table "$bands" -r cz -n 50,100,300,1000,4000 -k 3,20,100 --trans "N,T,C" "${at[@]}"
    table syrk,syr2k -r sdcz -n 50,100,300,1000 --trans "N,T" "${at[@]}"
    table herk,her2k -r cz -n 50,100,300,1000 --trans "N,C" "${at[@]}"
  done
  packed_page
}
table() {
  run -Xbatch -Xss16m dev.basalt.cli.Main bench table "$@" >/dev/null
}
# Of each family, type and size the geometric mean over the options, and the least case.
packed_page() {
  awk -F, -v day="$(date -I)" '
    $11 == "yes" {
      k = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4
      if (!(k in ratio) || $8 < ratio[k]) ratio[k] = $8
      peers[$10] = 1
    }
    END {
      for (k in ratio) {
        split(k, part, SUBSEP); match(part[3], /(^| )n=[0-9]+/); n = substr(part[3], RSTART, RLENGTH); sub(/.*=/, "", n)
        row = part[1] " " part[2]; rows[row] = 1
        sum[row, n] += log(ratio[k]); cases[row, n]++; all[row] += log(ratio[k]); count[row]++
        if (!((row, n) in least) || ratio[k] < least[row, n]) least[row, n] = ratio[k]
      }
      print "| | n = 50 | 100 | 300 | 1000 | 4000 | mean |"; print "|---|--:|--:|--:|--:|--:|--:|"
      sizes = split("50 100 300 1000 4000", size, " ")
      for (row in rows) {
        line = "| " row
        for (i = 1; i <= sizes; i++) {
          at = row SUBSEP size[i]
          line = line " | " (at in cases ? sprintf("%.2f (%.2f)", exp(sum[at] / cases[at]), least[at]) : "")
        }
        print line sprintf(" | %.2f |", exp(all[row] / count[row])) | "sort"
      }
      close("sort"); print ""; text = ""
      for (p in peers) text = text (text == "" ? "" : ", ") p
      print day ", one thread, beside the better of: " text "."
    }' "$results/packed-cpu.csv" >"$results/packed-cpu.md"
  readme
}
# The same of a GPU, measured elsewhere.
sweep_gpu() {
  cp "$2" "$results/sweep-gpu.csv"
  cp "$3" "$results/sweep-gpu.txt"
  sweep_page sweep-gpu "$1"
}
mkl=$(find "$target/mkl" -name '*.jar' 2>/dev/null | head -1 || true)

case ${1:-} in
  paired)
    if [[ -n $mkl && " $* " == *" --peer mkl "* && " $* " != *" --peer-library "* ]]; then
      paired "${@:2}" --peer-library "$mkl"
    else
      paired "${@:2}"
    fi
    ;;
  sweep) sweep "${2:?a seed}" "${@:3}" ;;
  families) families "${2:?a seed}" "${@:3}" ;;
  packed) packed ;;
  sweep-gpu) sweep_gpu "${2:?a seed}" "${3:?the figures, CSV}" "${4:?the report, text}" ;;
  first) run dev.basalt.benchmarks.FirstCall "${@:2}" ;;
  arrays) run dev.basalt.benchmarks.ArrayPairs "$results/arrays.csv" "${@:2}" ;;
  read) run dev.basalt.cli.ReadSpeed "$results/read-speed.csv" "${@:2}" ;;
  storm) run -Xmx1g dev.basalt.benchmarks.StormPauses "${@:2}" ;;
  maps) run -Xbatch -Xss16m dev.basalt.benchmarks.CopyPairs "$results/maps-cpu.csv" "${@:2}" ;;
  mixed) run -Xbatch -Xss16m dev.basalt.benchmarks.MixedPairs "${@:2}" ;;
  qr)
    read -ra work <<<"${*:2}"
    [[ ${#work[@]} -gt 0 ]] || work=(
      dgeqrf:{8,16,32,64,128,256,512,1024,2048} dgeqrf:1000x20 dgeqrf:100000x50 dgels:{300x30,100000x50}
      d{orm,org}qr:{32,128,512,1024,2048} dgelqf:{128,512} dgeqrf:{8x8x1000,16x16x500,32x32x200} dgels:{8x8x1000,16x16x500,32x32x200}
      {s,c,z}geqrf:{8,32,128,512} {s,c,z}gels:100x20 sormqr:{32,128,512} sorgqr:{32,128,512} {c,z}{unm,ung}qr:{32,128,512})
    echo "workload,m,n,problems,peer,microseconds,peer's microseconds,ratio" >"$results/qr.csv"
    run -Xbatch -Xss16m dev.basalt.benchmarks.QrPairs openblas - "$results/qr.csv" "${work[@]}"
    if [[ -n $mkl ]]; then
      run -Xbatch -Xss16m dev.basalt.benchmarks.QrPairs mkl "$mkl" "$results/qr.csv" "${work[@]}"
    fi
    ;;
  solve)
    read -ra work <<<"${*:2}"
    [[ ${#work[@]} -gt 0 ]] || work=(gtsv:{64x500,500x200,2048x64} ppsv:{10,20,50,200} ppsv:{10x500,50x200} dsgesv:{1024,2048})
    echo "workload,m,n,problems,peer,microseconds,peer's microseconds,ratio" >"$results/solve.csv"
    run -Xbatch -Xss16m dev.basalt.benchmarks.SolvePairs openblas - "$results/solve.csv" "${work[@]}"
    if [[ -n $mkl ]]; then
      run -Xbatch -Xss16m dev.basalt.benchmarks.SolvePairs mkl "$mkl" "$results/solve.csv" "${work[@]}"
    fi
    ;;
  values)
    read -ra work <<<"${*:2}"
    [[ ${#work[@]} -gt 0 ]] || work=(d:{1536,2048} s:2048 c:1536 z:{1024,1536})
    run -Xbatch -Xss16m dev.basalt.benchmarks.EigenvaluePairs "${work[@]}"
    ;;
  gpu) run dev.basalt.benchmarks.GpuTable "${@:2}" ;;
  jmh) run org.openjdk.jmh.Main "${@:2}" ;;
  tables)
    run dev.basalt.benchmarks.FirstCall | tee "$results/first.md"
    for type in d s c z; do
      paired --types "$type" "${@:2}" | tee "$results/table-$type-openblas.md"
    done
    if [[ -n $mkl ]]; then
      paired --types d --peer mkl --peer-library "$mkl" "${@:2}" | tee "$results/table-d-mkl.md"
    fi
    for peer in vectorblas ejml ojalgo; do
      paired --types d --peer "$peer" --only dgemm,dtrsm,dsyrk,dsymm,dtrmm,dpotrf,dgetrf --largest 1024 "${@:2}" |
        tee "$results/table-d-$peer.md"
    done
    plots
    readme
    ;;
  linear) linear ;;
  plots) plots ;;
  readme) readme ;;
  *)
    sed -n '2,23s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
