// The ways of entry, in the order of their tabs.
import { cards } from "./entry-cards.js";
import { result } from "./entry-result.js";
import { tricks } from "./entry-tricks.js";

export const WAYS = [result, tricks, cards];
