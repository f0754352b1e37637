"use strict";
/* Sorts and filters tables that ask for it, and pins their rows. Pages are
 * complete without. */
(() => {
	const value = (row, column) => {
		const cell = row.cells[column];
		if (!cell)
			return "";
		const v = cell.getAttribute("data-v");
		if (v === null)
			return cell.textContent.trim();
		return v === "" ? null : Number(v);
	};

	/* What is not known comes last, whatever the order. */
	const compare = (a, b, sign) => {
		if (a === null || b === null)
			return (a === null) - (b === null);
		if (typeof a === "number" && typeof b === "number")
			return sign * (a - b);
		return sign * String(a).localeCompare(String(b), "en",
						      { numeric: true });
	};

	const isPinned = (row) => row.classList.contains("pinned");

	const sort = (table, column, heads) => {
		const head = heads[column], body = table.tBodies[0];
		const up = head.getAttribute("aria-sort") === "descending" ||
			(!head.hasAttribute("aria-sort") &&
			 head.classList.contains("t"));
		const rows = Array.from(body.rows);
		for (const h of heads)
			h.removeAttribute("aria-sort");
		head.setAttribute("aria-sort", up ? "ascending" : "descending");
		rows.sort((a, b) => isPinned(b) - isPinned(a) ||
			  compare(value(a, column), value(b, column),
				  up ? 1 : -1));
		body.append(...rows);
	};

	const makeSortable = (table) => {
		const heads = Array.from(table.tHead.rows[0].cells);
		heads.forEach((head, column) => {
			const button = document.createElement("button");
			button.type = "button";
			button.append(...head.childNodes);
			head.append(button);
			button.addEventListener("click", () =>
				sort(table, column, heads));
		});
	};

	/* A pinned row stays above the others, whatever they are sorted by, and is
	 * shown, whatever is filtered; `then` is called when one was. */
	const makePins = (table, then) => {
		const body = table.tBodies[0];
		for (const row of Array.from(body.rows)) {
			const pin = document.createElement("button");
			pin.type = "button";
			pin.className = "pin";
			pin.setAttribute("aria-pressed", "false");
			pin.setAttribute("aria-label", "pin " + Array.from(
				row.cells).slice(0, 3).map((c) =>
				c.textContent.trim()).join(" "));
			row.cells[0].prepend(pin);
			pin.addEventListener("click", () => {
				pin.setAttribute("aria-pressed",
					String(row.classList.toggle("pinned")));
				const rows = Array.from(body.rows);
				body.append(...rows.filter(isPinned),
					...rows.filter((r) => !isPinned(r)));
				then();
				pin.focus();
			});
		}
	};

	const label = (text, control) => {
		const l = document.createElement("label");
		l.append(text, control);
		return l;
	};

	const choices = (rows, column) => {
		const texts = rows.map((r) => r.cells[column].textContent.trim());
		return Array.from(new Set(texts)).sort((a, b) =>
			a.localeCompare(b, "en", { numeric: true }));
	};

	const makeSelect = (rows, column) => {
		const select = document.createElement("select");
		select.append(new Option("all", ""));
		for (const text of choices(rows, column))
			select.append(new Option(text, text));
		return select;
	};

	/* Of a table whose heads say data-filter: a choice for each of these,
	 * and words that rows must have. */
	const makeFilters = (table) => {
		const rows = Array.from(table.tBodies[0].rows);
		const bar = document.createElement("div");
		const words = document.createElement("input");
		const count = document.createElement("span");
		const selects = [];
		const apply = () => {
			const want = words.value.toLowerCase();
			let shown = 0;
			for (const row of rows) {
				const fits = selects.every(([column, select]) =>
					select.value === "" || select.value ===
					row.cells[column].textContent.trim());
				row.hidden = !isPinned(row) && (!fits ||
					!row.textContent.toLowerCase()
						.includes(want));
				shown += !row.hidden;
			}
			count.textContent = `${shown} of ${rows.length}`;
		};

		bar.className = "filters";
		count.setAttribute("role", "status");
		words.type = "search";
		bar.append(label("Find", words));
		Array.from(table.tHead.rows[0].cells).forEach((head, column) => {
			if (!head.hasAttribute("data-filter"))
				return;
			const select = makeSelect(rows, column);
			selects.push([column, select]);
			bar.append(label(head.textContent, select));
			select.addEventListener("change", apply);
		});
		words.addEventListener("input", apply);
		bar.append(count);
		(table.closest(".wide") || table).before(bar);
		makePins(table, apply);
		apply();
	};

	for (const table of document.querySelectorAll("table[data-sort]")) {
		if (table.hasAttribute("data-filters"))
			makeFilters(table);
		makeSortable(table);
	}
	addEventListener("beforeprint", () => {
		for (const d of document.querySelectorAll("details"))
			d.open = true;
	});
})();
