#!/usr/bin/env bash
# version.sh NEW: sets the version, which stands in bom/pom.xml, wherever else it is written. A test holds all places to the first.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
if [[ $# != 1 || ! $1 =~ ^[0-9]+(\.[0-9]+)+(-[A-Za-z0-9.]+)?$ ]]; then
  echo "version.sh NEW, such as 0.2.0 or 0.2.0-SNAPSHOT" >&2
  exit 2
fi
old=$(sed -n '0,/<version>/s/.*<version>\(.*\)<\/version>.*/\1/p' bom/pom.xml)
while IFS= read -r file; do
  sed -i "s/${old//./\\.}/$1/g" "$file"
  echo "$file"
done < <(git grep -lF "$old" -- '*pom.xml' README.md 'docs/*.md' 'examples/*.md')
echo "version.sh: $old is now $1"
