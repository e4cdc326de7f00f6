#!/usr/bin/env bash
# gpu-proof.sh FOLDER [STEPS]: the proof on a GPU. Runs the suites on the device, then, in small sizes, under each tool of
# compute-sanitizer, and writes what they say to FOLDER/<step>.txt and one line a step to FOLDER/summary.txt.
# It needs no JDK but the image that the module image makes: it lies in the image as bin/gpu-proof, else BASALT names image/.../bin/basalt.
#
# STEPS is a regular expression of whole names, such as 'racecheck-.*'; without it all steps run:
#   verify; memcheck-*, racecheck-* and synccheck-*, each for level1 level2 level3 lapack large
# From the environment: BASALT (the command), DEVICE (cuda:0), LIMIT (seconds a step under a tool may take, 150), THREADS (of verify, 8).
set -uo pipefail

if (($# < 1 || $# > 2)); then
  sed -n 's/^# \{0,1\}//; 2,8p' "$0" >&2
  exit 2
fi
here=$(cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")" && pwd)
mkdir -p "$1" || exit 2
folder=$(cd "$1" && pwd)
steps=${2-.*}
basalt=${BASALT-$here/basalt}
device=${DEVICE-cuda:0}
limit=${LIMIT-150}
threads=${THREADS-8}
summary=$folder/summary.txt
bad=0
ran=0

if [[ ! -x $basalt ]]; then
  echo "gpu-proof: there is no command $basalt; set BASALT to the image's bin/basalt" >&2
  exit 2
fi
sanitizer=$(command -v compute-sanitizer || true)
for candidate in "${CUDA_HOME-}"/bin/compute-sanitizer /usr/local/cuda*/bin/compute-sanitizer; do
  if [[ -z $sanitizer && -x $candidate ]]; then
    sanitizer=$candidate
  fi
done

say() { echo "$*" | tee -a "$summary"; }

# step NAME SECONDS COMMAND…: runs it unless it was not asked for; its last words and the tool's decide.
step() {
  local name=$1 seconds=$2 out=$folder/$1.txt code begun passed found
  shift 2
  [[ $name =~ ^($steps)$ ]] || return 0
  ran=$((ran + 1))
  begun=$SECONDS
  timeout --kill-after=10 "$seconds" "$@" >"$out" 2>&1 </dev/null
  code=$?
  passed=$(grep -Eo '(so far )?[0-9]+ passed, [0-9]+ failed' "$out" | tail -1)
  found=$(grep -Eo '(ERROR|RACECHECK) SUMMARY: .*' "$out" | tail -1)
  local verdict=ok
  if ((code == 124 || code == 137)); then
    verdict="CUT OFF after $seconds s"
  elif ((code != 0)); then
    verdict="FAILED with exit code $code"
  elif [[ $passed != [1-9]*" 0 failed" ]]; then
    verdict="FAILED: the suites did not pass"
  elif [[ $name != verify && ! $found =~ SUMMARY:\ 0\ (errors|hazards) ]]; then
    verdict="FAILED: the tool did not say that there is nothing"
  fi
  [[ $verdict == ok ]] || bad=$((bad + 1))
  say "$(printf '%-18s %4d s  %s; %s%s' "$name" $((SECONDS - begun)) "$verdict" "${passed:-nothing passed}" "${found:+; $found}")"
}

# under TOOL JAVA-OPTIONS [TOOL-OPTIONS…]: the small suites under a tool of compute-sanitizer.
under() {
  local tool=$1 java=$2 suite class
  shift 2
  for suite in level1 level2 level3 lapack large; do
    class=${suite^}Test
    step "$tool-$suite" "$limit" env BASALT_JAVA_OPTS="$java ${BASALT_JAVA_OPTS-}" \
      "$sanitizer" --tool "$tool" --target-processes all --print-limit 100 --error-exitcode 9 "$@" \
      "$basalt" verify --device "$device" --small --tests ".*\\.numbers\\.$class"
  done
}

: >"$summary"
say "gpu-proof of $device, $(date -u '+%Y-%m-%d %H:%M') UTC, steps $steps"
if command -v nvidia-smi >/dev/null; then
  say "$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader | head -1)"
fi
step verify 900 "$basalt" verify --device "$device" --threads "$threads"
if [[ -n $sanitizer ]]; then
  # With guard mode the tool knows the slots of every lease, so a write behind one's own slot is found too.
  under memcheck -Dbasalt.guard=true
  under racecheck ''
  under synccheck ''
else
  say "no compute-sanitizer here: nothing was run under it"
  bad=$((bad + 1))
fi
say "$ran steps, $bad bad"
((bad == 0 && ran > 0))
