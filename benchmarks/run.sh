#!/usr/bin/env bash
# Runs the benchmarks: benchmarks/run.sh [JMH arguments]. Build them first:
#   mvn -pl benchmarks -am -DskipTests package
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/jdk.sh"
jdk=$(find_jdk)
target=$root/benchmarks/target
if [[ ! -e $target/classpath.txt ]]; then
  echo "The benchmarks are not built: mvn -pl benchmarks -am -DskipTests package" >&2
  exit 1
fi
# A heap of one size, touched before the clock starts: the first touch of memory costs more than the arithmetic.
exec "$jdk/bin/java" -Xms4g -Xmx4g -XX:+AlwaysPreTouch --add-modules jdk.incubator.vector \
  --enable-native-access=ALL-UNNAMED -cp "$target/classes:$(cat "$target/classpath.txt")" org.openjdk.jmh.Main "$@"
