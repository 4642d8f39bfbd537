// The fields of an entry's form: what somebody typed into one, and how a stored answer is shown in it.
"use strict";

const StudyFields = (() => {
  const parts = (field) => ["day", "month", "year"].map((part) => field.querySelector(`[data-part=${part}]`));
  const options = (input) => [...(input.list ? input.list.options : [])];

  // what is sent for a field: text, list of keys, null if it is empty, undefined while a date is not whole
  function typed(field) {
    const widget = field.dataset.widget;
    if (widget === "checkboxes") {
      const keys = [...field.querySelectorAll("input:checked")].map((box) => box.value);
      return keys.length ? keys : null;
    }
    if (widget === "radios" || widget === "yes_no") return field.querySelector("input:checked")?.value ?? null;
    if (widget === "date") {
      const texts = parts(field).map((input) => input.value.trim());
      if (texts.every((text) => !text)) return null;
      return texts.every(Boolean) ? texts.join("/") : undefined;
    }
    const input = field.querySelector("input, select");
    const text = input.value.trim();
    if (widget === "search") return options(input).find((option) => option.value === text)?.dataset.key ?? (text || null);
    return text || null;
  }

  // the text that is stored for what was typed; null if there is none
  function stored(field, value) {
    if (value === null || value === undefined || Array.isArray(value)) return value ?? null;
    const type = field.dataset.type;
    if (type === "integer") return /^[+-]?\d{1,18}$/.test(value) ? String(BigInt(value)) : null;
    if (type === "decimal") return /^[+-]?(\d+([.,]\d*)?|[.,]\d+)$/.test(value) ? value.replace(",", ".") : null;
    if (type !== "date") return value;
    const [day, month, year] = value.split("/");
    const text = `${year.padStart(4, "0")}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
    return StudyBranching.isDay(text) ? text : null;
  }

  // show a stored answer, as after a change by somebody else
  function show(field, value) {
    const widget = field.dataset.widget, texts = value === null ? [] : [value].flat();
    if (widget === "calculated") {
      field.querySelector("output").textContent = texts[0] ?? "–";
    } else if (["checkboxes", "radios", "yes_no"].includes(widget)) {
      for (const box of field.querySelectorAll("input")) box.checked = texts.includes(box.value);
    } else if (widget === "date") {
      const numbers = (texts[0] ?? "").includes("-") ? texts[0].split("-").reverse() : (texts[0] ?? "//").split("/");
      parts(field).forEach((input, position) => { input.value = numbers[position] ?? ""; });
    } else {
      const input = field.querySelector("input, select");
      const known = options(input).find((option) => option.dataset.key === texts[0]);
      input.value = widget === "search" && known ? known.value : texts[0] ?? "";
    }
    clearable(field);
  }

  // the button that empties radios is there while something is chosen
  function clearable(field) {
    const button = field.querySelector("button.clear");
    if (button) button.hidden = typed(field) === null;
  }

  function say(field, sentence, link) {
    const place = field.querySelector(":scope > .error");
    place.textContent = sentence;
    place.hidden = !sentence;
    if (link) {
      const anchor = document.createElement("a");
      anchor.href = link.url;
      anchor.textContent = link.text;
      place.append(" ", anchor);
    }
    for (const input of field.querySelectorAll("input:not([type=radio]):not([type=checkbox]):not([type=date]), select")) {
      if (sentence) { input.setAttribute("aria-invalid", "true"); input.setAttribute("aria-errormessage", place.id); }
      else { input.removeAttribute("aria-invalid"); input.removeAttribute("aria-errormessage"); }
    }
  }

  // the calendar of the browser beside day, month and year
  function startCalendars(root) {
    for (const place of root.querySelectorAll(".calendar")) {
      if (place.dataset.started) continue;
      place.dataset.started = "yes";
      place.hidden = false;
      const [calendar, button] = [place.querySelector("input"), place.querySelector("button")];
      const field = place.closest("[data-question]");
      button.addEventListener("click", () => {
        calendar.value = stored(field, typed(field) ?? null) ?? "";
        calendar.showPicker();
      });
      calendar.addEventListener("change", (event) => {
        event.stopPropagation();
        if (!calendar.value) return;
        show(field, calendar.value);
        parts(field)[2].dispatchEvent(new Event("change", {bubbles: true}));
      });
      calendar.addEventListener("input", (event) => event.stopPropagation());
    }
  }

  // a date is typed as 1/2/2020: a slash, a dot or a hyphen goes to the next part, and a whole date can be pasted
  function startDates(root) {
    const partOf = (event) => event.target.closest?.("[data-part]");
    root.addEventListener("beforeinput", (event) => {
      const part = partOf(event);
      if (!part || !/^[/.\- ]$/.test(event.data ?? "")) return;
      event.preventDefault();
      const inputs = parts(part.closest("[data-question]")), next = inputs[inputs.indexOf(part) + 1];
      if (next && part.value) { next.focus(); next.select(); }
    });
    root.addEventListener("paste", (event) => {
      const part = partOf(event), text = (event.clipboardData?.getData("text") ?? "").trim();
      if (!part || !/^(\d{1,2}[/.\-]\d{1,2}[/.\-]\d{4}|\d{4}-\d{1,2}-\d{1,2})$/.test(text)) return;
      event.preventDefault();
      const numbers = text.split(/[/.\-]/), field = part.closest("[data-question]");
      parts(field).forEach((input, position) => { input.value = (numbers[0].length === 4 ? [...numbers].reverse() : numbers)[position]; });
      parts(field)[2].focus();
      part.dispatchEvent(new Event("change", {bubbles: true}));
    });
  }

  return {typed, stored, show, say, clearable, startCalendars, startDates};
})();
