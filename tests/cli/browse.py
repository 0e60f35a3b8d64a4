#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Open a page in a headless browser and complain of what a reader would.

    browse.py BROWSER PAGE.html...

At 400 and 1200 pixels, light and dark: nothing overflows, every figure has a
size and its words within it, of 10 pixels or more (7 on the narrow page; what
can be enlarged is left out), links resolve (within the page, and to the files
beside it), text differs from its background, the console says nothing.  A copy
of the page gets a script that looks and writes what it found into the page,
which the browser prints.
"""
import os
import re
import subprocess
import sys
import tempfile

LOOK = """
<script>
window.bad = [];
window.onerror = function (text) { window.bad.push("script: " + text); };
window.addEventListener("load", function () {
  var bad = window.bad, width = document.documentElement.clientWidth;
  document.querySelectorAll("details").forEach(function (d) {
    d.open = true; });
  if (document.documentElement.scrollWidth > width + 1)
    bad.push("the page is " + document.documentElement.scrollWidth +
      " wide, the window " + width);
  document.querySelectorAll("svg:not(.key)").forEach(function (s, i) {
    var r = s.getBoundingClientRect();
    if (r.width < 50 || r.height < 50)
      bad.push("figure " + i + " is " + r.width + " x " + r.height);
    if (r.right > width + 1)
      bad.push("figure " + i + " ends at " + r.right);
    s.querySelectorAll("text").forEach(function (t) {
      var b = t.getBoundingClientRect(), m = t.getScreenCTM();
      var px = parseFloat(getComputedStyle(t).fontSize) *
        Math.sqrt(Math.abs(m.a * m.d - m.b * m.c));
      if (b.width > 0 && px < (width < 600 ? 7 : 10) && !s.closest(".wide"))
        bad.push("figure " + i + " has text of " + px.toFixed(1) + " px");
      if (b.width > 0 && (b.left < r.left - 2 || b.right > r.right + 2 ||
          b.top < r.top - 2 || b.bottom > r.bottom + 2))
        bad.push("figure " + i + " cuts '" + t.textContent.trim() + "'"); });
  });
  document.querySelectorAll("a[href^='#']").forEach(function (a) {
    if (!document.getElementById(a.getAttribute("href").slice(1)))
      bad.push("no place " + a.getAttribute("href")); });
  var ids = {};
  document.querySelectorAll("[id]").forEach(function (e) {
    if (ids[e.id]) bad.push("two of the id " + e.id);
    ids[e.id] = true; });
  var style = getComputedStyle(document.body);
  if (style.color === style.backgroundColor) bad.push("no contrast");
  document.body.setAttribute("data-look", "width " + window.innerWidth + " figures " +
    document.querySelectorAll("svg:not(.key)").length + " background " +
    style.backgroundColor + " bad: " + bad.join("; "));
});
</script>
"""


# A headless window is never narrower than some 500 pixels: each page goes into
# frames of the widths that are wanted.
WIDTHS = (400, 1200)
FRAME = """<iframe src="%d.html" width="%d" height="900" style="border:0">
</iframe>
"""
OUTER = """<!DOCTYPE html><html><body>
%s<script>
window.onload = function () { setTimeout(function () {
  document.querySelectorAll("iframe").forEach(function (f) {
    var look = document.createElement("p");
    look.setAttribute("data-look",
      f.contentDocument.body.getAttribute("data-look"));
    document.body.appendChild(look); });
}, 100); };
</script></body></html>"""


def look(browser, pages, dark):
    """What was found in each page at each width, and on the console."""
    with tempfile.TemporaryDirectory() as folder:
        for i, page in enumerate(pages):
            with open(page, encoding="utf-8") as f:
                text = f.read()
            with open(os.path.join(folder, "%d.html" % i), "w",
                      encoding="utf-8") as f:
                f.write(text.replace("</head>", LOOK + "</head>", 1))
        outer = os.path.join(folder, "outer.html")
        with open(outer, "w", encoding="utf-8") as f:
            f.write(OUTER % "".join(FRAME % (i, width)
                                    for i in range(len(pages))
                                    for width in WIDTHS))
        options = [
            "--headless=new", "--no-sandbox", "--disable-gpu", "--dump-dom",
            "--user-data-dir=" + os.path.join(folder, "profile"),
            "--window-size=1400,1000", "--virtual-time-budget=5000",
            "--allow-file-access-from-files", "--disable-dev-shm-usage",
            "--enable-logging=stderr", "--v=0",
        ]
        if dark:
            options.append("--blink-settings=preferredColorScheme=0")
        got = subprocess.run([browser] + options + ["file://" + outer],
                             capture_output=True, text=True, timeout=120)
    found = re.findall(r'<p data-look="([^"]*)"', got.stdout)
    console = [line for line in got.stderr.splitlines() if "CONSOLE" in line]
    if len(found) != len(pages) * len(WIDTHS):
        found = ["bad: the page was not looked at"] * len(pages) * len(WIDTHS)
    return found, console


def dead_links(page):
    text = open(page, encoding="utf-8").read()
    folder = os.path.dirname(page)
    for link in re.findall(r'(?:href|src)="([^"#]+)', text):
        if not re.match(r"[a-z]+:", link) and \
                not os.path.exists(os.path.join(folder, link)):
            yield link


def main():
    failed = False
    colours = set()
    pages = sys.argv[2:]
    for page in pages:
        for link in dead_links(page):
            print("%s: no file %s" % (page, link))
            failed = True
    for dark in (False, True):
        found, console = look(sys.argv[1], pages, dark)
        failed |= bool(console)
        print("\n".join(console))
        for i, said in enumerate(found):
            page, width = pages[i // len(WIDTHS)], WIDTHS[i % len(WIDTHS)]
            print("%s, %d, %s: %s" % (os.path.basename(page), width,
                                      "dark" if dark else "light", said))
            failed |= not said.endswith("bad: ")
            failed |= "width %d " % width not in said
            colours.add((dark, said.split("background")[-1]))
    # Dark must not look like light.
    light = {c for d, c in colours if not d}
    failed |= any(c in light for d, c in colours if d)
    sys.exit(failed)


main()
