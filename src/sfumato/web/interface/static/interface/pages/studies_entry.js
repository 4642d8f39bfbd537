// The form of an entry: answers are sent as they are typed, and questions appear and disappear at once.
"use strict";

(() => {
  const form = document.getElementById("entry-form");
  if (!form) return;
  const text = (name) => form.dataset[`text${name}`];
  const preview = "preview" in form.dataset;
  const offline = form.dataset.offline === "yes" && "indexedDB" in window;
  const {study, user, enter} = form.dataset;
  const answers = JSON.parse(document.getElementById("entry-data").textContent);
  const status = document.getElementById("save-state");
  const placeOf = (question, episode) => `${question}|${episode || ""}`;
  const randomKey = () => [...crypto.getRandomValues(new Uint8Array(12))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const asHash = new URLSearchParams(location.hash.slice(1)).get("k");
  const state = {
    save: form.dataset.save, revision: Number(form.dataset.revision || 0), entry: form.dataset.entry || "",
    key: asHash || (form.dataset.entry ? form.elements.client_key?.value : randomKey()), code: form.elements.code?.value || "",
    queue: new Map(), sending: null, timer: 0, pause: 0, refused: new Set(), conflicts: new Map(), choices: new Set(), ended: false, leaving: false,
  };
  const token = () => JSON.parse(document.body.getAttribute("hx-headers") || "{}")["X-CSRFToken"];
  let fields = new Map();

  function index() {
    fields = new Map([...form.querySelectorAll("[data-question]")].filter((field) => !field.closest("template"))
      .map((field) => [placeOf(field.dataset.question, field.dataset.episode), field]));
    StudyFields.startCalendars(form);
  }

  // --- which questions are asked ---
  function keepAnswer(question, episode, stored) {
    const group = fields.get(placeOf(question, episode))?.closest("[data-group]")?.dataset.group;
    const row = group && episode ? (answers.episodes[group] || []).find((known) => known.key === episode) : answers;
    if (!row) return;
    if (stored === null) delete row.values[question];
    else row.values[question] = stored;
  }

  function branch() {
    const asked = new Set(StudyBranching.asked(answers.form, answers).map(([question, episode]) => placeOf(question, episode)));
    for (const [place, field] of fields) field.hidden = !asked.has(place);
  }

  // --- what is said ---
  function say(sentence, kind = "") {
    if (!status) return;
    status.textContent = sentence;
    status.className = `save-state ${kind}`;
  }

  function saySaved() {
    if (state.refused.size) say(text("Refused"), "bad");
    else if (state.conflicts.size) say(text("Conflict"), "bad");
    else if (state.queue.size || state.sending) say(text("Typing"));
    else say(text("Saved"), "good");
  }

  // --- sending ---
  function put(place, change) {
    const known = state.queue.get(place);
    const base = known ? known.base : state.conflicts.get(place) ?? state.revision;
    state.queue.set(place, {...change, base});
    say(text("Typing"));
    return keepWaiting();
  }

  function later(milliseconds) {
    clearTimeout(state.timer);
    state.timer = setTimeout(send, milliseconds);
  }

  function record() {
    const changes = [...(state.sending || []), ...state.queue.values()];
    const known = {values: answers.values, episodes: answers.episodes};  // so that the entry is whole when it is opened again
    return {study, user, key: state.key, save: state.save, code: state.code, revision: state.revision, changes, known, at: Date.now()};
  }

  async function keepWaiting() {
    if (preview || (!offline && !state.restored)) return;
    const waiting = record();
    try {
      if (waiting.changes.length && offline) await StudyOffline.put(waiting);
      else if (!waiting.changes.length) await StudyOffline.remove(study, state.key);
    } catch { /* a browser that keeps nothing: the page warns before it is left */ }
  }

  async function post(url, content, fresh = true) {
    const body = new Blob([JSON.stringify(content)]);
    const answer = await fetch(url, {
      method: "POST", credentials: "same-origin", keepalive: body.size < 30000,
      headers: {"Content-Type": "application/json", "X-CSRFToken": token(), "Accept": "application/json"}, body,
    });
    const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
    if (answer.status === 403 && fresh) {
      const renewed = await fetch(form.dataset.token, {credentials: "same-origin"});
      if (renewed.ok && !renewed.redirected) {
        const known = await renewed.json();
        if (known.user !== user) return {problem: "Other"};
        document.body.setAttribute("hx-headers", JSON.stringify({"X-CSRFToken": known.token}));
        return post(url, content, false);
      }
    }
    if (answer.redirected || answer.status === 403) return {problem: "SignedOut"};
    if (answer.status === 404) {
      const page = await fetch(form.dataset.token, {credentials: "same-origin"});
      return {problem: page.status === 404 ? "Ended" : "Deleted"};
    }
    if (!isJson) return {problem: answer.status >= 500 || answer.status === 429 ? "Lost" : "SignedOut"};
    const result = await answer.json();
    return answer.ok ? {result} : {sentence: result.sentence};
  }

  // how many of these changes are sent at once, so that no request is too large
  function countAtOnce(changes) {
    let count = 0, size = 0;
    while (count < Math.min(changes.length, 400) && (!count || size < 200000)) {
      size += JSON.stringify(changes[count]).length;
      count += 1;
    }
    return count;
  }

  async function send() {
    if (preview || state.sending || !state.queue.size || state.ended) return;
    const count = countAtOnce([...state.queue.values()]);
    const batch = [...state.queue.values()].slice(0, count), places = [...state.queue.keys()].slice(0, count);
    state.sending = batch;
    for (const place of places) state.queue.delete(place);
    say(text("Saving"));
    let outcome;
    try {
      outcome = await post(state.save, {user, client_key: state.key, code: state.code, changes: batch});
    } catch {
      outcome = {problem: "Lost"};
    }
    state.sending = null;
    if (outcome.result) {
      state.pause = 0;
      taken(outcome.result, places, batch);
      await keepWaiting();
      saySaved();
      if (state.queue.size) later(50);
      return;
    }
    // nothing was acknowledged: the same changes are sent again, with what was typed since
    const newer = state.queue;
    state.queue = new Map(places.map((place, position) => [place, batch[position]]));
    for (const [place, change] of newer) {
      const before = state.queue.get(place);
      state.queue.delete(place);
      state.queue.set(place, before ? {...change, base: before.base} : change);
    }
    if (outcome.problem === "Ended" || outcome.problem === "Deleted") {
      state.ended = true;
      say(text(outcome.problem), "bad");
      if (outcome.problem === "Ended") await StudyOffline.clear(study, enter, user);
      else if (offline || state.restored) await StudyOffline.remove(study, state.key);
      return;
    }
    say(outcome.sentence || text(outcome.problem === "Lost" && offline ? "Kept" : outcome.problem), "bad");
    await keepWaiting();
    state.pause = Math.min(Math.max(state.pause * 2, 2000), 30000);
    later(state.pause);
  }

  function taken(result, places, batch) {
    const refused = new Map(result.refused.map((row) => [placeOf(row.question, row.episode), row]));
    const conflicts = new Map(result.conflicts.map((row) => [placeOf(row.question, row.episode), row]));
    places.forEach((place, position) => {
      const field = fields.get(place.replace(/^do\|/, ""));
      if (conflicts.has(place)) state.conflicts.set(place, batch[position].base); else state.conflicts.delete(place);
      if (state.queue.has(place)) { state.queue.get(place).base = state.conflicts.get(place) ?? result.revision; return; }
      const sentence = refused.get(place.replace(/^do\|/, ""))?.sentence;
      if (sentence) state.refused.add(place); else state.refused.delete(place);
      if (field?.dataset.widget) {
        const link = conflicts.has(place) ? {url: result.conflicts_url, text: text("Choose")} : null;
        StudyFields.say(field, sentence || (link ? text("Conflict") : ""), link);
      } else if (field && sentence) {
        const line = field.querySelector(":scope > .error");
        line.textContent = sentence;
        line.hidden = false;
      }
    });
    for (const row of [...result.changed, ...result.calculated]) {
      const place = placeOf(row.question, row.episode), field = fields.get(place);
      if (state.queue.has(place) || places.includes(place)) continue;
      if (field?.dataset.widget) StudyFields.show(field, row.value);
      keepAnswer(row.question, row.episode, row.value);
    }
    const episodes = new Set(batch.map((change) => change.episode));
    for (const change of state.queue.values()) if (change.do === "retire" && episodes.has(change.episode)) change.base = result.revision;
    if (result.changed.length || result.calculated.length) branch();
    state.revision = result.revision;
    state.save = result.save;
    if (form.elements.base) form.elements.base.value = result.revision;
    if (!state.entry) {
      state.entry = result.url;
      form.action = result.url;
      document.getElementById("second-entry")?.remove();
      if (result.code) sayCode(result.code);
      history.replaceState(null, "", `${result.url}${location.search}`);
    }
  }

  function sayCode(code) {
    const note = document.createElement("p");
    note.className = "note";
    note.textContent = `${text("Code")} ${code}`;
    form.before(note);
  }

  // --- what somebody types ---
  function changed(field, wait, leftField) {
    const value = StudyFields.typed(field);
    if (value === undefined && !leftField) return;
    const {question, episode} = field.dataset, place = placeOf(question, episode);
    const sent = value === undefined ? ["day", "month", "year"].map((part) => field.querySelector(`[data-part=${part}]`).value.trim()).join("/") : value;
    keepAnswer(question, episode, StudyFields.stored(field, value));
    StudyFields.clearable(field);
    branch();
    if (preview) return;
    put(place, {question, episode, value: sent});
    later(wait);
  }

  const fieldOf = (target) => target.closest?.("[data-question][data-widget]");
  form.addEventListener("input", (event) => {
    const field = fieldOf(event.target);
    if (!field || ["radio", "checkbox"].includes(event.target.type) || event.target.tagName === "SELECT") return;
    changed(field, 1500, false);
  });
  form.addEventListener("change", (event) => {
    const field = fieldOf(event.target);
    if (field && field.dataset.widget !== "date") changed(field, 100, true);
    else if (field) changed(field, 300, false);
  });
  form.addEventListener("focusout", (event) => {
    const field = fieldOf(event.target);
    if (field?.dataset.widget === "date" && !field.contains(event.relatedTarget) && StudyFields.typed(field) === undefined) changed(field, 100, true);
  });

  // --- episodes ---
  function addEpisode(group, key = randomKey().slice(0, 16)) {
    const place = form.querySelector(`[data-group="${CSS.escape(group)}"]`);
    const list = place.querySelector(".episodes");
    list.insertAdjacentHTML("beforeend", place.querySelector("template").innerHTML.replaceAll("__episode__", key));
    (answers.episodes[group] ??= []).push({key, values: {}});
    place.dataset.total = Number(place.dataset.total) + 1;
    limit(place);
    list.lastElementChild.querySelector(".episode-number").textContent = place.dataset.total;
    index();
    branch();
    return list.lastElementChild;
  }

  function limit(place) {
    const most = Number(place.dataset.most), button = place.querySelector(":scope > button.add");
    if (most && button) button.disabled = Number(place.dataset.total) >= most;
  }

  function removeEpisode(group, key) {
    const place = form.querySelector(`[data-group="${CSS.escape(group)}"]`);
    place.querySelector(`[data-card="${CSS.escape(key)}"]`)?.remove();
    answers.episodes[group] = (answers.episodes[group] || []).filter((row) => row.key !== key);
    place.dataset.total = Math.max(Number(place.dataset.total) - 1, 0);
    limit(place);
    index();
    branch();
    place.querySelector(":scope > button.add")?.focus();
  }

  function order(words) {
    const [name, first, second] = words.split("|");
    if (name === "add") {
      const card = addEpisode(first);
      if (!preview) { put(`do|${placeOf(first, card.dataset.card)}`, {group: first, episode: card.dataset.card, do: "add"}); later(300); }
      card.querySelector("input, select")?.focus();
    } else if (name === "retire") {
      removeEpisode(first, second);
      if (preview) return;
      for (const [place, change] of state.queue) if (change.episode === second && !change.do) state.queue.delete(place);
      const place = `do|${placeOf(first, second)}`;
      const unsent = state.queue.get(place)?.do === "add";
      state.queue.delete(place);
      if (!unsent) put(place, {group: first, episode: second, do: "retire"}); else keepWaiting();
      later(100);
    } else if (name === "clear") {
      const field = fields.get(placeOf(first, second));
      StudyFields.show(field, null);
      changed(field, 100, true);
    } else {
      return false;
    }
    return true;
  }

  // --- sections ---
  const sections = [...form.querySelectorAll(".form-section")];
  const narrow = matchMedia("(max-width: 40rem)");
  let step = 0;

  function showSection(number, focus = true) {
    step = Math.min(Math.max(number, 0), sections.length - 1);
    sections.forEach((section, position) => section.classList.toggle("other", position !== step));
    form.classList.toggle("last-step", step === sections.length - 1);
    for (const button of form.querySelectorAll("[data-step]")) {
      button.hidden = !narrow.matches || sections.length < 2 || (button.dataset.step < 0 ? step === 0 : step === sections.length - 1);
    }
    for (const link of form.querySelectorAll("[data-section-link]")) {
      if (narrow.matches && form.classList.contains("whole")) link.toggleAttribute("aria-current", Number(link.dataset.sectionLink) === step);
    }
    const list = form.querySelector(".section-links ol"), here = list?.querySelector("[aria-current]");
    if (here) {
      list.scrollLeft += here.getBoundingClientRect().left - list.getBoundingClientRect().left - 16;
      list.scrollTop += here.getBoundingClientRect().top - list.getBoundingClientRect().top - 48;
    }
    if (focus && narrow.matches) sections[step].scrollIntoView({block: "start"});
  }

  async function flush() {
    clearTimeout(state.timer);
    for (let tries = 0; (state.queue.size || state.sending) && tries < 100; tries += 1) {
      if (state.sending) await new Promise((resolve) => setTimeout(resolve, 50));
      else { await send(); if (state.pause) return false; }
    }
    return !state.queue.size && !state.sending;
  }

  // go to a field whose answer was not taken; false if there is none
  function goToRefused() {
    const field = fields.get([...state.refused][0]);
    if (!field) return false;
    showSection(sections.indexOf(field.closest(".form-section")));
    field.scrollIntoView({block: "center"});
    field.querySelector("input, select")?.focus();
    saySaved();
    return true;
  }

  async function goTo(url) {
    const done = preview || await flush();
    if (goToRefused()) return;
    if (done && (preview || !offline || navigator.onLine)) { state.leaving = true; location.href = url; return; }
    if (!offline) return;
    await StudyOffline.put(record()).catch(() => undefined);
    state.leaving = true;
    const target = new URL(url, location.href);
    location.href = `${enter}${target.search}#k=${state.key}`;
  }

  async function finish() {
    const done = await flush();
    if (!done) { say(text(offline ? "KeptFinish" : "Lost"), "bad"); return; }
    if (goToRefused()) return;
    for (const element of form.elements) if (element.name.startsWith("a|")) element.disabled = true;
    form.elements.shown.value = "{}";
    form.elements.client_key.value = state.key;
    const button = document.createElement("input");
    Object.assign(button, {type: "hidden", name: "do", value: "finish"});
    form.append(button);
    state.leaving = true;
    form.submit();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const words = event.submitter?.value || "save";
    if (order(words) || preview) return;
    const current = Number(form.elements.section.value), language = form.elements.language.value;
    if (words === "finish") finish();
    else if (words === "next" || words === "previous") goTo(`?section=${current + (words === "next" ? 1 : -1)}&language=${language}`);
    else send();
  });
  form.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (event.target.dataset.step) { send(); showSection(step + Number(event.target.dataset.step)); }
    else if (link && "sectionLink" in link.dataset && form.classList.contains("whole")) {
      if (narrow.matches) { event.preventDefault(); showSection(Number(link.dataset.sectionLink)); }
    } else if (link && ("sectionLink" in link.dataset || "keeps" in link.dataset) && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      goTo(link.getAttribute("href"));
    }
  });

  // --- answers that wait in this browser ---
  // the answers that were sent before the connection was lost: the empty form does not have them
  function restoreKnown({known, revision}) {
    state.revision = revision;
    const showAll = (values, episode) => {
      for (const [question, value] of Object.entries(values)) {
        const field = fields.get(placeOf(question, episode));
        if (field?.dataset.widget) StudyFields.show(field, value);
      }
    };
    Object.assign(answers.values, known.values);
    showAll(known.values, "");
    for (const [group, rows] of Object.entries(known.episodes)) {
      if (form.querySelector(`[data-group="${CSS.escape(group)}"]`)) rows.forEach((row) => addEpisode(group, row.key));
      answers.episodes[group] = rows;
      for (const row of rows) showAll(row.values, row.key);
    }
  }

  function restore(waiting) {
    state.restored = true;
    state.save = waiting.save;
    state.code = waiting.code || state.code;
    if (!state.entry) restoreKnown(waiting);
    for (const change of waiting.changes) {
      const group = change.do === "add" && form.querySelector(`[data-group="${CSS.escape(change.group)}"]`);
      if (group && !group.querySelector(`[data-card="${CSS.escape(change.episode)}"]`)) addEpisode(change.group, change.episode);
      const field = fields.get(placeOf(change.question, change.episode));
      if (field && !change.do) {
        StudyFields.show(field, change.value);
        keepAnswer(change.question, change.episode, StudyFields.stored(field, change.value));
      }
      const place = placeOf(change.question || change.group, change.episode);
      state.queue.set(change.do ? `do|${place}` : place, change);
    }
    branch();
  }

  // send what waits of other entries; says how many are left, and tries again later if there is no connection
  async function sendWaiting() {
    if (state.relaying) return;
    state.relaying = true;
    clearTimeout(state.relay);
    const others = async () => (await StudyOffline.waiting(study)).filter((known) => known.key !== state.key);
    let again = false;
    for (const known of (await others()).filter((record) => record.user === user && !record.refused)) {
      try {
        const outcome = await relay(known);
        if (outcome === "Ended") {
          say(text("Ended"), "bad");
          await StudyOffline.clear(study, enter, user);
          break;
        }
        again = again || outcome === "later";
      } catch {
        again = true;
        break;
      }
    }
    sayWaiting(await others());
    state.relaying = false;
    if (again) state.relay = setTimeout(sendWaiting, 5000);
  }

  // send what waits of one entry; "later" if it has to be tried again
  async function relay(known) {
    let {changes, save} = known;
    const left = [];
    do {
      const count = countAtOnce(changes), batch = changes.slice(0, count);
      const {result, problem, sentence} = await post(save, {user, client_key: known.key, code: known.code, changes: batch});
      if (problem === "Ended") return problem;
      if (!result) {
        const ended = problem === "Deleted" ? {sentence: text("Deleted"), refused: true} : {};
        await StudyOffline.put({...known, changes: [...left, ...changes], save, ...(sentence ? {sentence} : {}), ...ended});
        return problem === "Deleted" ? "" : "later";
      }
      const refused = new Set(result.refused.map((row) => placeOf(row.question, row.episode)));
      left.push(...batch.filter((change) => refused.has(placeOf(change.question || change.group, change.episode))));
      if (result.conflicts.length) state.choices.add(result.conflicts_url);
      changes = changes.slice(count);
      save = result.save;
    } while (changes.length);
    if (left.length) await StudyOffline.put({...known, changes: left, save, refused: true, sentence: text("Refused")});
    else await StudyOffline.remove(study, known.key);
    return "";
  }

  function sayWaiting(records) {
    const place = document.getElementById("waiting");
    if (!place) return;
    const own = records.filter((known) => known.user === user), lines = [];
    const link = (url, words) => Object.assign(document.createElement("a"), {href: url, textContent: words});
    if (own.length) lines.push([`${text("Waiting")} ${own.length}`]);
    for (const known of own) {
      const time = new Date(known.at).toLocaleString([], {dateStyle: "short", timeStyle: "short"});
      lines.push([link(`${enter}#k=${known.key}`, `${text("Open")} (${time})`), known.sentence ? ` ${known.sentence}` : ""]);
    }
    for (const url of state.choices) lines.push([`${text("Conflict")} `, link(url, text("Choose"))]);
    if (own.length < records.length) lines.push([text("OfOthers")]);
    place.hidden = !lines.length;
    place.replaceChildren(...lines.map((parts) => {
      const line = document.createElement("p");
      line.append(...parts);
      return line;
    }));
  }

  async function start() {
    const databases = "indexedDB" in window ? await indexedDB.databases?.() ?? [{name: "sfumato-studies"}] : [];
    const known = databases.some((database) => database.name === "sfumato-studies");
    if (known && (asHash || state.entry)) {
      const own = await StudyOffline.get(study, state.key);
      if (own && own.user === user) { restore(own); send(); }
    }
    if (known || offline) await sendWaiting();
    if (!offline) {
      if (known) await StudyOffline.clear(study, enter);  // what waits was typed while the study allowed it, and is sent
      return;
    }
    if (location.pathname === enter) {
      await StudyOffline.register(enter);
      const language = form.elements.language.value;
      const links = [...form.querySelectorAll("[data-section-link]")].slice(0, 120);
      const parts = form.classList.contains("whole") ? [] : links.map((link) => `${enter}?section=${link.dataset.sectionLink}&language=${language}`);
      if (navigator.onLine) await StudyOffline.keep(study, [enter, ...parts]).catch(() => undefined);
    }
  }

  form.classList.add("live");
  index();
  StudyFields.startDates(form);
  branch();
  if (sections.length > 1 && form.classList.contains("whole")) {
    const wanted = document.querySelector(location.hash.length > 1 && !asHash ? `[id="${CSS.escape(location.hash.slice(1))}"]` : ".none")?.closest(".form-section");
    showSection(wanted ? sections.indexOf(wanted) : 0, false);
    narrow.addEventListener("change", () => showSection(step, false));
    window.addEventListener("hashchange", () => {
      const target = document.getElementById(location.hash.slice(1)), section = target?.closest(".form-section");
      if (section) showSection(sections.indexOf(section), false);
      if (section && section !== target) target.querySelector("input, select, button")?.focus();
    });
  } else {
    showSection(0, false);
  }
  if (preview) return;
  window.addEventListener("hashchange", () => { if (location.hash.startsWith("#k=") && !location.hash.endsWith(state.key)) location.reload(); });
  window.addEventListener("online", () => { state.pause = 0; send(); if (offline) sendWaiting(); });
  window.addEventListener("offline", () => { if (state.queue.size) say(text(offline ? "Kept" : "Lost"), "bad"); });
  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") send(); });
  window.addEventListener("beforeunload", (event) => {
    if (!state.leaving && !offline && (state.queue.size || state.sending)) event.preventDefault();
  });
  window.addEventListener("pageshow", (event) => { if (event.persisted && state.leaving) location.reload(); });
  window.StudyEntry = {ready: start().catch(() => undefined)};
})();
