// Which questions are asked, given the answers: the same rules as sfumato.web.studies.forms.branching.
"use strict";

const StudyBranching = (() => {
  const NUMBER = /^([+-]?)(\d*)(?:\.(\d*))?$/;
  const PLAIN_NUMBER = /^-?\d+(\.\d+)?$/;
  const DAY = /^\d{4}-\d{2}-\d{2}$/;

  function isDay(text) {
    if (!DAY.test(text)) return false;
    const [year, month, day] = text.split("-").map(Number);
    const date = new Date(Date.UTC(2000, month - 1, day));
    date.setUTCFullYear(year, month - 1, day);
    return year > 0 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  }

  // {kind, text} of a stored text, or null if it does not stand for a number or a day of this type
  function read(type, stored) {
    const text = Array.isArray(stored) ? (stored.length === 1 ? stored[0] : "") : stored;
    if (type === "integer") return /^[+-]?\d+$/.test(text) ? {kind: "number", text} : null;
    if (type === "decimal") return NUMBER.test(text) && /\d/.test(text) ? {kind: "number", text} : null;
    if (type === "date") return isDay(text) ? {kind: "day", text} : null;
    if (type === "calculated") {
      if (PLAIN_NUMBER.test(text)) return {kind: "number", text};
      return isDay(text) ? {kind: "day", text} : null;
    }
    return null;
  }

  // below 0, 0 or above 0, digit by digit, so that long numbers are not rounded
  function compare(left, right) {
    if (left.kind === "day") return left.text < right.text ? -1 : Number(left.text > right.text);
    const [a, b] = [left, right].map(({text}) => {
      const [, sign, whole, part = ""] = NUMBER.exec(text);
      return {negative: sign === "-", whole: whole.replace(/^0+/, ""), part: part.replace(/0+$/, "")};
    });
    const zero = (number) => !number.whole && !number.part;
    if (zero(a) && zero(b)) return 0;
    if (zero(a)) return b.negative ? 1 : -1;
    if (zero(b)) return a.negative ? -1 : 1;
    if (a.negative !== b.negative) return a.negative ? -1 : 1;
    let order = a.whole.length - b.whole.length;
    if (!order) order = a.whole < b.whole ? -1 : Number(a.whole > b.whole);
    if (!order) order = a.part < b.part ? -1 : Number(a.part > b.part);
    return a.negative ? -order : order;
  }

  function passes(type, stored, rule) {
    if (rule.values && rule.values.length) {
      return (Array.isArray(stored) ? stored : [stored]).some((key) => rule.values.includes(key));
    }
    if (!rule.low && !rule.high) return true;
    const value = read(type, stored);
    const low = rule.low ? read(type, rule.low) : null;
    const high = rule.high ? read(type, rule.high) : null;
    if (!value || (rule.low && !low) || (rule.high && !high)) return false;
    if ((low && low.kind !== value.kind) || (high && high.kind !== value.kind)) return false;
    return (!low || compare(low, value) <= 0) && (!high || compare(value, high) <= 0);
  }

  // the keys of questions that a formula reads
  const NAMES = /"[^"]*"|'[^']*'|\{([^{}]{1,40})\}|([A-Za-z_][A-Za-z0-9_]*)/g;
  const namesOf = (formula) => [...formula.matchAll(NAMES)].map(([, braced, plain]) => braced ?? plain).filter(Boolean);

  // keys in an order in which each comes after what it depends on; those that depend on a circle are left out
  function ordered(known) {
    const state = new Map(), order = [];
    const visit = (key) => {
      if (state.has(key)) return state.get(key) === "done";
      state.set(key, "open");
      const {question, group} = known.get(key);
      const needed = ((question.when && question.when.rules) || []).map((rule) => rule.question);
      if (group) needed.push(group.key);
      for (const name of question.type === "calculated" ? namesOf(question.formula || "") : []) {
        needed.push(name);
        if (known.get(name)?.group) needed.push(known.get(name).group.key);
      }
      const sound = needed.filter((other) => known.has(other)).map(visit).every(Boolean);
      if (sound) { state.set(key, "done"); order.push(key); }
      return sound;
    };
    for (const key of known.keys()) visit(key);
    return order;
  }

  // the places [question, episode] that are asked; form and answers as their JSON
  function asked(form, answers) {
    const known = new Map();
    for (const question of form.questions || []) {
      known.set(question.key, {question, group: null});
      for (const inner of question.questions || []) known.set(inner.key, {question: inner, group: question});
    }
    const outer = answers.values || {}, reached = new Set(), places = [];
    const name = (key, episode) => `${key}|${episode}`;
    for (const key of ordered(known)) {
      const {question, group} = known.get(key);
      let rows = [{key: "", values: outer}];
      if (group) rows = reached.has(name(group.key, "")) ? (answers.episodes || {})[group.key] || [] : [];
      for (const row of rows) {
        const holds = (rule) => {
          if (!known.has(rule.question)) return false;
          const enabling = known.get(rule.question);
          if (enabling.group && (!group || enabling.group.key !== group.key)) return false;
          const stored = (enabling.group ? row.values || {} : outer)[rule.question];
          if (stored === undefined || stored === null) return false;
          if (!reached.has(name(rule.question, enabling.group ? row.key : ""))) return false;
          return passes(enabling.question.type, stored, rule);
        };
        const rules = (question.when && question.when.rules) || [];
        const enabled = !rules.length || (question.when.join === "any" ? rules.some(holds) : rules.every(holds));
        if (enabled) { reached.add(name(key, row.key)); places.push([key, row.key]); }
      }
    }
    return places;
  }

  return {asked, isDay};
})();
