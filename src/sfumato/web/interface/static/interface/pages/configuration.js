// A tree by keyboard and by drag: one stop for Tab, arrows inside. Everything here can be done by the forms beside it.
"use strict";

const SfumatoTree = {
  items(tree) {
    return [...tree.querySelectorAll('[role="treeitem"]')].filter((item) => item.offsetParent !== null);
  },
  focus(item) {
    if (!item) return;
    const tree = item.closest('[role="tree"]');
    for (const other of tree.querySelectorAll('[role="treeitem"][tabindex="0"]')) other.tabIndex = -1;
    item.tabIndex = 0;
    item.focus();
  },
  start(root) {
    const tree = document.getElementById("tree");
    if (!tree) return;
    for (const button of tree.querySelectorAll("button")) button.tabIndex = -1;
    for (const item of tree.querySelectorAll('[role="treeitem"]:not([tabindex])')) item.tabIndex = -1;
    if (!tree.querySelector('[role="treeitem"][tabindex="0"]')) {
      const first = tree.querySelector('[role="treeitem"][aria-selected="true"]') || tree.querySelector('[role="treeitem"]');
      if (first) first.tabIndex = 0;
    }
    if (root.id === "tree-area" || root === document) {
      const chosen = tree.querySelector('[aria-selected="true"] > .node');
      if (chosen) chosen.scrollIntoView({block: "nearest"});
    }
  },
  toggle(item, open) {
    if (item.getAttribute("aria-expanded") !== (open ? "false" : "true")) return false;
    this.again = item.querySelector(".node").dataset.node;
    item.querySelector("button.toggle").click();
    return true;
  },
  choose(item) {
    for (const other of document.querySelectorAll('#tree [aria-selected="true"]')) other.setAttribute("aria-selected", "false");
    item.setAttribute("aria-selected", "true");
  },
  key(event) {
    const item = event.target.closest('[role="treeitem"]');
    if (!item || event.target !== item) return;
    const items = this.items(item.closest('[role="tree"]'));
    const place = items.indexOf(item);
    const parent = item.parentElement.closest('[role="treeitem"]');
    const moves = {
      ArrowDown: () => this.focus(items[place + 1]),
      ArrowUp: () => this.focus(items[place - 1]),
      Home: () => this.focus(items[0]),
      End: () => this.focus(items[items.length - 1]),
      ArrowRight: () => { if (!this.toggle(item, true)) this.focus(item.querySelector('[role="treeitem"]')); },
      ArrowLeft: () => { if (!this.toggle(item, false)) this.focus(parent); },
      Enter: () => (item.querySelector("button.name, button.more") || item).click(),
    };
    if (!moves[event.key]) return;
    event.preventDefault();
    moves[event.key]();
  },
};

document.addEventListener("DOMContentLoaded", () => {
  SfumatoTree.start(document);
  const body = document.body;
  body.addEventListener("keydown", (event) => SfumatoTree.key(event));
  body.addEventListener("click", (event) => {
    const name = event.target.closest("#tree button.name");
    if (name) { SfumatoTree.choose(name.closest("li")); SfumatoTree.focus(name.closest("li")); }
  });
  body.addEventListener("htmx:afterSettle", (event) => {
    SfumatoTree.start(event.target);
    if (event.target.id === "panel" && matchMedia("(max-width: 40rem)").matches) event.target.scrollIntoView({block: "start"});
    if (!SfumatoTree.again) return;
    const node = [...document.querySelectorAll("#tree .node")].find((place) => place.dataset.node === SfumatoTree.again);
    SfumatoTree.again = null;
    if (node) SfumatoTree.focus(node.closest("li"));
  });
  body.addEventListener("dragstart", (event) => {
    const node = event.target.closest && event.target.closest("#tree .node");
    if (node) { SfumatoTree.dragged = node.dataset.node; event.dataTransfer.setData("text/plain", "node"); event.dataTransfer.effectAllowed = "move"; }
  });
  body.addEventListener("dragover", (event) => {
    const node = event.target.closest && event.target.closest("#tree .node");
    if (node && SfumatoTree.dragged !== undefined && node.dataset.leaf === undefined) { event.preventDefault(); event.dataTransfer.dropEffect = "move"; node.classList.add("over"); }
  });
  body.addEventListener("dragleave", (event) => {
    const node = event.target.closest && event.target.closest("#tree .node");
    if (node) node.classList.remove("over");
  });
  body.addEventListener("drop", (event) => {
    const node = event.target.closest && event.target.closest("#tree .node");
    if (!node || SfumatoTree.dragged === undefined) return;
    event.preventDefault();
    const form = document.getElementById("drag-form");
    const [child, parent] = form.querySelectorAll('input[name="argument"]');
    child.value = SfumatoTree.dragged;
    parent.value = node.dataset.node;
    SfumatoTree.dragged = undefined;
    if (child.value !== parent.value) form.requestSubmit();
  });
});
