"use strict";

/* A long list of which only the rows in sight exist. Every row has the same height, in CSS pixels. */
class Rows {
  constructor(box, height, draw, choose) {
    Object.assign(this, { box, height, draw, choose, count: 0, chosen: -1, first: -1, last: -1 });
    this.inner = el("div.inner");
    box.replaceChildren(this.inner);
    box.addEventListener("scroll", () => this.paint(false), { passive: true });
    new ResizeObserver(() => this.paint(false)).observe(box);
    this.inner.addEventListener("click", (event) => {
      const row = event.target.closest("[data-row]");
      if (row) this.choose(Number(row.dataset.row));
    });
  }

  show(count, chosen) {
    Object.assign(this, { count, chosen });
    this.inner.style.height = `${count * this.height}px`;
    this.reveal(chosen);
    this.paint(true);
  }

  select(chosen) {
    this.chosen = chosen;
    this.reveal(chosen);
    this.paint(true);
  }

  reveal(index) {
    if (index < 0) return;
    const { box, height } = this;
    const top = index * height;
    if (top < box.scrollTop + height) box.scrollTop = top - height;
    else if (top + 2 * height > box.scrollTop + box.clientHeight) box.scrollTop = top + 2 * height - box.clientHeight;
  }

  paint(always) {
    const { box, height, count } = this;
    const first = Math.max(0, Math.floor(box.scrollTop / height) - 6);
    const last = Math.min(count, Math.ceil((box.scrollTop + box.clientHeight) / height) + 6);
    if (!always && first === this.first && last === this.last) return;
    Object.assign(this, { first, last });
    const rows = [];
    for (let i = first; i < last; i++) {
      const row = this.draw(i);
      row.classList.add("row");
      row.dataset.row = i;
      row.setAttribute("role", "option");
      row.setAttribute("aria-selected", i === this.chosen);
      row.setAttribute("aria-posinset", i + 1);
      row.setAttribute("aria-setsize", count);
      row.style.top = `${i * height}px`;
      row.style.height = `${height}px`;
      rows.push(row);
    }
    this.inner.replaceChildren(...rows);
  }
}
