// Light or dark, and how many colours the suits have: kept in this browser, set before the page is painted.
(() => {
  const root = document.documentElement;
  const kept = (name) => {
    try { return localStorage.getItem(name); } catch { return null; }
  };
  const keep = (name, value) => {
    try { localStorage.setItem(name, value); } catch { /* The choice then lasts as long as the page. */ }
  };
  const dark = document.querySelector("link[data-dark]");
  const night = matchMedia("(prefers-color-scheme: dark)");

  const showTheme = (theme) => {
    root.dataset.theme = theme;
    if (dark) dark.media = theme === "dark" ? "screen" : "not all";
  };
  const showSuits = (count) => {
    root.dataset.suits = count;
    for (const button of document.querySelectorAll("[data-suits]:not(html)")) {
      button.setAttribute("aria-pressed", String(button.dataset.suits === count));
    }
  };
  const theme = () => kept("theme") ?? (night.matches ? "dark" : "light");

  showTheme(theme());
  showSuits(kept("suits") ?? "four");
  night.addEventListener("change", () => showTheme(theme()));

  document.addEventListener("DOMContentLoaded", () => {
    showSuits(root.dataset.suits);
    for (const toggle of document.querySelectorAll("[data-theme-toggle]")) {
      toggle.hidden = false;
      toggle.addEventListener("click", () => {
        keep("theme", root.dataset.theme === "dark" ? "light" : "dark");
        showTheme(theme());
      });
    }
    for (const tools of document.querySelectorAll("[data-suits-tools]")) tools.hidden = false;
    for (const button of document.querySelectorAll("button[data-suits]")) {
      button.addEventListener("click", () => {
        keep("suits", button.dataset.suits);
        showSuits(button.dataset.suits);
      });
    }
  });
})();
