/* The caret stands behind a pair's first name once it was picked, where the partner's is typed. */

document.body.addEventListener("htmx:afterSettle", () => {
  const field = document.querySelector('[data-caret="end"]');
  if (field) {
    field.focus();
    field.setSelectionRange(field.value.length, field.value.length);
    field.removeAttribute("data-caret");
  }
});
