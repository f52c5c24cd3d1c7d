// What somebody chose for this phone, and is asked once: the way of entry, the hand that holds it.
const PREFIX = "courtpiece-";

export const preferred = (name, otherwise) => {
  try {
    return localStorage.getItem(PREFIX + name) ?? otherwise;
  } catch {
    return otherwise;
  }
};
export const prefer = (name, value) => {
  try {
    localStorage.setItem(PREFIX + name, value);
  } catch {
    // Where nothing may be kept it is asked again.
  }
};
