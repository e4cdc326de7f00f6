#!/usr/bin/env bash
# reproducible.sh [MODULE...]: builds twice what would be published, from nothing and in two folders, and compares every file to the byte.
# Then it looks whether each module has all that a release carries (ReleaseFiles.java): licences, version, sources, Javadoc, bill of materials.
# Without arguments: the modules that are published. Needs git; what is compared is the last commit.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/jdk.sh"
jdk=$(find_jdk)
modules=${*:-core host sim gpu cuda all netlib micrometer}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for time in first second; do
  # Folders of different names and lengths, since a path must not leave a trace.
  folder=$work/$time-build
  mkdir "$folder"
  git -C "$root" archive HEAD | tar x -C "$folder"
  echo "reproducible: the $time build"
  (cd "$folder" && mvn -B -ntp -q -Prelease -DskipTests -Dspotless.check.skip -Dbasalt.kernels.sourcesOnly=true -Dbasalt.image.skip=true \
    -pl "${modules// /,}" -am package)
  (cd "$folder" && find . -path '*/target/*' \( -name '*.jar' -o -name '*-cyclonedx.*' \) -not -path '*/classes/*' | sort | xargs sha256sum) >"$work/$time"
done
if ! diff "$work/first" "$work/second"; then
  echo "reproducible: the builds differ in the files above" >&2
  exit 1
fi
echo "reproducible: $(wc -l <"$work/first") files are the same in both builds"
# shellcheck disable=SC2086 # one argument a module
"$jdk/bin/java" "$root/scripts/ReleaseFiles.java" "$work/second-build" $modules
