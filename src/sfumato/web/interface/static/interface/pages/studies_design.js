// The platform builder by drag and by keyboard. Everything here can also be done by the buttons of the page.
"use strict";

const SfumatoDesign = {
  drag: null,
  form() { return document.getElementById("canvas-form"); },
  cards() { return [...document.querySelectorAll("#canvas-form .q[data-key]")]; },
  press(value) {
    const button = [...this.form().querySelectorAll("button[name=do]")].find((other) => other.value === value && !other.disabled);
    if (button) button.click();
    return Boolean(button);
  },
  choose(key) {
    for (const card of this.cards()) {
      const chosen = card.dataset.key === key;
      card.classList.toggle("chosen", chosen);
      const name = card.querySelector(".name");
      if (chosen) name.setAttribute("aria-current", "true"); else name.removeAttribute("aria-current");
    }
    const field = this.form().elements.chosen;
    if (field) field.value = key;
    history.replaceState(null, "", key ? `?q=${encodeURIComponent(key)}` : location.pathname);
  },
  key(event) {
    const name = event.target.closest("#canvas-form .q .name");
    if (!name) return;
    const card = name.closest(".q"), key = card.dataset.key;
    const names = this.cards().map((other) => other.querySelector(".name"));
    const place = names.indexOf(name);
    const verbs = event.altKey ? {ArrowUp: "up", ArrowDown: "down", ArrowRight: "in", ArrowLeft: "out"} : {Delete: "remove"};
    if (verbs[event.key]) { event.preventDefault(); this.press(`${verbs[event.key]}:${key}`); return; }
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const next = {ArrowDown: names[place + 1], ArrowUp: names[place - 1], Home: names[0], End: names[names.length - 1]}[event.key];
    if (next) { event.preventDefault(); next.focus(); }
  },

  // a drag begins when the pointer has moved a little, so that a click stays a click
  down(event) {
    const source = event.target.closest("#canvas-form [data-drag]");
    if (!source || event.button !== 0) return;
    const isCard = source.classList.contains("handle");
    if (!isCard && event.pointerType === "touch") return; // a finger scrolls the palette; its buttons add
    if (isCard) event.preventDefault();
    this.drag = {source, what: source.dataset.drag, card: isCard ? source.closest(".q") : null, x: event.clientX, y: event.clientY, id: event.pointerId, moving: false};
  },
  begin(event) {
    const drag = this.drag;
    drag.moving = true;
    drag.source.setPointerCapture?.(drag.id);
    drag.ghost = document.createElement("div");
    drag.ghost.className = "ghost";
    drag.ghost.textContent = (drag.card ? drag.card.querySelector(".words") : drag.source.querySelector("span:not(.sign)").firstChild).textContent;
    drag.line = document.createElement("li");
    drag.line.className = "drop-line";
    document.body.append(drag.ghost);
    document.body.classList.add("dragging");
    drag.card?.classList.add("dragged");
    this.step = setInterval(() => this.scroll(), 30);
    this.move(event);
  },
  move(event) {
    const drag = this.drag;
    if (!drag || event.pointerId !== drag.id) return;
    if (!drag.moving) {
      if (Math.hypot(event.clientX - drag.x, event.clientY - drag.y) > 6) this.begin(event);
      return;
    }
    drag.last = event;
    drag.ghost.style.transform = `translate(${event.clientX + 12}px, ${event.clientY + 8}px)`;
    this.aim(event.clientX, event.clientY);
  },
  scroll() {
    const event = this.drag?.last;
    if (!event) return;
    const edge = 60, speed = event.clientY < edge ? -12 : event.clientY > innerHeight - edge ? 12 : 0;
    if (speed) { window.scrollBy(0, speed); this.aim(event.clientX, event.clientY); }
  },
  aim(x, y) {
    const drag = this.drag;
    drag.line.remove();
    document.querySelector(".drop-into")?.classList.remove("drop-into");
    drag.target = null;
    const under = document.elementFromPoint(x, y);
    if (!under) return;
    const head = under.closest(".part[data-part]:not(.opened)");
    if (head) { head.classList.add("drop-into"); drag.target = {key: head.dataset.part, where: "before"}; return; }
    const list = under.closest("#canvas-form [data-list]");
    if (!list) return;
    const isGroup = drag.card?.classList.contains("q-group") || drag.what === "type:group";
    const outer = isGroup ? list.closest("[data-list='']") || list : list;
    const cards = [...outer.children].filter((child) => child.dataset.key && child !== drag.card);
    const group = outer.dataset.list;
    if (!cards.length) { outer.append(drag.line); drag.target = group ? {key: group, where: "inside"} : {key: "", where: ""}; return; }
    const before = cards.find((card) => { const box = card.getBoundingClientRect(); return y < box.top + box.height / 2; });
    if (before && !before.hasAttribute("data-rest")) { before.before(drag.line); drag.target = {key: before.dataset.key, where: "before"}; }
    else { const last = before || cards[cards.length - 1]; last.after(drag.line); drag.target = {key: last.dataset.key, where: "after"}; }
  },
  end(event, dropped) {
    const drag = this.drag;
    if (!drag || (event && event.pointerId !== drag.id)) return;
    this.drag = null;
    clearInterval(this.step);
    if (!drag.moving) return;
    drag.ghost.remove();
    drag.line.remove();
    document.querySelector(".drop-into")?.classList.remove("drop-into");
    document.body.classList.remove("dragging");
    drag.card?.classList.remove("dragged");
    // the click that follows a drag is none
    const stop = (click) => { click.preventDefault(); click.stopPropagation(); };
    window.addEventListener("click", stop, {capture: true, once: true});
    setTimeout(() => window.removeEventListener("click", stop, {capture: true}), 50);
    if (!dropped || !drag.target || drag.target.key === drag.what) return;
    const form = this.form();
    const values = {do: "drop:", dragged: drag.what, target: drag.target.key, where: drag.target.where};
    htmx.ajax("POST", form.action, {source: form, target: "#builder", swap: "outerHTML show:none", values});
  },
};

document.documentElement.classList.add("script");
document.addEventListener("DOMContentLoaded", () => {
  const body = document.body;
  body.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && SfumatoDesign.drag) { SfumatoDesign.end(null, false); return; }
    SfumatoDesign.key(event);
  });
  body.addEventListener("pointerdown", (event) => SfumatoDesign.down(event));
  window.addEventListener("pointermove", (event) => SfumatoDesign.move(event));
  window.addEventListener("pointerup", (event) => SfumatoDesign.end(event, true));
  window.addEventListener("pointercancel", (event) => SfumatoDesign.end(event, false));
  // the palette begins closed where it would push the questions away
  const fold = () => { const palette = document.querySelector(".palette"); if (palette && matchMedia("(max-width: 40rem)").matches && document.querySelector(".q")) palette.open = false; };
  fold();
  // a question is put into a formula where the text cursor is
  body.addEventListener("change", (event) => {
    const chooser = event.target.closest("[data-inserts]");
    if (event.target.closest("[data-waits]")) event.stopPropagation(); // saved by its own button
    if (!chooser || !chooser.value) return;
    event.stopPropagation();
    const field = document.getElementById(chooser.dataset.inserts);
    field.setRangeText(`{${chooser.value.replace(/^\d+\. /, "")}}`, field.selectionStart, field.selectionEnd, "end");
    chooser.value = "";
    field.focus();
    field.dispatchEvent(new Event("change", {bubbles: true}));
  }, true);
  // while another question is fetched, the panel of the old one takes no input
  const hold = (event) => { if (event.detail.target?.id === "panel" && event.detail.requestConfig?.verb === "get") event.detail.target.inert = event.type === "htmx:beforeSend"; };
  body.addEventListener("htmx:beforeSend", hold);
  body.addEventListener("htmx:afterRequest", hold);
  body.addEventListener("htmx:afterSettle", (event) => {
    const panel = document.getElementById("panel-form");
    if (event.target.id === "panel") {
      if (panel) SfumatoDesign.choose(panel.dataset.key);
      if (matchMedia("(max-width: 60rem)").matches && event.detail.requestConfig?.verb === "get") document.getElementById("panel").scrollIntoView({block: "start"});
    }
    if (event.target.id !== "builder") return;
    fold();
    const unsaved = document.querySelector("[data-unsaved]");
    if (unsaved) { unsaved.focus({preventScroll: true}); unsaved.scrollIntoView({block: "center"}); return; }
    const key = event.target.dataset.focus;
    const card = key && document.getElementById(`q-${key}`);
    history.replaceState(null, "", key ? `?q=${encodeURIComponent(key)}` : location.pathname);
    if (!card) return;
    card.querySelector(".name").focus({preventScroll: true});
    card.scrollIntoView({block: "nearest"});
  });
});
