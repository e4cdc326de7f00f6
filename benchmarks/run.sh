#!/usr/bin/env bash
# Runs the benchmarks. Build them first: mvn -pl benchmarks -am -DskipTests package
#   benchmarks/run.sh paired [--option value]…   Basalt and a native BLAS in turns in one JVM: the table of README.md
#     --only dtrsm,dgemm*  some rows   --quick yes  the whole table in a quarter of an hour   --types s  another type
#   benchmarks/run.sh jmh [JMH arguments]        JMH, such as: jmh -prof gc Lease
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/jdk.sh"
jdk=$(find_jdk)
target=$root/benchmarks/target
if [[ ! -e $target/classpath.txt ]]; then
  echo "The benchmarks are not built: mvn -pl benchmarks -am -DskipTests package" >&2
  exit 1
fi
case ${1:-} in
  paired) main=dev.basalt.benchmarks.Paired default=(--folder "$root/benchmarks/results") ;;
  jmh) main=org.openjdk.jmh.Main default=() ;;
  *)
    sed -n '2,5s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac
# The JVMs that measure are started by this one, which sets their heap and their options (class Jvm).
exec "$jdk/bin/java" -cp "$target/classes:$(cat "$target/classpath.txt")" "$main" "${default[@]}" "${@:2}"
