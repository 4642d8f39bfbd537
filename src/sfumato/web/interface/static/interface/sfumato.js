// Charts, dialogs and small conveniences. Nothing here is needed to use a page except to draw charts.
"use strict";

const Sfumato = {
  vega: null,
  // load the script that draws charts, once, when the first chart is on the page
  loadVega() {
    if (!this.vega) {
      this.vega = new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.src = "/scripts/vega.js";
        script.onload = resolve;
        script.onerror = reject;
        document.head.append(script);
      });
    }
    return this.vega;
  },
  dark() {
    const theme = document.documentElement.dataset.theme;
    return theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  },
  async draw(place) {
    if (place.dataset.drawn) return;
    place.dataset.drawn = "yes";
    const spec = JSON.parse(place.querySelector("script").textContent);
    await this.loadVega();
    const target = document.createElement("div");
    place.append(target);
    const ink = this.dark() ? "#e8e6e1" : "#1f2328";
    const line = this.dark() ? "#44484e" : "#d8d6d0";
    const config = {
      background: "transparent",
      axis: {labelColor: ink, titleColor: ink, gridColor: line, domainColor: line, tickColor: line},
      legend: {labelColor: ink, titleColor: ink},
      text: {color: ink},
      title: {color: ink, subtitleColor: ink},
      view: {stroke: line},
    };
    await vegaEmbed(target, spec, {renderer: "svg", actions: false, ast: true, defaultStyle: false, tooltip: {disableDefaultStyle: true}, config});
  },
  start(root) {
    for (const place of root.querySelectorAll("[data-chart]")) {
      new IntersectionObserver((seen, watcher) => {
        if (seen.some((entry) => entry.isIntersecting)) { watcher.disconnect(); this.draw(place); }
      }, {rootMargin: "300px"}).observe(place);
    }
    // a slider and the number beside it are one value
    for (const slider of root.querySelectorAll("input[type=range][data-for]")) {
      const field = document.getElementById(slider.dataset.for);
      slider.addEventListener("input", () => { field.value = slider.value; });
      field.addEventListener("input", () => { slider.value = field.value; });
    }
    // a part of a form that counts only while something is chosen
    for (const part of root.querySelectorAll("[data-shown-by]")) {
      const chooser = document.getElementById(part.dataset.shownBy);
      const show = () => {
        const chosen = chooser.type === "checkbox" || chooser.type === "radio" ? chooser.checked : chooser.value === part.dataset.shownFor;
        part.hidden = !chosen;
        if (part.tagName === "FIELDSET") part.disabled = !chosen;
      };
      const group = chooser.type === "radio" ? document.getElementsByName(chooser.name) : [chooser];
      for (const member of group) member.addEventListener("change", show);
      show();
    }
    // a number that is typed chooses the radio beside it
    for (const field of root.querySelectorAll("[data-checks]")) {
      field.addEventListener("input", () => { document.getElementById(field.dataset.checks).checked = true; });
    }
    for (const opener of root.querySelectorAll("[data-opens]")) {
      opener.addEventListener("click", () => document.getElementById(opener.dataset.opens).showModal());
    }
    for (const closer of root.querySelectorAll("[data-closes]")) {
      closer.addEventListener("click", () => closer.closest("dialog").close());
    }
    // a table that is wider than its place is moved by the arrow keys
    for (const area of root.querySelectorAll(".wide")) {
      if (area.scrollWidth > area.clientWidth) area.tabIndex = 0;
    }
    for (const field of root.querySelectorAll("[data-submits]")) {
      field.addEventListener("change", () => field.form.requestSubmit());
    }
  },
};

document.addEventListener("DOMContentLoaded", () => {
  Sfumato.start(document);
  // on a phone the rail is a bar: the entry of this page is in sight
  document.querySelector(".rail [aria-current=page]")?.scrollIntoView({ inline: "center", block: "nearest" });
  // nothing is asked of the server while nobody looks
  document.body.addEventListener("htmx:beforeRequest", (event) => {
    const asked = event.detail.requestConfig;
    if (document.visibilityState === "hidden" && asked.verb === "get") event.preventDefault();
  });
  document.body.addEventListener("htmx:afterSwap", (event) => Sfumato.start(event.target));
});
