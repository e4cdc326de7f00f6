#!/usr/bin/env bash
# screenshots.sh FOLDER [PAGE...]: pictures of the site's pages, light and dark, wide (1280) and narrow (390), into a folder; and what is wider than its page.
# Without pages: some of each kind. Needs chromium (Debian has it), and the site: mvn -pl docs -am package -DskipTests
# HEIGHT=4000 sets the height; FROM=1500 begins that far down.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
site=${SITE:-$root/docs/target/site}
out=${1:?the folder for the pictures}
shift
pages=${*:-index getting-started workspace arrays performance troubleshooting command-line routines-blas-level-3 design-kernels-cpu}
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) \
  || { echo "screenshots: there is no chromium: apt-get install chromium" >&2; exit 1; }
[[ -e $site/index.html ]] || { echo "screenshots: there is no $site/index.html: mvn -pl docs -am package -DskipTests" >&2; exit 1; }
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
browse() {
  "$chromium" --headless --no-sandbox --disable-gpu --hide-scrollbars --allow-file-access-from-files --user-data-dir="$work/profile" \
    --virtual-time-budget=4000 "$@" 2>/dev/null
}
height=${HEIGHT:-2400}
for page in $pages; do
  [[ -e $site/$page.html ]] || { echo "screenshots: there is no $site/$page.html" >&2; exit 1; }
  for width in 1280 390; do
    # A window has a least width; a frame in it has none. The script says what reaches beyond the frame but for what is scrolled by itself.
    cat >"$work/frame.html" <<HTML
<body style="margin:0"><iframe id="f" src="file://$site/$page.html" style="border:0;width:${width}px;height:${height}px"></iframe>
<p id="wide"></p><script>
f.onload = () => {
  const d = f.contentDocument;
  f.contentWindow.scrollTo(0, ${FROM:-0});
  const scrolled = e => { for (let p = e.parentElement; p; p = p.parentElement) if (f.contentWindow.getComputedStyle(p).overflowX !== 'visible') return true; };
  wide.textContent = 'wide:' + [...d.body.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > $width + 1 && !scrolled(e))
      .slice(0, 5).map(e => e.tagName + ' ' + e.textContent.trim().slice(0, 40)).join(' | ') + ':end';
};
</script></body>
HTML
    for scheme in light dark; do
      setting=$([[ $scheme == dark ]] && echo 0 || echo 1)
      browse --blink-settings=preferredColorScheme="$setting" --window-size="$width,$height" --screenshot="$out/$page-$scheme-$width.png" \
        "file://$work/frame.html" >/dev/null
    done
    found=$(browse --window-size="$width,$height" --dump-dom "file://$work/frame.html" | sed -n 's/.*id="wide">wide:\(.*\):end<.*/\1/p')
    echo "$page $width${found:+: wider than the page: $found}"
  done
done
