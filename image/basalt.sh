#!/bin/sh
# The Basalt command line with its own Java runtime; "basalt verify" runs the suites on a device.
# The tools of the system are needed even where the PATH leaves them out.
PATH=${PATH:+$PATH:}/usr/local/bin:/usr/bin:/bin
# A closed descriptor would be given to the next file that is opened, and what is printed would go there.
true 2>/dev/null 3<&0 || exec </dev/null
true 3>&2 || exec 2>/dev/null
if ! true 2>/dev/null 3>&1; then
    echo "basalt: standard output is closed, so all that is printed would be lost" >&2
    exit 4
fi
# Java takes names of files in the locale's letters, and the locale C has none beyond ASCII.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-C}}} in
    C | POSIX) export LC_ALL=C.UTF-8 ;;
esac
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# Java announces the Vector API's incubator module in a line that no option turns off; errors are one line, so it is dropped
# where there is a bash to do it. The filter ends with Java, not by the signals that end Java, and Java waits for it.
start() {
    if command -v bash >/dev/null 2>&1; then
        # shellcheck disable=SC2016
        exec bash -c 'exec 2> >(
  trap "" HUP INT TERM
  while IFS= read -r first || [[ -n $first ]]; do
    case $first in
      "Picked up "*) ;;
      "WARNING: Using incubator modules"*) exec cat >&2 ;;
      *) printf "%s\n" "$first" >&2; exec cat >&2 ;;
    esac
  done
)
export BASALT_STDERR_FILTER=${!:-}
exec "$@"' basalt "$@"
    fi
    exec "$@"
}
# The options are split at spaces, but no pattern is a file's name.
set -f
if [ "${1-}" = verify ]; then
    shift
    exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Xss4m \
        ${BASALT_JAVA_OPTS-} -cp "$root/lib/app/*:$root/lib/test/*" dev.basalt.conformance.Verify "$@"
fi
# The archive of loaded classes holds for this class path in this order, wherever the image lies. Where it does not fit, Java starts without it and
# says nothing.
classpath=$(
    set +f
    LC_ALL=C
    for jar in "$root"/lib/app/*.jar; do printf '%s:' "$jar"; done
)
set -- dev.basalt.cli.Main "$@"
archive=-XX:AOTCache=$root/lib/basalt.aot
if [ "${BASALT_REHEARSAL-}" = yes ]; then
    archive=-XX:AOTCacheOutput=$root/lib/basalt.aot
    set -- dev.basalt.cli.Rehearsal
    # doctor complains of settings that there are not.
    unset BASALT_REHEARSAL
fi
start "$root/runtime/bin/java" "$archive" '-Xlog:aot*=off' '-Xlog:cds*=off' --add-modules jdk.incubator.vector \
    --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    ${BASALT_JAVA_OPTS-} -cp "${classpath%:}" "$@"
