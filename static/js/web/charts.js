// Draws the charts of a page: <div class="chart" data-spec="id of a JSON script">.
// The site's Content-Security-Policy allows neither eval nor inline styles: expressions are
// interpreted (ast), and vega-embed adds no style element.
"use strict";

(function () {
  const NARROW = 480;
  const TWO_LINES = 24; // pixels that a name in two lines takes
  // A long name is broken once, after the last space or slash that leaves the first line short.
  const WRAPPED =
    "length(datum.label) > 14 ? split(replace(datum.label, regexp('^(.{4,15}[ /])'), '$1\\n'), '\\n') : datum.label";
  const AXIS = 45; // pixels that an axis with its title adds to the height of a plot

  // Names of a spec's parameters, and where the page keeps the color.
  const TOKENS = {
    ink: "--pico-color",
    paper: "--pico-background-color",
    quiet: "--quiet",
    line: "--line",
    soft: "--accent-soft",
    accent: "--accent",
    bad: "--bad",
  };

  // The browser resolves a token, whatever it is made of, to a color that Vega understands.
  function colors() {
    const probe = document.createElement("span");
    document.body.append(probe);
    const found = {};
    for (const [name, token] of Object.entries(TOKENS)) {
      probe.style.color = `var(${token})`;
      found[name] = getComputedStyle(probe).color;
    }
    probe.remove();
    return found;
  }

  // How many pixels each name beside the plot has; 0 where there are no names.
  function pixelsOfLine(spec) {
    const y = spec.encoding?.y;
    if (y?.type !== "nominal") {
      return 0;
    }
    return spec.height / new Set(spec.data.values.map((row) => row[y.field])).size;
  }

  function prepared(text, width) {
    const spec = JSON.parse(text);
    const theme = colors();
    for (const param of spec.params) {
      if (param.name in theme) {
        param.value = theme[param.name];
      }
    }
    if (width < NARROW) {
      spec.config.axisY.labelLimit = Math.round(width / 3);
      const pixels = pixelsOfLine(spec);
      if (pixels >= TWO_LINES) {
        Object.assign(spec.config.axisY, { labelExpr: WRAPPED, labelFontSize: 11 });
      } else if (pixels) {
        Object.assign(spec.config.axisY, { labelLimit: Math.round(width / 2.2), labelFontSize: 10 });
      }
    }
    return spec;
  }

  async function draw(element) {
    const script = document.getElementById(element.dataset.spec);
    element.view?.finalize();
    try {
      const drawn = await vegaEmbed(element, prepared(script.textContent, element.clientWidth), {
        ast: true,
        actions: false,
        renderer: "svg",
        defaultStyle: false,
        tooltip: { disableDefaultStyle: true, theme: "site" },
      });
      element.view = drawn.view;
      element.style.minHeight = "";
      // The figure has a name, and a table for those who do not see it.
      element.querySelector("svg").setAttribute("aria-hidden", "true");
    } catch (error) {
      element.textContent = "This chart could not be drawn. Its numbers are in the table.";
      throw error;
    }
  }

  // One after the other, and only when nearly in sight, so that the page answers meanwhile.
  let queue = Promise.resolve();
  function later(element) {
    queue = queue.then(() => draw(element)).catch((error) => console.error(error));
  }

  const seen = new Set();
  const watcher = new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (entry.isIntersecting && !seen.has(entry.target)) {
          seen.add(entry.target);
          later(entry.target);
        }
      }
    },
    { rootMargin: "400px" }
  );
  function watch(element) {
    // Its place is kept until it is drawn, so that the page does not jump.
    const spec = JSON.parse(document.getElementById(element.dataset.spec).textContent);
    element.style.minHeight = `${spec.height + AXIS}px`;
    watcher.observe(element);
  }
  const watchAll = (part) => part.querySelectorAll(".chart[data-spec]").forEach(watch);
  watchAll(document);
  // Parts of a page that htmx brings.
  document.addEventListener("htmx:load", (event) => {
    if (event.target !== document.body) {
      watchAll(event.target);
    }
  });

  // What a closed fold hides has no width to be drawn with: it waits until it is seen again.
  const redraw = () =>
    seen.forEach((element) => {
      if (element.clientWidth === 0) {
        seen.delete(element);
      } else if (element.isConnected) {
        later(element);
      }
    });
  window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
  new MutationObserver(redraw).observe(document.documentElement, {
    attributes: true,
    attributeFilter: ["data-theme"],
  });

  // A chart that was drawn takes the width of its fold again: the window may have changed meanwhile.
  const resized = (event) =>
    event.target.open &&
    event.target.querySelector(".chart svg") &&
    window.dispatchEvent(new Event("resize"));
  document.addEventListener("toggle", resized, { capture: true });

  // Paper shows what nobody has scrolled to. All of it is drawn before the browser prints: nothing
  // that drawing waits for is outside the page.
  window.addEventListener("beforeprint", () => {
    for (const element of document.querySelectorAll(".chart[data-spec]")) {
      if (!seen.has(element) && element.clientWidth > 0) {
        seen.add(element);
        later(element);
      }
    }
  });
})();
