#!/usr/bin/env bash
# image.sh: makes target/basalt, a folder that runs anywhere on Linux x86-64 without Java, and target/basalt.tar.xz of it.
# In it: a Java runtime, the command line with the host and CUDA devices, the suites with OpenBLAS as their reference, the
# script that runs them under a GPU's sanitizer, and the one that times routines beside cuBLAS.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/../scripts/jdk.sh"
jdk=$(find_jdk)
cd "$here/target"

for tool in tar xz; do
  if ! command -v $tool >/dev/null; then
    echo "image: there is no $tool here, so no image is made"
    exit 0
  fi
done

# The runtime depends on the JDK and its modules alone. Not compressed by jlink: xz does that better over the whole.
# JUnit reads the suites' jar through jdk.zipfs; bench draws with java.desktop.
modules=java.base,java.desktop,java.logging,java.management,java.xml,jdk.incubator.vector,jdk.jfr,jdk.management,jdk.unsupported,jdk.zipfs
version="$("$jdk/bin/java" -version 2>&1 | tr '\n' ' ')$modules with an archive"
if [[ ! -e runtime/bin/java || $(cat runtime.version 2>/dev/null) != "$version" ]]; then
  rm -rf runtime
  "$jdk/bin/jlink" --strip-debug --no-header-files --no-man-pages --compress=zip-0 --generate-cds-archive --output runtime \
    --add-modules $modules 2> >(grep -v incubator >&2)
  echo "$version" >runtime.version
fi

# Of OpenBLAS only what the suites load; the jar has as much again for other users.
if [[ ! -e oracle.jar ]]; then
  rm -rf oracle
  mkdir oracle
  folder=org/bytedeco/openblas/linux-x86_64
  (cd oracle && "$jdk/bin/jar" xf ../jars/all/openblas-*-linux-x86_64.jar \
    $folder/lib{gcc_s.so.1,quadmath.so.0,gfortran.so.5,openblas.so.0})
  "$jdk/bin/jar" --create --no-compress --file oracle.jar -C oracle .
  rm -rf oracle
fi

if [[ -e basalt.tar.xz && -z $(find jars runtime.version oracle.jar "$here/basalt.sh" "$here/Reframe.java" "$here/licenses" "$here"/../scripts/gpu-*.sh -newer basalt.tar.xz -print -quit) ]]; then
  exit 0
fi
rm -rf basalt elsewhere
mkdir -p basalt/bin basalt/lib/test
cp -r runtime basalt/runtime
cp -r jars/app basalt/lib/app
for jar in jars/all/*.jar; do
  name=$(basename "$jar")
  [[ -e basalt/lib/app/$name || $name == openblas-* ]] || cp "$jar" basalt/lib/test/
done
cp oracle.jar basalt/lib/test/
# Whoever ships a library ships its licence: a jar that the list does not name ends the build.
for jar in basalt/lib/*/*.jar; do
  name=$(basename "$jar" | sed 's/-[0-9].*//')
  if [[ $name != basalt-* && $name != oracle.jar ]] && ! grep -q "[\`/]$name-\*\.jar" "$here/licenses/README.md"; then
    echo "image: image/licenses/README.md has no line for $name" >&2
    exit 1
  fi
done
# Whoever gets the image gets the licences of all that is in it; jlink puts those of Java into runtime/legal.
cp -r "$here/licenses" basalt/licenses
cp "$here/../LICENSE" basalt/licenses/Apache-2.0.txt
cp "$here/../LICENSE" "$here/../NOTICE" basalt/
cp "$here/basalt.sh" basalt/bin/basalt
cp "$here/../scripts/gpu-proof.sh" basalt/bin/gpu-proof
cp "$here/../scripts/gpu-table.sh" basalt/bin/gpu-table
cp "$here/../scripts/gpu-lapack.sh" basalt/bin/gpu-lapack
cp "$here/../scripts/gpu-groups.sh" basalt/bin/gpu-groups.sh
chmod +x basalt/bin/basalt basalt/bin/gpu-proof basalt/bin/gpu-table basalt/bin/gpu-lapack
# Classes as they are once they are loaded, for a faster start. The launcher's options must be those of this run; another JVM ignores the file.
"$jdk/bin/java" "$here/Reframe.java" basalt/lib/app/{picocli,xz}-*.jar
for name in brief vector; do
  BASALT_REHEARSAL=$name basalt/bin/basalt >archive.log 2>&1 || true
  if [[ ! -e basalt/lib/$name.aot ]]; then
    echo "image: no archive of loaded classes could be made; the end of $here/target/archive.log says why:" >&2
    tail -5 archive.log >&2
    exit 1
  fi
done
# Whoever unpacks it elsewhere must be able to start it: a class in an archive may remember the place that it was made at.
mv basalt elsewhere
if ! elsewhere/bin/basalt --version >archive.log 2>&1 \
  || ! BASALT_JAVA_OPTS=-Xms16m elsewhere/bin/basalt --version >>archive.log 2>&1; then
  echo "image: it does not start in another folder; the end of $here/target/archive.log says why:" >&2
  tail -5 archive.log >&2
  exit 1
fi
mv elsewhere basalt
basalt/bin/basalt help --man-folder basalt/share/man/man1
tar c --owner=0 --group=0 --sort=name basalt | xz -T0 -1 >basalt.tar.xz
echo "image: $here/target/basalt, packed $(($(wc -c <basalt.tar.xz) >> 20)) MiB"
