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
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
# The options are split at spaces, but no pattern is a file's name.
set -f
if [ "${1-}" = verify ]; then
    shift
    exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Xss4m \
        ${BASALT_JAVA_OPTS-} -cp "$root/lib/app/*:$root/lib/test/*" dev.basalt.conformance.Verify "$@"
fi
exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector \
    --enable-native-access=dev.basalt \
    ${BASALT_JAVA_OPTS-} -p "$root/lib/app" -m dev.basalt.cli/dev.basalt.cli.Main "$@"
