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
self=$0
[ ! -L "$self" ] || self=$(readlink -f "$self")
case $self in
    */*) ;;
    *) self=./$self ;;
esac
root=$(cd "${self%/*}/.." && pwd)
# Java may say on standard error that it uses the Vector API's incubator module, and that it took options from a variable; no option turns these lines
# off. Errors are one line, so they are dropped where there is a bash to do it. The filter ends with Java, not by the signals that end Java, and Java
# waits for it.
filtered() {
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
# Whether the kernels are machine code that Basalt assembles, so that the Vector API does the little rest alone.
assembles() {
    while read -r key line; do
        case "$key $line " in
            "flags "*" avx2 "*) return 0 ;;
            "flags "*) return 1 ;;
        esac
    done 2>/dev/null </proc/cpuinfo
    return 1
}
# Whether a command has so little to do that neither the Vector API's module, with which Java starts later, nor the second compiler pays: it computes
# nothing, or all its files are small. What standard input brings is not known, and options of Java may ask for vectors. A report is of Java as it is for
# all else.
is_brief() {
    [ -z "${BASALT_JAVA_OPTS-}${JAVA_TOOL_OPTIONS-}${JDK_JAVA_OPTIONS-}${_JAVA_OPTIONS-}" ] || return 1
    case ${1-} in
        bench) return 1 ;;
        doctor)
            for word in "$@"; do [ "$word" != --report ] || return 1; done
            return 0
            ;;
        solve | trace) most=1000000 ;;
        # Iterations in Java do much of the work.
        eig | svd) most=20000 ;;
        *) return 0 ;;
    esac
    for word in "$@"; do
        [ "$word" != - ] || return 1
        # Behind # is the name of a matrix in the file, if it is not the file's own.
        [ -f "$word" ] || word=${word%#*}
        [ ! -f "$word" ] || [ "$(wc -c <"$word")" -lt "$most" ] || return 1
    done
    return 0
}
# The options are split at spaces, but no pattern is a file's name.
set -f
if [ "${1-}" = verify ]; then
    shift
    exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Xss4m \
        ${BASALT_JAVA_OPTS-} -cp "$root/lib/app/*:$root/lib/test/*" dev.basalt.conformance.Verify "$@"
fi
name=vector
if is_brief "$@" && assembles; then
    name=brief
fi
# An archive of loaded classes holds for this class path in this order, wherever the image lies, and for these modules. Where it does not fit, Java starts
# without it and says nothing.
classpath=$(
    set +f
    LC_ALL=C
    for jar in "$root"/lib/app/*.jar; do printf '%s:' "$jar"; done
)
set -- dev.basalt.cli.Main "$@"
archive=-XX:AOTCache=$root/lib
if [ -n "${BASALT_REHEARSAL-}" ]; then
    name=$BASALT_REHEARSAL
    archive=-XX:AOTCacheOutput=$root/lib
    set -- dev.basalt.cli.Rehearsal
    # doctor complains of settings that there are not.
    unset BASALT_REHEARSAL
fi
set -- '-Xlog:aot*=off' '-Xlog:cds*=off' --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow \
    ${BASALT_JAVA_OPTS-} -cp "${classpath%:}" "$@"
if [ "$name" = brief ]; then
    # Such a command ends before much of the compiled code has paid for itself, and before a collector with threads of its own has anything to do.
    exec "$root/runtime/bin/java" "$archive/brief.aot" -XX:TieredStopAtLevel=1 -XX:CompileThresholdScaling=2 -XX:+UseSerialGC "$@"
fi
filtered "$root/runtime/bin/java" "$archive/vector.aot" --add-modules jdk.incubator.vector "$@"
