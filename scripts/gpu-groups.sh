# gpu-groups.sh: what gpu-table.sh and gpu-lapack.sh share. They set "table" (the name of their files) and call "begin" with their
# arguments, "group" for each group, and "finish". The text at their top is what they say to who calls them wrongly.
#
# From the environment: BASALT (the command), DEVICE (cuda:0), PEER (cublas), CUDA (the folder of its libraries; default: searched),
# LIMIT (seconds a group may take, 240).

# begin FOLDER [GROUPS]
begin() {
  local here
  here=$(cd "$(dirname "$(readlink -f "$0")")" && pwd)
  if (($# < 1 || $# > 2)); then
    sed -n '2,/^[^#]/s/^# \{0,1\}//p' "$0" >&2
    exit 2
  fi
  mkdir -p "$1" || exit 2
  folder=$(cd "$1" && pwd)
  groups=${2-.*}
  basalt=${BASALT-$here/basalt}
  bad=0
  if [[ ! -x $basalt ]]; then
    echo "gpu-$table: there is no command $basalt; set BASALT to the image's bin/basalt" >&2
    exit 2
  fi
  rm -f "$folder/$table.csv"
  : >"$folder/$table.txt"
}

# group NAME FAMILIES OPTIONS…: a process of its own, so that one that ends badly takes no other with it.
group() {
  local name=$1 families=$2 code
  shift 2
  [[ $name =~ ^($groups)$ ]] || return 0
  timeout --kill-after=10 "${LIMIT-240}" "$basalt" bench table "$families" "$@" --device "${DEVICE-cuda:0}" \
    --peer "${PEER-cublas}" ${CUDA:+--peer-library "$CUDA"} --out "$folder/$table.csv" \
    2> >(tee -a "$folder/$table.txt" >&2) </dev/null
  code=$?
  if ((code != 0)); then
    bad=$((bad + 1))
    echo "gpu-$table: group $name ended with $code" | tee -a "$folder/$table.txt" >&2
  fi
}

finish() {
  echo "gpu-$table: $bad groups with something wrong; lines in $folder/$table.csv" | tee -a "$folder/$table.txt" >&2
  ((bad == 0))
}
