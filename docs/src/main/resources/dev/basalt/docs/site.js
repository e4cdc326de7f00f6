// Colours of code, and the search. Works from disk: all it reads are the scripts of the page.
document.querySelectorAll("pre code").forEach((block) => {
  if (/language-(java|xml|bash|sh|json)/.test(block.className)) hljs.highlightElement(block);
});
const index = lunr(function () {
  this.ref("i");
  this.field("heading", { boost: 12 });
  this.field("title", { boost: 3 });
  this.field("text");
  // Names of routines are no English words, so nothing is stemmed.
  this.pipeline.remove(lunr.stemmer);
  this.searchPipeline.remove(lunr.stemmer);
  sections.forEach((s, i) => this.add({ i, title: s[1], heading: s[2], text: s[3] }));
});
const query = document.getElementById("query");
const found = document.getElementById("found");
const text = document.getElementById("text");
// dgetrf is a name of getrf: a type's letter in front is tried without.
function matches(words) {
  return index.query((q) => {
    for (const word of words) {
      q.term(word, { boost: 10 });
      q.term(word, { wildcard: lunr.Query.wildcard.TRAILING, boost: 2 });
      if (/^[sdcz]\w{3,}/.test(word)) q.term(word.slice(1), { boost: 4 });
    }
  });
}
function search() {
  const words = query.value.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((w) => w);
  found.hidden = words.length === 0;
  text.hidden = words.length > 0;
  if (words.length === 0) return;
  const hits = matches(words).slice(0, 30);
  found.replaceChildren();
  const head = document.createElement("h2");
  head.textContent = hits.length === 0 ? `Nothing about "${query.value}"` : `About "${query.value}"`;
  found.append(head);
  for (const hit of hits) {
    const [href, title, heading, body] = sections[hit.ref];
    const p = document.createElement("p");
    const a = document.createElement("a");
    a.href = href;
    a.textContent = heading === title ? title : `${title}: ${heading}`;
    a.addEventListener("click", () => { query.value = ""; search(); });
    const small = document.createElement("small");
    const at = Math.max(0, body.toLowerCase().indexOf(words[0]) - 60);
    small.textContent = body.slice(at, at + 180);
    p.append(a, small);
    found.append(p);
  }
}
query.addEventListener("input", search);
const asked = new URLSearchParams(location.search).get("q");
if (asked) { query.value = asked; search(); }
