# Sourced by the scripts that start Java: find_jdk prints the home of a JDK 25 or newer.

# The feature release of the JDK in folder $1, 0 if there is none.
jdk_release() {
  local line version=0
  if [[ -x $1/bin/java && -r $1/release ]]; then
    while IFS= read -r line || [[ -n $line ]]; do
      [[ $line =~ ^JAVA_VERSION=\"?([0-9]+) ]] && version=${BASH_REMATCH[1]}
    done <"$1/release"
  fi
  echo "$version"
}

find_jdk() {
  local candidate on_path='' home=${HOME:-/nonexistent}
  if command -v java >/dev/null; then
    candidate=$(readlink -f "$(command -v java)" || true)
    on_path=${candidate%/bin/java}
  fi
  for candidate in "${JAVA_HOME:-}" "$on_path" /usr/lib/jvm/*25* "$home"/.sdkman/candidates/java/*25* \
    "$home"/.jdks/*25* /opt/*jdk*25* /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [[ -n $candidate ]] && (($(jdk_release "$candidate") >= 25)); then
      echo "$candidate"
      return
    fi
  done
  local found="there is no java on the PATH"
  [[ -n $on_path ]] && found="the PATH's java is of $on_path"
  cat >&2 <<END
Basalt needs a JDK 25 or newer and found none ($found; JAVA_HOME is ${JAVA_HOME:-not set}).
Install one, such as Eclipse Temurin 25:
  Debian, Ubuntu  apt install temurin-25-jdk (Adoptium's packages), or openjdk-25-jdk where there is one
  Fedora          dnf install java-25-openjdk-devel
  macOS           brew install --cask temurin@25
  SDKMAN          sdk list java, then sdk install java with a 25 of Temurin (tem)
If there is one elsewhere, set JAVA_HOME to its folder.
END
  return 1
}
