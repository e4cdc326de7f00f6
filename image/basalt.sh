#!/bin/sh
# The Basalt command line with its own Java runtime; "basalt verify" runs the suites on a device.
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
if [ "${1-}" = verify ]; then
    shift
    exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector --enable-native-access=ALL-UNNAMED -Xss4m \
        ${BASALT_JAVA_OPTS-} -cp "$root/lib/app/*:$root/lib/test/*" dev.basalt.conformance.Verify "$@"
fi
exec "$root/runtime/bin/java" --add-modules jdk.incubator.vector \
    --enable-native-access=dev.basalt \
    ${BASALT_JAVA_OPTS-} -p "$root/lib/app" -m dev.basalt.cli/dev.basalt.cli.Main "$@"
