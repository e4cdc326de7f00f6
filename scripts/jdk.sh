# Sourced by the scripts that start Java: find_jdk prints the home of a JDK 25 or newer.

# The feature release of the JDK in folder $1, 0 if there is none.
jdk_release() {
  local version=0
  if [[ -x $1/bin/java && -r $1/release ]]; then
    version=$(sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9]*\).*/\1/p' "$1/release")
  fi
  echo "${version:-0}"
}

find_jdk() {
  local candidate on_path=
  if command -v java >/dev/null; then
    on_path=$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*25* "$HOME"/.sdkman/candidates/java/*25* \
    "$HOME"/.jdks/*25* /opt/*jdk*25* /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [[ -n $candidate ]] && (($(jdk_release "$candidate") >= 25)); then
      echo "$candidate"
      return
    fi
  done
  echo "Basalt needs a JDK 25 or newer and found none: install one, or set JAVA_HOME to its folder." >&2
  return 1
}
