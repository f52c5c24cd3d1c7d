// Files dropped on the upload field, and the list of what was chosen.
const limit = (bytes) => (bytes < 1024 ? `${bytes} B` : bytes < 1048576 ? `${Math.round(bytes / 1024)} KiB` : `${(bytes / 1048576).toFixed(1)} MiB`);

const list = (zone, input) => {
  const rows = [...input.files].map((file) => {
    const row = document.createElement("li");
    const name = document.createElement("bdi");
    name.textContent = file.name;
    const size = document.createElement("span");
    size.textContent = limit(file.size);
    row.append(name, size);
    return row;
  });
  zone.querySelector("[data-dropzone-list]").replaceChildren(...rows);
};

for (const zone of document.querySelectorAll("[data-dropzone]")) {
  const input = zone.querySelector("input[type=file]");
  zone.classList.add("is-ready");
  input.addEventListener("change", () => list(zone, input));
  for (const kind of ["dragenter", "dragover"]) {
    zone.addEventListener(kind, (event) => {
      event.preventDefault();
      zone.classList.add("is-over");
    });
  }
  for (const kind of ["dragleave", "drop"]) zone.addEventListener(kind, () => zone.classList.remove("is-over"));
  zone.addEventListener("drop", (event) => {
    event.preventDefault();
    input.files = event.dataTransfer.files;
    list(zone, input);
  });
}
