'use strict';
// The records are the page's own; what a click shows was drawn and worded when the page was saved.
const data = JSON.parse(document.getElementById('data').textContent);
const records = new Map(data.records.map((record) => [record.node, record]));
const children = new Map();
for (const record of data.records) {
  if (!children.has(record.parent)) children.set(record.parent, []);
  children.get(record.parent).push(record);
}
const CHILDREN_MAX = 60;
const count = (number) => number.toLocaleString('en-US');

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

function board(record) {
  const place = document.getElementById('board');
  place.replaceChildren();
  if (!data.board || !record.position) return;
  const { width, height, cell, ground, corners, places } = data.board;
  const touched = new Set(record.position.touched);
  let drawn = ground;
  corners.forEach(([x, y], index) => {
    if (touched.has(places[index])) drawn += `<rect class="touched" x="${x}" y="${y}" width="${cell}" height="${cell}"/>`;
    const piece = record.position.cells[index];
    if (piece && piece !== '.') drawn += `<use href="#piece-${piece.codePointAt(0)}" x="${x}" y="${y}" width="${cell}" height="${cell}"/>`;
  });
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
  svg.setAttribute('role', 'img');
  svg.setAttribute('aria-label', `position ${record.position.text}`);
  svg.innerHTML = drawn;
  place.append(svg);
}

function link(record) {
  const button = element('button', record.move, record.match ? 'match' : '');
  button.type = 'button';
  button.addEventListener('click', () => choose(record.node));
  return button;
}

function values(record) {
  const table = element('table');
  const rows = [['nodes', count(record.size)], ['ply', String(record.ply)], ['node', count(record.node)], ...data.attributes.map((name, place) => [name, record.values[place]]).filter(([name]) => name !== 'ply')];
  for (const [name, value] of rows) {
    const row = element('tr');
    row.append(element('th', name), element('td', value, 'n'));
    table.append(row);
  }
  return table;
}

function below(record) {
  const table = element('table');
  const listed = [...(children.get(record.node) ?? [])];
  const head = element('tr');
  head.append(element('th', listed.length ? 'moves below' : 'no moves below are in this page'), element('th', listed.length ? 'nodes' : '', 'n'));
  table.append(head);
  for (const child of listed.slice(0, CHILDREN_MAX)) {
    const row = element('tr');
    const cell = element('td');
    cell.append(link(child));
    row.append(cell, element('td', count(child.size), 'n'));
    table.append(row);
  }
  return table;
}

function choose(node) {
  const record = records.get(node);
  if (!record) return;
  for (const old of document.querySelectorAll('.chosen')) old.classList.remove('chosen');
  for (const shape of document.querySelectorAll(`#picture [data-node="${node}"]`)) shape.classList.add('chosen');
  board(record);
  const panel = document.getElementById('record');
  panel.replaceChildren(element('p', record.line || 'root', 'line'));
  const parent = records.get(record.parent);
  if (parent && record.node !== data.root) {
    const up = element('p', 'up to ');
    up.append(link(parent));
    panel.append(up);
  }
  if (record.match) panel.append(element('p', 'matches the query', 'match'));
  panel.append(values(record), below(record));
  history.replaceState(null, '', `#${node}`);
}

document.getElementById('picture').addEventListener('click', (event) => {
  const shape = event.target.closest('[data-node]');
  if (!shape) return;
  const node = Number(shape.dataset.node);
  if (records.has(node)) return choose(node);
  document.getElementById('record').replaceChildren(element('p', `node ${count(node)} has no record in this page`));
});

const asked = Number(location.hash.slice(1));
choose(location.hash && records.has(asked) ? asked : data.root);
