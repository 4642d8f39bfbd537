// The dataset editor: cells that are edited in place, and files that are dropped. Without this script, rows are edited as forms.
"use strict";

const Cells = {
  start() {
    const table = document.querySelector("table[data-editable]");
    if (!table) return;
    this.table = table;
    this.form = document.getElementById("cell-form");
    this.problem = document.getElementById("cell-error");
    const first = table.querySelector("td[data-row]");
    if (first) first.tabIndex = 0;
    table.addEventListener("dblclick", (event) => { const cell = event.target.closest("td[data-row]"); if (cell) this.edit(cell); });
    table.addEventListener("keydown", (event) => this.key(event));
    table.addEventListener("focusin", (event) => { const cell = event.target.closest("td[data-row]"); if (cell) this.rove(cell); });
  },
  rove(cell) {
    const old = this.table.querySelector("td[tabindex='0']");
    if (old && old !== cell) old.tabIndex = -1;
    cell.tabIndex = 0;
  },
  key(event) {
    const cell = event.target;
    if (!cell.matches || !cell.matches("td[data-row]") || cell.classList.contains("editing")) return;
    const row = cell.parentElement;
    const place = [...row.children].indexOf(cell);
    const near = {ArrowLeft: cell.previousElementSibling, ArrowRight: cell.nextElementSibling,
      ArrowUp: row.previousElementSibling && row.previousElementSibling.children[place],
      ArrowDown: row.nextElementSibling && row.nextElementSibling.children[place],
      Home: row.querySelector("td"), End: row.lastElementChild};
    if (event.key in near) {
      event.preventDefault();
      if (near[event.key] && near[event.key].matches("td[data-row]")) { near[event.key].focus(); near[event.key].scrollIntoView({block: "nearest", inline: "nearest"}); }
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      const link = document.querySelector(`[data-page='${event.key === "PageDown" ? "next" : "previous"}']`);
      if (link) { event.preventDefault(); link.click(); }
    } else if (event.key === "Enter" || event.key === "F2") {
      event.preventDefault();
      this.edit(cell);
    }
  },
  edit(cell) {
    if (cell.classList.contains("editing")) return;
    const old = cell.textContent;
    const field = document.createElement("input");
    field.value = old;
    field.setAttribute("aria-label", this.name(cell));
    cell.textContent = "";
    cell.classList.add("editing");
    cell.append(field);
    field.focus();
    field.select();
    let ended = false;
    const end = (text) => { ended = true; cell.classList.remove("editing"); cell.textContent = text; };
    const keep = async () => {
      if (ended) return;
      if (field.value === old) { end(old); return; }
      ended = true;
      const answer = await this.send(cell, field.value);
      if (answer === null) { ended = false; field.setAttribute("aria-invalid", "true"); field.focus(); return; }
      end(answer);
      cell.classList.add("changed");
    };
    field.addEventListener("keydown", async (event) => {
      event.stopPropagation();
      if (event.key === "Escape") { end(old); this.problem.hidden = true; cell.focus(); }
      if (event.key === "Enter") { event.preventDefault(); await keep(); if (!cell.classList.contains("editing")) cell.focus(); }
    });
    field.addEventListener("blur", keep);
  },
  name(cell) { return this.table.tHead.rows[0].cells[Number(cell.dataset.column) + 1].dataset.name; },
  async send(cell, value) {
    const body = new FormData(this.form);
    body.set("do", "set");
    body.set("column", this.name(cell));
    body.set("row", cell.dataset.row);
    body.set("value", value);
    let answer;
    try {
      const response = await fetch(this.form.action, {method: "POST", body, headers: {Accept: "application/json"}});
      answer = await response.json();
    } catch { answer = {sentence: this.problem.dataset.offline || "not sent; is the server there?"}; }
    this.problem.hidden = !answer.sentence;
    if (answer.sentence) { this.problem.textContent = answer.sentence; return null; }
    document.getElementById("bar").outerHTML = answer.bar;
    return answer.text;
  },
};

// a form with a file: dropped or chosen, sent with a bar
const Drop = {
  start() {
    for (const form of document.querySelectorAll("form[data-drop]")) {
      const field = form.querySelector("input[type=file]");
      form.addEventListener("dragover", (event) => { event.preventDefault(); form.classList.add("over"); });
      form.addEventListener("dragleave", () => form.classList.remove("over"));
      form.addEventListener("drop", (event) => {
        event.preventDefault();
        form.classList.remove("over");
        if (event.dataTransfer.files.length) { field.files = event.dataTransfer.files; form.requestSubmit(); }
      });
      form.addEventListener("submit", (event) => { event.preventDefault(); this.send(form); });
    }
  },
  send(form) {
    const bar = form.querySelector("progress");
    const problem = form.querySelector("p.alarm[hidden], p.alarm.late") || form.querySelector("p.alarm");
    const button = form.querySelector("button");
    const request = new XMLHttpRequest();
    request.open("POST", form.action || location.href);
    request.setRequestHeader("Accept", "application/json");
    request.upload.addEventListener("progress", (event) => { if (bar && event.total) bar.value = 100 * event.loaded / event.total; });
    const refuse = (sentence) => { if (bar) bar.hidden = true; button.disabled = false; if (problem) { problem.classList.add("late"); problem.hidden = false; problem.textContent = sentence; } };
    request.addEventListener("load", () => {
      let answer = {};
      try { answer = JSON.parse(request.responseText); } catch { answer = {}; }
      if (answer.address) location.href = answer.address; else refuse(answer.sentence || request.statusText);
    });
    request.addEventListener("error", () => refuse("not sent; is the server there?"));
    if (bar) { bar.hidden = false; bar.value = 0; }
    if (problem) problem.hidden = true;
    button.disabled = true;
    request.send(new FormData(form));
  },
};

// of the fields of a filter, those that its test needs
const Filter = {
  start() {
    const test = document.getElementById("filter-test");
    if (!test) return;
    const show = () => { for (const part of test.form.querySelectorAll("[data-tests]")) part.hidden = !part.dataset.tests.split(" ").includes(test.value); };
    test.addEventListener("change", show);
    show();
  },
};

document.addEventListener("DOMContentLoaded", () => { Cells.start(); Drop.start(); Filter.start(); });
